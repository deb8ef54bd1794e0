"""The briefing: what happened to a power, what is asked of it, and the sheet to fill in; for its player alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.model import Outgoing
from bot.services import doors
from bot.services.complaints import written_to
from bot.services.positions import position_of
from bot.services.sheets import MENUS, find_offer
from bot.text.albums import album_message
from bot.text.board import about_own_map, board_picture, brief_text, ledger_file, report_file, report_text
from bot.text.buttons import buttons, private_buttons
from bot.text.catalogue import Words
from bot.text.choices import Offered, offered
from bot.text.custom_ids import BELOW, Action
from bot.text.discord_limits import BRIEF, fit_all
from bot.text.doors import briefing_message
from bot.text.markdown import Markup, code_block
from bot.text.message import Button, Embed, Message, ScenePicture, TextFile
from bot.text.occasion import Occasion, until_when
from engine.core.events import visible_events
from engine.core.ids import PowerId
from engine.core.outcome import may_know
from engine.core.phrases import Phrase, phrase
from engine.core.reading import canonical_lines, restored
from engine.core.report import Report, Section
from engine.core.viewer import Playing
from engine.pictures.realm import own_part
from engine.registry import Order, View

ORDERS_FILE = "orders.txt"
_TEMPLATE_IN_CHAT = 1500
"""A longer order sheet is sent as a file."""


def briefing(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """What happened to the power, what is asked of it, and the sheet to fill in.

    Whoever has nothing to decide hears what happened and that there is nothing to order, or nothing at all if nothing
    happened; in their first phase always that there is nothing to do.
    """
    power = PowerId(outgoing.payload["power"])
    happened, files = _told(occasion, power)
    if power in occasion.status.out:
        farewell = occasion.words.say("message.farewell", game=occasion.game.name, power=power)
        return fit_all((Message(content=farewell, embeds=happened, files=files), *_albums(occasion, power)))
    if not occasion.is_past and power in occasion.status.to_act:
        return fit_all(_with_sheet(occasion, outgoing, power, happened, files))
    if power in occasion.status.to_act or _is_first(outgoing):
        content, embeds = _beginning(occasion, outgoing, power), (*happened, _about_phase(occasion, outgoing, power))
    elif happened:
        content, embeds = _news(occasion, power), happened
    else:
        return ()
    message = Message(
        content="\n".join(content),
        embeds=embeds,
        pictures=_unshown_map(occasion, power),
        files=files,
        buttons=_report_button(occasion, power),
    )
    return fit_all((message, *_albums(occasion, power)))


def _heading(occasion: Occasion, power: PowerId) -> Markup:
    return occasion.words.say("message.briefing", game=occasion.game.name, title=occasion.status.title, power=power)


def _news(occasion: Occasion, power: PowerId) -> list[Markup]:
    """Above what happened to a power that has nothing to decide now."""
    is_open = occasion.status.winners is None and not occasion.is_past
    return [_heading(occasion, power), *([occasion.words.say("receipt.nothing_to_order")] if is_open else [])]


def _beginning(occasion: Occasion, outgoing: Outgoing, power: PowerId) -> list[Markup]:
    """The beginning of a briefing: which phase it is and until when it lasts; in the first one the goal, and where to
    see what was played before."""
    words = occasion.words
    first = [words.say("message.goal", goal=occasion.goal(power))] if _is_first(outgoing) else []
    past = [words.say("message.played_before")] if first and occasion.has_past else []
    over = [words.say("message.phase_is_over")] if occasion.is_past else []
    return [_heading(occasion, power), *first, *past, *until_when(occasion), *over]


def _about_phase(occasion: Occasion, outgoing: Outgoing, power: PowerId) -> Embed:
    """What the phase is about, for a power that can't order anything, or no more."""
    words, lines = occasion.words, [_lines(occasion.words, occasion.briefing(power))]
    if _is_first(outgoing) and not occasion.is_past:
        lines.append(words.say("message.meanwhile"))
    return Embed(title=words.plainly("message.what_is_asked"), description="\n".join(lines))


