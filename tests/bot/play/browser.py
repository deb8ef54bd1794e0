"""A headless Chromium over its DevTools protocol, for the tests of the page; aiohttp alone drives it."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import itertools
import json
import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp

STARTS_WITHIN_S = 120.0
APPEARS_WITHIN_S = 60.0


def find_chromium() -> str | None:
    """The browser on this machine, if there is one."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Browser:
    """One tab."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self.complaints: list[str] = []

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        """A command of the protocol and its result; what the page complains of meanwhile is kept."""
        number = next(self._numbers)
        await self._socket.send_json({"id": number, "method": method, "params": params})
        while True:
            message = json.loads((await self._socket.receive()).data)
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                result: dict[str, Any] = message["result"]
                return result
            self._note(message)

    def _note(self, message: dict[str, Any]) -> None:
        params = message.get("params", {})
        if message.get("method") == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(params["exceptionDetails"])[:500])
        elif message.get("method") == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.complaints.append(params["entry"]["text"] + " " + params["entry"].get("url", ""))

    async def open(self, address: str, *, width_px: int = 1280, height_px: int = 860) -> None:
        for domain in ("Page", "Runtime", "Log"):
            await self.call(f"{domain}.enable")
        await self.resize(width_px, height_px)
        # What slides into view would be somewhere else by the time that it is clicked.
        await self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
        await self.call("Page.navigate", url=address)

    async def resize(self, width_px: int, height_px: int) -> None:
        """A window of this size; below 700 pixels a phone's."""
        await self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width_px,
            height=height_px,
            deviceScaleFactor=1,
            mobile=width_px < 700,
        )

    async def run(self, script: str) -> Any:
        """The value of an expression, awaited if it is a promise."""
        result = await self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"])[:500])
        return result["result"].get("value")

    async def wait(self, script: str, *, within_s: float = APPEARS_WITHIN_S) -> Any:
        """Wait until an expression is true.

        Raises:
            AssertionError: it stays false; with what the page shows.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + within_s
        while not (value := await self.run(script)):
            if loop.time() > deadline:
                shown = await self.run("document.body.innerText")
                raise AssertionError(f"{script} stayed false; complaints {self.complaints}; the page shows:\n{shown}")
            await asyncio.sleep(0.05)
        return value

    async def click(self, script: str) -> None:
        """Press the mouse in the middle of an element, as a person would: what covers it, gets the click."""
        await self.wait(f"!refreshing && !!({script})")
        before, box = None, await self.middle(script)
        while box != before:  # what is above it may be growing
            await asyncio.sleep(0.05)
            before, box = box, await self.middle(script)
        for kind in ("mousePressed", "mouseReleased"):
            await self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    async def middle(self, script: str) -> Any:
        """Where the middle of an element is on the page, in pixels from the left and from the top."""
        return await self.run(
            f"(() => {{ const e = {script}; e.scrollIntoView({{block: 'nearest'}});"
            " const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )

    async def type(self, text: str) -> None:
        """Type into whatever has the focus."""
        await self.call("Input.insertText", text=text)

    async def press(self, key: str, *, modifiers: int = 0) -> None:
        """Press a key by its name: Enter, Tab, Escape, ArrowDown. Modifiers: 2 for Control, 8 for Shift."""
        codes = {"Enter": 13, "Tab": 9, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38}
        typed = {"text": "\r"} if key == "Enter" else {}
        named = {"key": key, "code": key, "windowsVirtualKeyCode": codes[key], "modifiers": modifiers}
        await self.call("Input.dispatchKeyEvent", type="keyDown", **named, **typed)
        await self.call("Input.dispatchKeyEvent", type="keyUp", **named)

    async def attach(self, selector: str, file: Path) -> None:
        """Choose a file in a field for one."""
        document = await self.call("DOM.getDocument")
        found = await self.call("DOM.querySelector", nodeId=document["root"]["nodeId"], selector=selector)
        await self.call("DOM.setFileInputFiles", nodeId=found["nodeId"], files=[str(file)])

    async def screenshot(self, path: Path) -> None:
        """The window as a PNG."""
        shot = await self.call("Page.captureScreenshot", format="png")
        await asyncio.to_thread(path.write_bytes, base64.b64decode(shot["data"]))


@contextlib.asynccontextmanager
async def open_browser(program: str) -> AsyncIterator[Browser]:
    """A browser with an empty profile; gone at the end."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = await asyncio.create_subprocess_exec(
            program,
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--remote-debugging-port=0",
            f"--user-data-dir={profile}",
            "about:blank",
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            port = await _debugging_port(Path(profile) / "DevToolsActivePort")
            async with aiohttp.ClientSession() as session:
                async with session.get(f"http://127.0.0.1:{port}/json/list") as answer:
                    tabs = await answer.json()
                tab = next(entry for entry in tabs if entry["type"] == "page")
                async with session.ws_connect(tab["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                    yield Browser(socket)
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _debugging_port(file: Path) -> int:
    loop = asyncio.get_running_loop()
    deadline = loop.time() + STARTS_WITHIN_S
    while loop.time() < deadline:
        with contextlib.suppress(OSError, ValueError, IndexError):
            return int((await asyncio.to_thread(file.read_text)).splitlines()[0])
        await asyncio.sleep(0.05)
    raise TimeoutError("Chromium did not start")
