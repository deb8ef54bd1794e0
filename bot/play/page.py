"""The page that a person plays on: a small web server on the loopback, and what it answers. Each request names a
person, and gets what that person sees.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
import socket
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from aiohttp import web

from bot.play.eyes import PICTURES, Payload
from bot.play.world import Answer, Person, PlayError, SimulatedServer
from engine.core.words import number_of

STATIC = Path(__file__).parent / "static"
FIRST_PORT = 8765
LAST_PORT = 65535
PORTS_TRIED = 40
HOST = "127.0.0.1"
MESSAGES_SHOWN = 150
LISTEN_EVERY_S = 0.1
PULSE_EVERY_S = 15.0
LARGEST_REQUEST = 40 * 1024 * 1024
_MOST_ID = 2**63 - 1

SECURITY = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
FILES = {
    "/": ("page.html", "text/html"),
    "/page.css": ("page.css", "text/css"),
    "/page.js": ("page.js", "text/javascript"),
}


class Guide(Protocol):
    """What the page shows about people next to their messages."""

    async def refresh(self) -> object:
        """Read the game again; the answers below are as of then."""

    def role(self, person: Person) -> str:
        """The side that a person plays, or nothing."""

    def is_robot(self, person: Person) -> bool:
        """Whether the computer plays this person."""

    def strip(self, person: Person) -> Payload:
        """What to do now: `{"who", "phase", "todo", "open", "next"}`; phase and todo are HTML."""


class PageServer:
    """The server of one world."""

    def __init__(self, world: SimulatedServer, guide: Guide) -> None:
        self._world = world
        self._guide = guide
        self._runner: web.AppRunner | None = None
        self._closing = asyncio.Event()
        self.port = 0

    @property
    def address(self) -> str:
        """The address to open in a browser."""
        return f"http://{HOST}:{self.port}/"

    async def start(self, first_port: int = FIRST_PORT) -> None:
        """Listen on the first free port from this one on.

        Raises:
            OSError: all of them are taken.
        """
        app = web.Application(middlewares=[self._guard], client_max_size=LARGEST_REQUEST)
        for path in FILES:
            app.router.add_get(path, _static)
        app.router.add_get("/api/state", self._state)
        app.router.add_get("/api/messages", self._messages)
        app.router.add_get("/api/commands", self._commands)
        app.router.add_get("/api/events", self._events)
        app.router.add_get("/file/{person}/{attachment}", self._file)
        for name in ("say", "slash", "complete", "click", "select", "modal"):
            app.router.add_post(f"/api/{name}", self._action(getattr(self, f"_{name}")))
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        listening = _listen(first_port)
        self.port = listening.getsockname()[1]
        await web.SockSite(self._runner, listening).start()

    async def close(self) -> None:
        """Stop listening."""
        self._closing.set()
        if self._runner is not None:
            await self._runner.cleanup()

    # Which requests are allowed

    @web.middleware
    async def _guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Only this page may send requests: no other site in the same browser, and no other name for this machine."""
        hosts = {f"{name}:{self.port}" for name in ("127.0.0.1", "localhost", "[::1]")}
        origin = request.headers.get("Origin")
        if request.headers.get("Host") not in hosts:
            raise web.HTTPForbidden(text="This page is only for the machine it runs on.")
        if origin is not None and origin not in {f"http://{host}" for host in hosts}:
            raise web.HTTPForbidden(text="Another site may not play here.")
        if request.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            raise web.HTTPForbidden(text="Another site may not play here.")
        response = await handler(request)
        if not response.prepared:
            response.headers.update(SECURITY)
        return response

    def _person(self, number: str | None) -> Person:
        person = self._world.find_person(number or "1")
        if person is None:
            raise web.HTTPNotFound(text="There is nobody of this name.")
        return person

    # What is seen

    async def _state(self, request: web.Request) -> web.Response:
        person = self._person(request.query.get("as"))
        await self._guide.refresh()
        return web.json_response(
            {
                "change": self._world.env.change,
                "server": self._world.guild.name,
                "you": str(person.number),
                "people": [self._profile(someone) for someone in self._world.people],
                "channels": self._world.sight(person).channels(),
                "guide": self._guide.strip(person),
            }
        )

    def _profile(self, person: Person) -> Payload:
        """A person at the table; of their direct messages only the number."""
        channels = self._world.sight(person).channels()
        return {
            "number": str(person.number),
            "id": str(person.id),
            "name": person.name,
            "role": self._guide.role(person),
            "robot": self._guide.is_robot(person),
            "letters": {entry["id"]: entry["count"] for entry in channels if entry["kind"] == "dm"},
        }

    async def _messages(self, request: web.Request) -> web.Response:
        person = self._person(request.query.get("as"))
        channel_id = _number(request.query.get("channel"))
        return web.json_response(self._world.sight(person).messages(channel_id, last=MESSAGES_SHOWN))

    async def _commands(self, request: web.Request) -> web.Response:
        person = self._person(request.query.get("as"))
        return web.json_response(self._world.sight(person).commands(_number(request.query.get("channel"))))

    async def _file(self, request: web.Request) -> web.Response:
        person = self._person(request.match_info["person"])
        found = self._world.sight(person).file(_number(request.match_info["attachment"]))
        if found is None:
            raise web.HTTPNotFound(text="There is no such file for you.")
        name, kind, data = found
        if kind in PICTURES:
            return web.Response(body=data, content_type=kind)
        response = web.Response(body=data, content_type="application/octet-stream")
        response.headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{_header_name(name)}"
        return response

    async def _events(self, request: web.Request) -> web.StreamResponse:
        """Server-sent events: a line whenever something has changed; the page then asks for it."""
        response = web.StreamResponse(headers={**SECURITY, "Content-Type": "text/event-stream"})
        await response.prepare(request)
        change, silent_s = -1, 0.0
        with suppress(ConnectionError):
            while not self._closing.is_set():
                if self._world.env.change != change:
                    change, silent_s = self._world.env.change, 0.0
                    await response.write(f"data: {change}\n\n".encode())
                elif silent_s > PULSE_EVERY_S:
                    silent_s = 0.0
                    await response.write(b": still here\n\n")
                await asyncio.sleep(LISTEN_EVERY_S)
                silent_s += LISTEN_EVERY_S
        return response

    # What is done

    def _action(
        self, act: Callable[[Person, Mapping[str, Any]], Awaitable[Payload]]
    ) -> Callable[[web.Request], Awaitable[web.Response]]:
        async def handle(request: web.Request) -> web.Response:
            if request.content_type != "application/json":
                raise web.HTTPUnsupportedMediaType(text="Send JSON.")
            try:
                body = await request.json()
                person = self._person(str(body["as"]))
                return web.json_response(await act(person, body))
            except PlayError as error:
                return web.json_response({"error": str(error)})
            except (json.JSONDecodeError, KeyError, TypeError, ValueError, AttributeError):
                raise web.HTTPBadRequest(text="This is not a request of the page.") from None

        return handle

    async def _say(self, person: Person, body: Mapping[str, Any]) -> Payload:
        files = [_upload(file) for file in body.get("files") or ()]
        message_id = await self._world.say(person, _number(body["channel"]), str(body["text"]), files)
        return {"message": str(message_id)}

    async def _slash(self, person: Person, body: Mapping[str, Any]) -> Payload:
        options = {
            str(name): _upload(value) if isinstance(value, dict) else value for name, value in body["options"].items()
        }
        return _outcome(await self._world.slash(person, _number(body["channel"]), str(body["command"]), options))

    async def _complete(self, person: Person, body: Mapping[str, Any]) -> Payload:
        choices = await self._world.complete(
            person,
            _number(body["channel"]),
            str(body["command"]),
            str(body["option"]),
            str(body["typed"]),
            dict(body["filled"]),
        )
        return {"choices": choices}

    async def _click(self, person: Person, body: Mapping[str, Any]) -> Payload:
        return _outcome(await self._world.click(person, _number(body["message"]), str(body["custom_id"])))

    async def _select(self, person: Person, body: Mapping[str, Any]) -> Payload:
        values = [str(value) for value in body["values"]]
        return _outcome(await self._world.select(person, _number(body["message"]), str(body["custom_id"]), values))

    async def _modal(self, person: Person, body: Mapping[str, Any]) -> Payload:
        return _outcome(await self._world.submit(person, _number(body["modal"]), dict(body["values"])))


