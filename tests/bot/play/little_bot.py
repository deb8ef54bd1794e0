"""A bot of a page or two with everything that the simulated Discord has to show, for the tests of the page."""

from __future__ import annotations

import asyncio
import io
import time

import discord
from discord import app_commands
from discord.ext import commands
from PIL import Image

from bot.play.live import LiveClock
from bot.play.world import Person


def picture() -> discord.File:
    data = io.BytesIO()
    Image.new("RGB", (600, 400), "#88aacc").save(data, "PNG")
    data.seek(0)
    return discord.File(data, "map.png", description="A blue map")


class ReadyButton(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"ready:(?P<phase>\d+)"):
    """Outlives a restart."""

    def __init__(self, phase: int) -> None:
        style = discord.ButtonStyle.success
        super().__init__(discord.ui.Button(label="I'm ready", style=style, custom_id=f"ready:{phase}"))

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction, item: object, match: object) -> ReadyButton:
        return cls(1)

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"Ready: {interaction.user.display_name}.", ephemeral=True)


class OrdersForm(discord.ui.Modal, title="Your orders"):
    text: discord.ui.Label[discord.ui.Modal] = discord.ui.Label(
        text="Orders",
        component=discord.ui.TextInput(
            style=discord.TextStyle.paragraph, default="A PAR H", custom_id="orders", max_length=4000
        ),
    )

    def __init__(self) -> None:
        super().__init__(custom_id="sheet")

    async def on_submit(self, interaction: discord.Interaction) -> None:
        assert isinstance(self.text.component, discord.ui.TextInput)
        await interaction.response.defer(ephemeral=True, thinking=True)
        await asyncio.sleep(0.05)
        await interaction.followup.send(f"Noted `{self.text.component.value}`.", file=picture(), ephemeral=True)


async def answer_in_many_steps(message: discord.Message) -> None:
    """Each step holds up the event loop, as all of them do on a busy machine, and the last one starts another task."""
    for _ in range(3):
        await asyncio.sleep(0)
        time.sleep(0.15)  # noqa: ASYNC251 - that is the point
        await asyncio.to_thread(time.sleep, 0.02)
        await asyncio.sleep(0.05)
    asyncio.get_running_loop().call_later(0.05, lambda: asyncio.create_task(message.channel.send("There you are.")))


async def answer_tomorrow(message: discord.Message) -> None:
    await asyncio.sleep(86400)


async def run_in_circles(message: discord.Message) -> None:
    while True:  # noqa: ASYNC110 - it waits for nothing
        await asyncio.sleep(0)


PLODDERS = {"step by step": answer_in_many_steps, "tomorrow": answer_tomorrow, "circles": run_in_circles}


class LittleBot(commands.Bot):
    def __init__(self, clock: LiveClock) -> None:
        self.clock = clock
        intents = discord.Intents.none()
        intents.guilds = intents.dm_messages = True
        super().__init__(commands.when_mentioned, intents=intents, allowed_mentions=discord.AllowedMentions.none())

    async def setup_hook(self) -> None:
        self.add_dynamic_items(ReadyButton)
        self.tree.add_command(orders)
        self.tree.add_command(menu)
        self.tree.add_command(late)
        self.tree.add_command(long)
        self.tree.add_command(silent)
        await self.tree.sync()

    async def on_message(self, message: discord.Message, /) -> None:
        if message.content in PLODDERS and not message.author.bot:
            await PLODDERS[message.content](message)
        elif message.guild is None and not message.author.bot:
            view = discord.ui.View(timeout=None)
            view.add_item(ReadyButton(1))
            files = [f" and {file.filename}: {(await file.read()).decode()}" for file in message.attachments]
            await message.channel.send(f"Read: **{message.content}**{''.join(files)}", file=picture(), view=view)


orders = app_commands.Group(name="orders", description="Orders")


@orders.command(name="enter", description="Enter orders")
@app_commands.describe(text="Orders, separated by ;", draft="Only try them", file="Orders in a file")
async def enter(
    interaction: discord.Interaction,
    text: str | None = None,
    draft: bool = False,
    file: discord.Attachment | None = None,
) -> None:
    if file is not None:
        text = (await file.read()).decode()
    if text is None:
        await interaction.response.send_modal(OrdersForm())
        return
    await interaction.response.send_message(f"Orders of {interaction.user.display_name}: `{text}`", ephemeral=True)


@enter.autocomplete("text")
async def complete_text(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
    offers = [f"A PAR - {place}" for place in ("BUR", "GAS", "PIC")]
    return [app_commands.Choice(name=offer, value=offer) for offer in offers if typed.upper() in offer]


@app_commands.command(name="menu", description="Choose a unit")
@app_commands.describe(count="How many")
async def menu(interaction: discord.Interaction, count: app_commands.Range[int, 1, 3]) -> None:
    view = discord.ui.View(timeout=None)
    select: discord.ui.Select[discord.ui.View] = discord.ui.Select(
        placeholder="Which unit?",
        custom_id="unit",
        options=[discord.SelectOption(label=f"A {place}", value=place) for place in ("PAR", "MAR")],
    )

    async def chosen(pressed: discord.Interaction) -> None:
        await pressed.response.edit_message(content=f"Chosen: {select.values[0]}.", view=None)

    select.callback = chosen  # type: ignore[method-assign,assignment]
    view.add_item(select)
    await interaction.response.send_message(f"{count} wanted.", view=view)


@app_commands.command(name="late", description="Answers after ten seconds")
async def late(interaction: discord.Interaction) -> None:
    assert isinstance(interaction.client, LittleBot)
    interaction.client.clock.skip(10)
    await interaction.response.send_message("Here I am.", ephemeral=True)


@app_commands.command(name="long", description="Answers in two parts")
async def long(interaction: discord.Interaction) -> None:
    await interaction.response.send_message("One.", ephemeral=True)
    await asyncio.sleep(0.05)
    await interaction.followup.send("Two.", ephemeral=True)


@app_commands.command(name="silent", description="Never answers")
async def silent(interaction: discord.Interaction) -> None:
    await asyncio.sleep(0)


class LittleApplication:
    """What the world builds and closes."""

    def __init__(self, clock: LiveClock) -> None:
        self.client = LittleBot(clock)

    async def sweep(self) -> None:
        """Nothing is ever due."""

    async def note_presence(self) -> None:
        """There is nothing that would be counted."""

    async def close(self) -> None:
        await self.client.close()


class LittleGuide:
    """What the page says of people."""

    async def refresh(self) -> None:
        """Nothing changes here."""

    def role(self, person: Person) -> str:
        return ("Austria", "England", "France")[person.number - 1]

    def is_robot(self, person: Person) -> bool:
        return person.number == 3

    def strip(self, person: Person) -> dict[str, object]:
        who = f"You are {person.name} and play {self.role(person)}."
        return {"who": who, "phase": "Spring 1901", "todo": "Write <code>orders</code>.", "open": "dm", "next": None}