def _with_sheet(
    occasion: Occasion, outgoing: Outgoing, power: PowerId, happened: tuple[Embed, ...], files: tuple[TextFile, ...]
) -> tuple[Message, ...]:
    """The briefing of a power that may order something: with the sheet, the menus, and the game's special ways."""
    words = occasion.words
    view, orders = occasion.system.sight.view(occasion.state, Playing(power)), occasion.standing_orders(power)
    asked = Embed(
        title=words.plainly("message.what_is_asked"),
        description=_lines(words, occasion.briefing(power), occasion.system.orders.otherwise(view, orders)),
    )
    lines, pictures = _beginning(occasion, outgoing, power), _own_map(occasion, power)
    lines += [line for picture in pictures for line in about_own_map(words, picture.scene)]
    message = Message(
        content="\n".join(lines),
        embeds=(*happened, *_standing(occasion, orders), asked, *_first_steps(occasion, outgoing, view)),
        pictures=pictures,
        files=files,
        buttons=(*order_buttons(occasion, view, has_orders=bool(orders)), *_report_button(occasion, power)),
    )
    template = occasion.system.orders.template(view, orders)
    first, sheet = _with_template(occasion, message, template, _menus(occasion, view, orders))
    return (first, *_albums(occasion, power), sheet, *_doors(occasion, view))


def order_buttons(occasion: Occasion, view: View, *, has_orders: bool) -> tuple[Button, ...]:
    """The buttons for a player who is not ready yet."""
    return private_buttons(
        occasion.words,
        occasion.game,
        occasion.phase_no,
        is_ready=False,
        has_orders=has_orders,
        has_default=bool(occasion.system.orders.default(view)),
    )


def _report_button(occasion: Occasion, power: PowerId) -> tuple[Button, ...]:
    """Below what other players have written to a power: of the last phase in which they have."""
    numbers = [closed.phase_no for closed in occasion.closed_before if written_to(closed, power)]
    return buttons(occasion.words, occasion.game, numbers[-1], Action.REPORT) if numbers else ()


def _is_first(outgoing: Outgoing) -> bool:
    """Whether it is the first briefing of a player: of the first phase, or of whoever takes a power over."""
    return not outgoing.payload.get("closed_phase_nos")


def _first_steps(occasion: Occasion, outgoing: Outgoing, view: View) -> tuple[Embed, ...]:
    """Orders to begin with, for whoever is new or meets a phase of this kind for the first time."""
    if not (_is_first(outgoing) or occasion.is_first_of_its_kind):
        return ()
    words = occasion.words
    lines = [words.say("message.example", what=what) for what in occasion.system.telling.examples(view)]
    lines.append(words.say("message.example", what=phrase("message.where_rules_are")))
    return (Embed(title=words.plainly("message.first_steps"), description="\n".join(lines)),)


def _standing(occasion: Occasion, orders: Sequence[Order]) -> tuple[Embed, ...]:
    """What stands already: orders of whoever played the power before, or of a phase that is played again."""
    if not orders:
        return ()
    words = occasion.words
    lines = [
        words.say("receipt.order", number=number, order=order)
        for number, order in enumerate(canonical_lines(occasion.system, orders), start=1)
    ]
    return (Embed(title=words.plainly("message.what_stands"), description="\n".join(lines)),)


def _told(occasion: Occasion, power: PowerId) -> tuple[tuple[Embed, ...], tuple[TextFile, ...]]:
    """What happened to the power, each phase below a heading; where that is long in brief, and whole in a file."""
    words, stories = occasion.words, _story(occasion, power)
    heading = words.plainly("message.what_happened")
    headings = [words.plain(title) for title, _ in stories] if len(stories) > 1 else [heading for _ in stories]
    texts, ledger = [report_text(words, story, below=heading) for _, story in stories], _ledger(occasion, power)
    is_short = sum(map(len, texts)) <= BRIEF
    # Where nothing stands in the channel the letter is all there is: it is kept whole in any case.
    if not stories or (is_short and occasion.system.info.has_public_board):
        return _below(headings, texts), ledger
    room = BRIEF // len(stories)
    brief = texts if is_short else [brief_text(words, story, room, below=heading) for _, story in stories]
    sections = [
        section
        for title, story in stories
        for section in (*([Section(title, ())] if len(stories) > 1 else []), *story.sections)
    ]
    whole = report_file(words, occasion.game, occasion.status.title, Report(tuple(sections)))
    return _below(headings, brief), (whole, *ledger)


def _below(headings: Sequence[str], texts: Sequence[Markup]) -> tuple[Embed, ...]:
    return tuple(Embed(title=heading, description=text) for heading, text in zip(headings, texts, strict=True))


def _albums(occasion: Occasion, power: PowerId) -> tuple[Message, ...]:
    """The events since the power's last briefing that have pages and pictures of their own."""
    albums = occasion.system.telling.albums
    return tuple(
        album_message(occasion.words, occasion.game, album)
        for closed in occasion.closed_before
        for album in albums(
            occasion.system.sight.view(position_of(occasion.system, closed.start), Playing(power)),
            visible_events(closed.events, Playing(power)),
        )
    )