def _outcome(answer: Answer) -> Payload:
    if answer.is_failed:
        return {"error": "The bot did not answer. What it writes to its log says why."}
    return {"modal": answer.modal, "messages": [str(message_id) for message_id in answer.message_ids]}


async def _static(request: web.Request) -> web.Response:
    name, kind = FILES[request.path]
    text = await asyncio.to_thread((STATIC / name).read_text, encoding="utf-8")
    return web.Response(text=text, content_type=kind, charset="utf-8")


def _listen(first_port: int) -> socket.socket:
    for port in range(first_port, first_port + PORTS_TRIED):
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((HOST, port))
            listening.listen()
        except OSError:
            listening.close()
            continue
        return listening
    raise OSError(f"the ports {first_port} to {first_port + PORTS_TRIED - 1} are all taken")


def _number(text: Any) -> int:
    """An id; 0, which nothing has, if it isn't one."""
    return number_of(str(text), most=_MOST_ID) or 0


def _upload(file: Mapping[str, Any]) -> tuple[str, bytes]:
    try:
        return str(file["name"]), base64.b64decode(file["data"], validate=True)
    except binascii.Error:
        raise PlayError("That file did not arrive whole.") from None


def _header_name(name: str) -> str:
    return "".join(letter if (letter.isalnum() and letter.isascii()) or letter in "._-" else "_" for letter in name)
