"""A finished or interrupted game as a page to keep: the channel, and each player's direct messages and private answers,
with the maps next to it.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from hashlib import sha256
from html import escape
from pathlib import Path

from bot.play.eyes import Eyes, Payload
from bot.play.markdown import as_of
from bot.play.page import STATIC
from bot.play.world import Person, SimulatedServer

PAGE = "index.html"
PICTURES = "files"


def write_transcript(world: SimulatedServer, directory: Path, *, title: str, role: Callable[[Person], str]) -> Path:
    """Write the page and its pictures; returns the page.

    Raises:
        OSError: the folder can't be written.
    """
    (directory / PICTURES).mkdir(parents=True, exist_ok=True)
    shutil.copyfile(STATIC / "page.css", directory / "page.css")
    shutil.copyfile(STATIC / "transcript.css", directory / "transcript.css")
    page = directory / PAGE
    page.write_text("".join(_page(world, directory, title, role)), encoding="utf-8")
    return page


def _page(world: SimulatedServer, directory: Path, title: str, role: Callable[[Person], str]) -> Iterator[str]:
    named = [(person, f"{role(person)} ({person.name})" if role(person) else person.name) for person in world.people]
    yield (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{escape(title)}</title><link rel='stylesheet' href='page.css'>"
        "<link rel='stylesheet' href='transcript.css'></head><body class='transcript'>"
        f"<h1>{escape(title)}</h1><nav><a href='#channel'>#{escape(world.channel.name or '')}</a>"
    )
    for person, name in named:
        yield f"<a href='#p{person.number}'>{escape(name)}</a>"
    yield f"</nav><h2 id='channel'>#{escape(world.channel.name or '')}: what everybody saw</h2>"
    public = [m for m in world.sight(world.people[0]).messages(world.channel.id) if not m["ephemeral"]]
    yield from _log(public, world.sight(world.people[0]), directory)
    for person, name in named:
        sight = world.sight(person)
        yield f"<h2 id='p{person.number}'>{escape(name)}: direct messages and private answers</h2>"
        yield from _log(_private(sight), sight, directory)
    yield "</body></html>\n"


def _private(sight: Eyes) -> list[Payload]:
    """The messages that nobody else saw, oldest first."""
    found = []
    for channel in sight.channels():
        messages = sight.messages(int(channel["id"]))
        found += messages if channel["kind"] == "dm" else [m for m in messages if m["ephemeral"]]
    return sorted(found, key=lambda message: int(message["id"]))


def _log(messages: Iterable[Payload], sight: Eyes, directory: Path) -> Iterator[str]:
    yield "<ol class='log'>"
    for message in messages:
        yield from _message(message, sight, directory)
    yield "</ol>"


def _message(message: Payload, sight: Eyes, directory: Path) -> Iterator[str]:
    """A message as it looked when it was written."""
    posted = datetime.fromisoformat(message["at"])
    yield from (as_of(html, posted) for html in _parts_of(message, sight, directory))


def _parts_of(message: Payload, sight: Eyes, directory: Path) -> Iterator[str]:
    classes = " ".join(
        name for name in ("bot" if message["author"]["bot"] else "", "only" if message["ephemeral"] else "") if name
    )
    yield f"<li class='{classes}' id='m{message['id']}'>"
    if message["used"]:
        used = message["used"]
        yield f"<div class='used'>{escape(used['name'])} used <b>/{escape(used['command'])}</b></div>"
    moment = message["at"][:19].replace("T", " ")
    yield f"<div class='by'><strong>{escape(message['author']['name'])}</strong> <time>{moment}</time></div>"
    yield f"<div class='html'>{message['html']}</div>"
    for file in message["files"]:
        yield _file(file, sight, directory)
    for embed in message["embeds"]:
        yield from _embed(embed, sight, directory)
    for row in message["rows"]:
        yield _row(row)
    if message["ephemeral"]:
        yield "<div class='meta'>Only this player saw this.</div>"
    yield "</li>"


def _embed(embed: Payload, sight: Eyes, directory: Path) -> Iterator[str]:
    yield "<div class='embed'>"
    if embed["title"]:
        yield f"<div class='etitle html'>{embed['title']}</div>"
    yield f"<div class='html'>{embed['description']}</div>"
    for field in embed["fields"]:
        yield f"<div class='html'><b>{field['name']}</b><div>{field['value']}</div></div>"
    for key in ("thumbnail", "image"):
        if embed[key]:
            yield _file(embed[key], sight, directory)
    if embed["footer"]:
        yield f"<div class='efoot'>{escape(embed['footer'])}</div>"
    yield "</div>"


def _file(file: Payload, sight: Eyes, directory: Path) -> str:
    found = sight.file(int(file["id"]))
    if found is None:
        return ""
    _, _, data = found
    # The same map sent to many is stored once.
    stored = f"{sha256(data).hexdigest()[:20]}{Path(file['name']).suffix or '.bin'}"
    target = directory / PICTURES / stored
    if not target.exists():
        target.write_bytes(data)
    if not file["picture"]:
        return (
            f"<a class='file' href='{PICTURES}/{stored}' download='{escape(file['name'])}'>{escape(file['name'])}</a>"
        )
    alt = escape(file["alt"] or file["name"])
    return (
        f"<a class='picture' href='{PICTURES}/{stored}'><img loading='lazy' src='{PICTURES}/{stored}' alt='{alt}'></a>"
    )


def _row(part: Payload) -> str:
    if part["kind"] == "button":
        return f"<span class='press'>{escape(part['label'])}</span>"
    if part["kind"] == "select":
        return f"<span class='press'>{escape(part['placeholder'] or 'Choose')} ▾</span>"
    if part["kind"] == "text":
        return f"<div class='html'>{part['html']}</div>"
    return f"<div class='row'>{''.join(_row(child) for child in part['parts'])}</div>"
