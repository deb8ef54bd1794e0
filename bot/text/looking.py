"""The present position as a message: the map, its board in words, and until when orders are taken."""

from __future__ import annotations

from dataclasses import replace

from bot.services.inspect import BoardView, PhaseView
from bot.services.receipts import Receipt
from bot.text.board import about_part, board_file, board_picture, orders_picture, report_text, results_picture
from bot.text.buttons import button, buttons
from bot.text.catalogue import words_of
from bot.text.custom_ids import Action
from bot.text.discord_limits import fit
from bot.text.markdown import full_time, relative_time
from bot.text.message import Embed, Message
from engine.core.depiction import Depiction
from engine.core.report import Report, Section
from engine.pictures.realm import whole_board
from engine.pictures.tiles import TileScene


def board_messages(view: BoardView, *, as_text: bool) -> tuple[Message, ...]:
    """The position as a picture, or (`as_text`) in words alone; the words go with the picture as a file too."""
    game = view.game
    words = words_of(game)
    lines = [words.say("inspect.map", game=game.name, title=view.title)]
    if game.deadline_at is not None:
        lines.append(
            words.say("inspect.locks", left=relative_time(game.deadline_at), deadline=full_time(game.deadline_at))
        )
    file = board_file(words, game, view.title, view.text)
    lines += [] if as_text else about_part(words, view.scene)
    content = "\n".join(lines)
    if as_text:
        return fit(Message(content, embeds=(Embed(description=report_text(words, _shown(view))),), files=(file,)))
    picture = board_picture(words, game, view.scene, view.text, deadline_at=game.deadline_at)
    whole = (Action.WHOLE,) if view.scene.is_close_up else ()
    more = (
        *buttons(words, game, game.phase_no, *whole),
        button(words, game, game.phase_no, Action.KEY, token=_opened(view.scene)),
        button(words, game, game.phase_no, Action.BOARD),
    )
    return fit(Message(content, pictures=(picture,), files=(file,), buttons=more))


def _shown(view: BoardView) -> Report:
    """What the picture shows, in words: the whole position, or the one tile that is shown with its cells."""
    is_opened = isinstance(view.scene, TileScene) and view.scene.opened is not None
    lines = view.scene.in_words if is_opened else ()
    return Report((Section(view.title, lines),)) if lines else view.text


def _opened(scene: Depiction) -> str:
    """The tile that is shown with its cells, as the key's button names it: on cells there are signs of their own."""
    tile = scene.tiles.get(scene.opened) if isinstance(scene, TileScene) and scene.opened is not None else None
    return "" if tile is None else tile.tag.replace("+", "")


def key_messages(view: BoardView) -> tuple[Message, ...]:
    """The position with who is who on the map and what its signs mean."""
    words = words_of(view.game)
    picture = board_picture(words, view.game, view.scene, view.text, deadline_at=view.game.deadline_at)
    content = words.say("inspect.map", game=view.game.name, title=view.title)
    return fit(Message(content, pictures=(replace(picture, with_key=True),)))


def whole_map_messages(receipt: Receipt) -> tuple[Message, ...]:
    """The whole board with a player's own orders, for them alone."""
    words, game = words_of(receipt.game), receipt.game
    scene = whole_board(receipt.scene)
    picture = orders_picture(words, game, scene, receipt.orders, deadline_at=receipt.deadline_at)
    content = words.say("message.whole_map", game=game.name, title=receipt.title)
    return fit(Message(content, pictures=(picture,), buttons=buttons(words, game, receipt.phase_no, Action.KEY)))


def phase_map_messages(view: PhaseView) -> tuple[Message, ...]:
    """The whole board with what came of a closed phase."""
    words = words_of(view.game)
    picture = results_picture(words, view.game, whole_board(view.scene_of_results), view.report, view.headline)
    content = words.say("inspect.map", game=view.game.name, title=view.title)
    return fit(Message(content, pictures=(picture,), buttons=buttons(words, view.game, view.phase_no, Action.KEY)))


def phase_key_messages(view: PhaseView) -> tuple[Message, ...]:
    """The same of a closed phase with its orders."""
    words = words_of(view.game)
    picture = results_picture(words, view.game, view.scene_of_results, view.report, view.headline)
    content = words.say("inspect.map", game=view.game.name, title=view.title)
    return fit(Message(content, pictures=(replace(picture, with_key=True),)))
