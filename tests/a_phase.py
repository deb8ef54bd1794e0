"""Writes docs/a-phase.md: what a phase looks like to a newcomer, with the texts and pictures of a game played here.

python -m tests.a_phase
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bot.model import GameId, UserId
from bot.render import MapRenderer
from bot.services import inspect, orders
from bot.services.sheets import SubmitMode
from bot.text.compose import compose
from bot.text.looking import phase_key_messages
from bot.text.message import Message, ScenePicture
from bot.text.order_receipt import receipt_message
from engine.core.ids import SystemId
from engine.core.viewer import EVERYBODY
from engine.registry import systems
from tests.bot.services.world import CHANNEL, World

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE = DOCS / "a-phase.md"
BOXES = {"desktop": (550, 350), "phone": (350, 10_000)}
"""What Discord's clients fit a lone picture into, in pixels."""
PLAYERS = {
    "austria": "Ada", "england": "Ben", "france": "Cleo", "germany": "Dan", "italy": "Eva", "russia": "Finn",
    "turkey": "Gus",
}  # fmt: skip
CLEO = UserId(3)
SPRING = {
    "austria": "A BUD - SER\nA VIE - GAL\nF TRI - ALB", "england": "F LON - NTH\nF EDI - NWG\nA LVP - YOR",
    "germany": "A BER - KIE\nF KIE - DEN\nA MUN - RUH",
    "italy": "A VEN H\nA ROM - APU\nF NAP - ION",
    "russia": "A MOS - UKR\nA WAR - GAL\nF SEV - BLA\nF STP/SC - BOT",
    "turkey": "A CON - BUL\nA SMY - CON\nF ANK - BLA",
}  # fmt: skip
FALL = {
    "austria": "A SER H\nF ALB - GRE\nA VIE - TRI", "england": "F NTH C A YOR - NWY\nA YOR - NWY\nF NWG - BAR",
    "france": "A BUR - BEL\nA MAR - SPA\nF MAO - POR", "germany": "A RUH - BEL\nF DEN - SWE\nA KIE - HOL",
    "italy": "A APU - TUN\nF ION C A APU - TUN\nA VEN - TRI", "russia": "A UKR - RUM\nF SEV S A UKR - RUM\nF BOT - SWE",
    "turkey": "A BUL - GRE\nA CON - BUL\nF ANK - BLA",
}  # fmt: skip


def main() -> None:
    """Write the page and its pictures."""
    PAGE.write_text("\n".join(_page()) + "\n", encoding="utf-8")


def _page() -> Iterator[str]:
    world = World({SystemId(name): systems[SystemId(name)] for name in ("diplomacy", "kregen")})
    wishes = {UserId(number): power for number, power in enumerate(PLAYERS, start=1)}
    game = world.start(wishes=wishes, system="diplomacy", name="Autumn Leaves", players=7)
    yield "# What a phase looks like"
    yield ""
    yield (
        "The texts and maps of a game of Diplomacy, as a new player sees them: Cleo, who plays France. "
        "Each map is shown here as Discord first displays it: within 550 x 350 pixels on a desktop, and "
        "350 wide on a phone. Clicking on a map enlarges it. `python -m tests.a_phase` plays the game and writes "
        "this page."
    )
    yield from _heading(
        "The game begins", "In the channel, for everybody. Only the user who presses a button sees the answer."
    )
    yield from _shown("opening", _composed(world, game, "opening", CHANNEL))
    yield from _heading(
        "Your first message",
        "In a direct message to Cleo, at the same time: the goal, what she can do now, and her own part of the "
        "map, with her units in full colour and all others pale. **Whole map** shows the rest.",
    )
    yield from _shown("briefing", _composed(world, game, "briefing", CLEO))
    yield from _heading(
        "Your orders, and the receipt",
        "Cleo sends her orders. One of them can't succeed: the bot accepts it, says so, and draws it as a "
        "failed order.",
    )
    text = "A PAR - BUR\nA MAR S A PAR - GAS\nF BRE - MAO"
    yield from ("```", text, "```", "")
    receipt = orders.submit(world.context, game, CLEO, text, mode=SubmitMode.MERGE)
    yield from _shown("receipt", receipt_message(receipt))
    world.submit(game, CLEO, "A MAR H")
    _play(world, game, SPRING)
    _play(world, game, FALL)
    yield from _heading(
        "The results",
        "In the channel, once everybody is ready or the time is up; these are the second phase's. A headline gives the "
        "main news, and is repeated below the map's title.",
    )
    closed = _composed(world, game, "phase_closed", CHANNEL)
    yield from _shown("result", closed)
    yield from _heading(
        "What the symbols mean",
        "A button under each map leads to the same map with its legend and a key to its symbols.",
    )
    view = inspect.phase_view(world.context, game, world.game(game).phase_no - 1, EVERYBODY)
    yield from _shown("key", phase_key_messages(view))
    yield from _heading(
        "On a large board",
        "Kregen has 138 sectors, more than a phone can show at once. Results show the part where most happened; "
        "buttons lead to other parts, and to the whole map.",
    )
    kregen = world.start(
        wishes={UserId(number): "" for number in range(1, 9)}, system="kregen", name="The Eye", players=8
    )
    world.forget_mail()
    world.ready(kregen, *map(UserId, range(1, 9)))
    yield from _shown("large-board", _composed(world, kregen, "phase_closed", CHANNEL), is_brief=True)


