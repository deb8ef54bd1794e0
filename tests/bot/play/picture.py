"""Draws docs/images/playing.png anew: the page of `make play` with a receipt, as a browser shows it.

python -m tests.bot.play.picture
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from bot.play.command import read_plan, table
from bot.play.page import PageServer
from tests.bot.play.browser import find_chromium, open_browser

PICTURE = Path(__file__).resolve().parents[3] / "docs" / "images" / "playing.png"
ORDERS = ("A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO")
WIDTH_PX, HEIGHT_PX = 1280, 900


async def draw(program: str) -> None:
    """France writes to the bot in a browser, and the answer is in sight."""
    async with table(read_plan(["diplomacy", "--power", "france"])) as (world, watch):
        page = PageServer(world, watch)
        await page.start()
        try:
            async with open_browser(program) as browser:
                await browser.open(page.address, width_px=WIDTH_PX, height_px=HEIGHT_PX)
                await browser.wait("document.querySelectorAll('#people button').length === 7")
                opened = "[...document.querySelectorAll('button')].find(b => b.innerText.includes('direct messages'))"
                await browser.click(opened)
                await browser.click("document.getElementById('input')")
                for number, order in enumerate(ORDERS):
                    if number:
                        await browser.press("Enter", modifiers=8)
                    await browser.type(order)
                await browser.press("Enter")
                await browser.wait("document.getElementById('log').innerText.includes('Everything has an order.')")
                await browser.wait("[...document.querySelectorAll('#log img')].every(i => i.complete)")
                await asyncio.sleep(2)
                await browser.screenshot(PICTURE)
        finally:
            await page.close()


if __name__ == "__main__":
    found = find_chromium()
    if found is None:
        raise SystemExit("There is no Chromium here to look at the page with.")
    asyncio.run(draw(found))
