"""The page in a real browser: what a newcomer does in the first minutes, by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.play.page import PageServer
from bot.play.world import SimulatedServer
from tests.bot.play.browser import Browser, find_chromium, open_browser

CHROMIUM = find_chromium()
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here to look at the page with")


@pytest.fixture
async def browser(page: PageServer) -> AsyncIterator[Browser]:
    assert CHROMIUM is not None
    async with open_browser(CHROMIUM) as browser:
        await browser.open(page.address)
        await browser.wait("document.querySelectorAll('#people button').length === 3")
        yield browser
        assert browser.complaints == []


def shows(text: str, where: str = "#log") -> str:
    return f"document.querySelector({where!r}).innerText.includes({text!r})"


def button(text: str) -> str:
    return f"[...document.querySelectorAll('button')].filter(b => b.innerText.includes({text!r})).pop()"


async def test_orders_by_direct_message_and_the_button_under_the_answer(browser: Browser) -> None:
    await browser.click(button("Open direct messages"))
    await browser.wait(shows("direct messages", "#title"))
    await browser.click("document.getElementById('input')")
    await browser.type("A PAR - BUR")
    await browser.press("Enter")
    await browser.wait(shows("Read: A PAR - BUR"))
    await browser.wait(
        "[...document.querySelectorAll('#log img')].some(i => i.naturalWidth === 600 && i.alt === 'A blue map')"
    )
    await browser.click(button("I'm ready"))
    await browser.wait(shows("Ready: Ada."))
    await browser.wait(shows("Only you can see this"))


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    file = tmp_path / "sheet.txt"
    file.write_text("A PAR - PIC", encoding="utf-8")
    return file


async def test_a_file_with_a_message(browser: Browser, sheet: Path) -> None:
    await browser.click(button("Open direct messages"))
    await browser.attach("#attach", sheet)
    await browser.wait(shows("Attached: sheet.txt", "#files"))
    await browser.click(button("Remove"))
    await browser.wait("document.getElementById('files').hidden")
    await browser.attach("#attach", sheet)
    await browser.wait(shows("Attached: sheet.txt", "#files"))
    await browser.click(button("Send"))
    await browser.wait(shows("and sheet.txt: A PAR - PIC"))
    await browser.wait("document.getElementById('files').hidden")


async def test_a_file_that_is_dropped_or_pasted(browser: Browser) -> None:
    await browser.click(button("Open direct messages"))
    given = "(() => { const d = new DataTransfer(); d.items.add(new File(['A MAR H'], 'dropped.txt')); return d; })()"
    for target, event in (
        ("log", f"new DragEvent('drop', {{dataTransfer: {given}, bubbles: true, cancelable: true}})"),
        ("input", f"new ClipboardEvent('paste', {{clipboardData: {given}, bubbles: true, cancelable: true}})"),
    ):
        await browser.run(f"document.getElementById('{target}').dispatchEvent({event})")
        await browser.wait(shows("Attached: dropped.txt", "#files"))
        await browser.click(button("Remove"))
        await browser.wait("document.getElementById('files').hidden")


async def test_a_file_as_the_option_of_a_command(browser: Browser, sheet: Path) -> None:
    await browser.click("document.getElementById('input')")
    await browser.type("/orders enter")
    await browser.press("Enter")
    await browser.wait("!!document.getElementById('option-file')")
    await browser.attach("#option-file", sheet)
    await browser.click(button("Run"))
    await browser.wait(shows("Orders of Ada: A PAR - PIC"))


async def test_a_file_can_not_be_typed(browser: Browser) -> None:
    await browser.click("document.getElementById('input')")
    await browser.type("/orders enter file:sheet.txt")
    await browser.press("Enter")
    await browser.wait(shows("file is a file", "#notice"))


async def test_a_command_by_keyboard_with_completion(browser: Browser) -> None:
    await browser.click("document.getElementById('input')")
    await browser.type("/ord")
    await browser.wait(shows("/orders enter", "#palette"))
    await browser.press("Enter")
    await browser.wait("document.activeElement.id === 'option-text'")
    await browser.type("gas")
    await browser.wait(shows("A PAR - GAS", "#option-text-offers"))
    await browser.press("Enter")
    await browser.wait("document.getElementById('option-text').value === 'A PAR - GAS'")
    await browser.press("Enter")
    await browser.wait(shows("Orders of Ada: A PAR - GAS"))


async def test_a_form_shows_what_stands_and_sends_what_is_typed(browser: Browser) -> None:
    await browser.click("document.getElementById('input')")
    await browser.type("/orders enter")
    await browser.press("Enter")
    await browser.wait("document.activeElement.id === 'option-text'")
    await browser.click(button("Run"))
    await browser.wait("document.getElementById('modal').open")
    assert await browser.run("document.querySelector('#modal textarea').value") == "A PAR H"
    await browser.type("\nA MAR H")
    await browser.press("Enter", modifiers=2)
    await browser.wait(shows("Noted A PAR H\nA MAR H."))
    assert not await browser.run("document.getElementById('modal').open")


async def test_another_player_sees_their_own_things_only(browser: Browser, world: SimulatedServer) -> None:
    ada = world.people[0]
    await world.slash(ada, world.channel.id, "orders enter", {"text": "A PAR - PIC"})
    await browser.wait(shows("A PAR - PIC"))
    await browser.click(button("Bruno"))
    await browser.wait(shows("You are Bruno and play England.", "#guide"))
    assert await browser.run("document.querySelector('#people [aria-current=true]').innerText.includes('Bruno')")
    await browser.wait("!" + shows("A PAR - PIC"))
    await world.say(ada, world.channel.id, "Peace?")
    await browser.wait(shows("Peace?"))


async def test_a_button_that_is_held_down_while_something_happens_is_pressed(
    browser: Browser, world: SimulatedServer
) -> None:
    across, down = await browser.middle(button("Bruno"))
    press = {"x": across, "y": down, "button": "left", "clickCount": 1}
    await browser.call("Input.dispatchMouseEvent", type="mousePressed", **press)
    await world.say(world.people[0], world.channel.id, "Peace?")
    await browser.wait(f"{shows('Peace?')} && !refreshing")
    await browser.call("Input.dispatchMouseEvent", type="mouseReleased", **press)
    await browser.wait(shows("You are Bruno and play England.", "#guide"))


async def test_a_picture_can_be_looked_at_closely(browser: Browser, world: SimulatedServer) -> None:
    ada = world.people[0]
    await world.say(ada, ada.dm_channel_id, "A PAR H")
    await browser.wait("document.querySelector('#channels .badge') !== null")
    await browser.click(button("Open direct messages"))
    await browser.click("document.querySelector('#log .picture')")
    await browser.wait("document.getElementById('zoom').open")
    await browser.press("Escape")
    await browser.wait("!document.getElementById('zoom').open")


async def test_it_works_on_a_phone(browser: Browser) -> None:
    await browser.resize(390, 800)
    await browser.click("document.getElementById('menu')")
    await browser.click(button("Chiara"))
    await browser.wait(shows("You are Chiara and play France.", "#guide"))
    await browser.click("document.getElementById('menu')")
    await browser.click(button("your direct messages"))
    await browser.wait("!document.body.classList.contains('open')")
    await browser.click("document.getElementById('input')")
    await browser.type("A PAR - BUR")
    await browser.press("Enter")
    await browser.wait(shows("Read: A PAR - BUR"))
    in_sight = "document.querySelector('#log > li:last-child').getBoundingClientRect().bottom <= innerHeight"
    await browser.wait(in_sight)
    moment = "<time>Wednesday, 23 September 2026 at 19:34</time>"
    await browser.run(
        "document.querySelector('#log > li:last-child .html').insertAdjacentHTML("
        f"'beforeend', '<p>Orders lock {moment}, on {moment}.</p>')"
    )
    assert await browser.run(
        "[...document.querySelectorAll('#log time')].every(chip => chip.getBoundingClientRect().right <= innerWidth)"
    )
    assert await browser.run("document.documentElement.scrollWidth <= innerWidth")