def _ledger(occasion: Occasion, power: PowerId) -> tuple[TextFile, ...]:
    """The power's books, in games that keep any."""
    ledger = occasion.system.telling.ledger
    if ledger is None:
        return ()
    report = ledger(occasion.system.sight.view(occasion.state, Playing(power)))
    return (ledger_file(occasion.words, occasion.game, occasion.status.title, report),) if report.sections else ()


def _doors(occasion: Occasion, view: View) -> tuple[Message, ...]:
    """What the game says about its special ways to order."""
    briefings = doors.briefings(occasion.system, view)
    return tuple(briefing_message(occasion.words, occasion.game, occasion.phase_no, each) for each in briefings)


def _own_map(occasion: Occasion, power: PowerId) -> tuple[ScenePicture, ...]:
    """The power's own realm, with what stands already of its orders."""
    view = occasion.system.sight.view(occasion.state, Playing(power))
    scene = own_part(occasion.system.telling.scene(view, orders=occasion.standing_orders(power)), power)
    words = occasion.words
    return (board_picture(words, occasion.game, scene, occasion.briefing(power), deadline_at=occasion.deadline_at),)


def _unshown_map(occasion: Occasion, power: PowerId) -> tuple[ScenePicture, ...]:
    """The same, where the channel shows no map."""
    return () if occasion.system.info.has_public_board else _own_map(occasion, power)


def _menus(occasion: Occasion, view: View, orders: Sequence[Order]) -> Offered:
    """Whole orders to choose from, so that nothing need be pressed or written first."""
    missing = occasion.system.orders.missing(view, orders)
    offer = find_offer(occasion.system, view, orders, missing)
    return offered(occasion.game, occasion.phase_no, offer, MENUS, token=BELOW)


def _with_template(occasion: Occasion, message: Message, template: str, menus: Offered) -> tuple[Message, Message]:
    words = occasion.words
    if len(template) > _TEMPLATE_IN_CHAT:
        sheet = Message(words.say("message.template_file"), files=(TextFile(ORDERS_FILE, template),))
    else:
        sheet = Message("\n".join([words.say("message.template"), code_block(template)]))
    how = [words.say("message.menus")] if menus.selects else []
    # The buttons belong under the last thing read.
    return (
        Message(message.content, message.embeds, message.pictures, message.files),
        Message(
            "\n".join([*how, sheet.content]),
            files=sheet.files,
            selects=menus.selects,
            shortcuts=menus.shortcuts,
            buttons=message.buttons,
        ),
    )


def _story(occasion: Occasion, power: PowerId) -> list[tuple[Phrase, Report]]:
    """What became of the power's own orders in each phase since its last briefing, and what else it may know, with a
    heading that names the phase. How a phase ends in the same words as the one before, such as the standings, is not
    told again.

    Others' orders that everybody may know of stand in the channel; those that some may know of, nowhere else.
    """
    told: list[tuple[Phrase, Report]] = []
    viewer, before = Playing(power), None
    for closed in occasion.closed_before:
        view = occasion.system.sight.view(position_of(occasion.system, closed.end), viewer)
        known = (
            result
            for result in closed.results
            if (result.power == power or result.audience is not None) and may_know(viewer, result.audience)
        )
        results = restored(occasion.system, view, known)
        story = occasion.system.telling.report(view, results, visible_events(closed.events, viewer))
        is_repeated = before is not None and story.sections[-1:] == before.sections[-1:]
        sections = story.sections[:-1] if is_repeated else story.sections
        if sections:
            title = occasion.system.play.status(position_of(occasion.system, closed.start)).title
            told.append((phrase("message.what_happened_in", title=title), Report(sections)))
        before = story
    return told


def _lines(words: Words, report: Report, otherwise: Iterable[Phrase] = ()) -> Markup:
    """A briefing under a heading of ours: the first of its own would only repeat it.

    Args:
        otherwise: what happens without orders; it stands below what is asked, unless it is said there already.
    """
    lines = []
    for place, section in enumerate(section for section in report.sections if section.lines):
        more = () if place else [line for line in otherwise if line not in section.lines]
        lines += [Markup(f"**{words.render(section.title)}**")] if place else []
        lines += [words.render(line) for line in (*section.lines, *more)]
    return Markup("\n".join(lines))