def _play(world: World, game: GameId, sheets: dict[str, str]) -> None:
    """Everybody sends their orders, and is ready."""
    world.forget_mail()
    users = {power: UserId(number) for number, power in enumerate(PLAYERS, start=1)}
    for power, text in sheets.items():
        world.submit(game, users[power], text)
    world.ready(game, *users.values())


def _composed(world: World, game: GameId, kind: str, to: int) -> list[Message]:
    return [
        message
        for row in world.outbox(game)
        if row.kind == kind and row.target_id == to
        for message in compose(world.context, row)
    ]


def _heading(title: str, what: str) -> Iterable[str]:
    return ("", f"## {title}", "", what, "")


# --- Messages as they look ------------------------------------------------------------------------------------


def _shown(name: str, messages: Sequence[Message], *, is_brief: bool = False) -> Iterator[str]:
    """Messages, quoted; their pictures at both sizes, as Discord puts them: after the words, before the boxes."""
    for message in messages:
        if message.content:
            yield from _quoted(message.content)
        for picture in message.pictures:
            yield from ("", *_pictures(name, picture), "")
        for embed in () if is_brief else message.embeds:
            fields = [part for field in embed.fields for part in (f"**{field.name}**", field.value)]
            parts = [f"**{embed.title}**" if embed.title else "", embed.description, *fields, embed.footer]
            yield from _quoted("\n".join(filter(None, parts)))
        if message.files and not is_brief:
            yield from _quoted(" ".join(f"`📎 {file.filename}`" for file in message.files))
        for menu in message.selects:
            yield from _quoted(f"<kbd>{menu.placeholder} ▾</kbd>")
        if message.buttons:
            yield from _quoted(" ".join(f"<kbd>{button.label}</kbd>" for button in message.buttons))


def _quoted(text: str) -> Iterator[str]:
    text = _TIME.sub(_moment, _MENTION.sub(lambda found: f"@{list(PLAYERS.values())[int(found[1]) - 1]}", text))
    inside = False
    for line in text.split("\n"):
        inside ^= line.count("```") % 2 == 1
        bare = line.replace("## ", "**", 1) + "**" if line.startswith("## ") else line
        # Two spaces end a line in Markdown, where Discord needs none.
        yield f"> {bare}" if inside or line.startswith("```") else f"> {bare}  ".rstrip() + "  "
    yield ""


_MENTION = re.compile(r"<@(\d+)>")
_TIME = re.compile(r"<t:(\d+)(?::(\w))?>")


def _moment(found: re.Match[str]) -> str:
    """A moment as Discord tells it, on the evening on which the page's game begins."""
    at = datetime.fromtimestamp(int(found[1]), UTC)
    return "in a day" if found[2] == "R" else f"{at:%A}, {at.day} {at:%B %Y %H:%M}"


def _pictures(name: str, picture: ScenePicture) -> Iterator[str]:
    drawn = MapRenderer().draw(picture.scene, with_key=picture.with_key)
    for box, (width, height) in BOXES.items():
        share = min(width / drawn.width_px, height / drawn.height_px, 1.0)
        small = MapRenderer().draw(picture.scene, width_px=round(drawn.width_px * share), with_key=picture.with_key)
        (DOCS / "images" / f"a-phase-{name}-{box}.png").write_bytes(small.file)
    alt = picture.alt.split(". ")[0].replace("|", " ")
    yield "| on a desktop | on a phone |"
    yield "| --- | --- |"
    yield " | ".join(["", *(f"![{alt}](images/a-phase-{name}-{box}.png)" for box in BOXES), ""]).strip()


if __name__ == "__main__":
    main()
