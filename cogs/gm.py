"""`/gm`: what game masters do to the clock, the seats and the past. The services check who may, and announce it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import SealedOrdersClient
from bot.model import Game, GameStatus, UserId
from bot.services import channel, gm, rollback, secret_choice
from bot.services.errors import Refused
from bot.services.table import require_master
from bot.text.catalogue import Words
from bot.text.gm import (
    check_messages,
    choice_message,
    edited_message,
    master_message,
    new_dice_message,
    replaced_message,
)
from cogs._commands import command
from cogs._declared import declared_command
from cogs._reply import Interaction, answer, defer, defer_change, posted_before, user_of
from cogs._sheets import hear_players, require_present
from cogs._transformers import (
    call_as_master,
    call_for_master,
    complete_game,
    complete_phase,
    complete_power,
    completed,
    described,
    find_game,
    is_manager,
    missing_permissions,
    named_game,
    phase_meant,
)
from cogs.lobby import LEVELS, level_of, start
from engine.core.facts import DoorInfo, DoorOption
from engine.core.orders import Choice
from engine.core.phrases import phrase
from engine.core.variant import load_phrases
from engine.registry import systems

_complete_game = complete_game("any")


# Discord could hide the group from those without Manage Server, but then it would be hidden from the creators of
# games too, who are game masters without being managers. Each command is checked when it is used.
@app_commands.guild_install()
class GameMaster(commands.GroupCog, group_name="gm", group_description=described("gm")):
    """For the masters of a game and the managers of its server."""

    def __init__(self) -> None:
        assert self.app_command is not None, "it is a group"
        for info in systems.infos.values():
            if info.secret_choice is not None:
                words = Words(load_phrases(info.id))
                self.app_command.add_command(
                    declared_command(info.secret_choice, words, _choose, _choices, purpose="any")
                )

    @app_commands.choices(computer=LEVELS)
    @command(
        "gm_start",
        texts={"computer": "start_computer", "sure": "sure_to_start"},
        complete={"game": complete_game("lobby")},
    )
    async def start(
        self, interaction: Interaction, game: str | None = None, computer: str | None = None, sure: bool = False
    ) -> None:
        """Begin a game, even with fewer players than planned."""
        await defer(interaction)
        await start(interaction, game, level_of(computer), sure=sure)

    @command("gm_extend", complete={"game": _complete_game})
    async def extend(self, interaction: Interaction, by: str, game: str | None = None) -> None:
        """Give the phase more time."""
        await self._change(interaction, game, gm.extend, "extended", by=by)

    @command("gm_set_deadline", name="set-deadline", complete={"game": _complete_game})
    async def set_deadline(self, interaction: Interaction, at: str, game: str | None = None) -> None:
        """Set when the phase closes."""
        await self._change(interaction, game, gm.set_deadline, "deadline_set", at=at)

    @command("gm_pause", complete={"game": _complete_game})
    async def pause(self, interaction: Interaction, game: str | None = None) -> None:
        """Stop the clock."""
        await self._change(interaction, game, gm.pause, "paused")

    @command("gm_resume", complete={"game": _complete_game})
    async def resume(self, interaction: Interaction, game: str | None = None) -> None:
        """Let the clock run again."""
        found = await _begin_to_close(interaction, game)
        await self._tell(interaction, await call_for_master(interaction, found, gm.resume), "resumed")

    @command("gm_adjudicate", complete={"game": _complete_game})
    async def adjudicate(self, interaction: Interaction, game: str | None = None) -> None:
        """Close the phase now."""
        found = await _begin_to_close(interaction, game)
        require_present(interaction, found)
        changed = await call_for_master(interaction, found, gm.adjudicate_now, phase_no=found.phase_no)
        await self._tell(interaction, changed, "adjudicated")

    @command(
        "gm_rollback", texts={"phase": "rollback_phase"}, complete={"game": _complete_game, "phase": complete_phase}
    )
    async def rollback(
        self,
        interaction: Interaction,
        phase: str = "last",
        keep_orders: bool = True,
        new_dice: bool = False,
        game: str | None = None,
    ) -> None:
        """Go back to before a phase."""
        meant = await _begin_to_close(interaction, game)
        require_present(interaction, meant)
        phase = await phase_meant(interaction, meant, phase)
        # What new dice come from is posted first: the number that Discord gives to this message is part of their seed.
        dice = await call_for_master(
            interaction, meant, rollback.prepare, phase=phase, new_dice=new_dice, phase_no=meant.phase_no
        )
        options: dict[str, Any] = {
            "phase": phase,
            "keep_orders": keep_orders,
            "new_dice": new_dice,
            "phase_no": meant.phase_no,
        }
        if dice is None:
            changed = await call_for_master(interaction, meant, rollback.roll_back, **options)
            await self._tell(interaction, changed, "rolled_back")
            return
        undone = new_dice_message(dice, is_undone=True)
        async with posted_before(interaction, meant.channel_id, new_dice_message(dice), unless_done=undone) as number:
            changed = await call_for_master(interaction, meant, rollback.roll_back, message_id=number, **options)
        await self._tell(interaction, changed, "rolled_back")

    @app_commands.choices(computer=LEVELS)
    @command(
        "gm_replace",
        texts={"power": "replaced", "computer": "replace_computer"},
        complete={"game": _complete_game, "power": complete_power},
    )
    async def replace(
        self,
        interaction: Interaction,
        power: str,
        player: discord.User | None = None,
        game: str | None = None,
        computer: str | None = None,
    ) -> None:
        """Give a power to another player or to the computer, or open its seat."""
        found = await _begin_to_close(interaction, game)
        if player is not None and player.bot:
            raise Refused(phrase("failure.bot_player"))
        new_user_id = UserId(player.id) if player is not None else None
        seat = await call_for_master(
            interaction, found, gm.replace_player, power=power, new_user_id=new_user_id, computer=level_of(computer)
        )
        await answer(interaction, (replaced_message(found, seat),))

    @command("gm_set", name="set", complete={"game": _complete_game})
    async def set_(self, interaction: Interaction, change: str, game: str | None = None) -> None:
        """Change the position, in games that take such changes."""
        await defer(interaction)
        _, edited = await call_as_master(interaction, game, gm.edit, text=change)
        await answer(interaction, (edited_message(edited),))

    @set_.autocomplete("change")
    async def _complete_change(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await completed(interaction, lambda: _forms(interaction, typed))

    @command("gm_check", complete={"game": _complete_game})
    async def check(self, interaction: Interaction, game: str | None = None) -> None:
        """Whether results can be posted and messages arrive."""
        await defer(interaction)
        found, checked = await call_as_master(interaction, game, channel.check)
        is_here = interaction.channel_id == found.channel_id
        missing = missing_permissions(interaction) if is_here else ()
        await answer(interaction, check_messages(checked, missing, is_here=is_here))

    async def _change(
        self, interaction: Interaction, game: str | None, service: Callable[..., Game], code: str, **args: Any
    ) -> None:
        await defer(interaction)
        _, changed = await call_as_master(interaction, game, service, **args)
        await self._tell(interaction, changed, code)

    async def _tell(self, interaction: Interaction, changed: Game, code: str) -> None:
        client, is_seen = interaction.client, None
        if code == "rolled_back":
            is_seen = await client.call(rollback.has_dice_seen, client.context, changed.id)
        if code in ("extended", "resumed", "rolled_back") and changed.status is not GameStatus.RUNNING:
            code = f"{code}_no_deadline"
        await answer(interaction, (master_message(code, changed, has_dice_seen=is_seen),))


async def _begin_to_close(interaction: Interaction, game: str | None) -> Game:
    """Defer what may close a phase or undo it; the game, when what its players had sent before has been taken.

    Raises:
        Refused: no game is meant, or the person is none of its masters: nothing is read on behalf of others.
    """
    await defer_change(interaction)
    found = await find_game(interaction, game, "any")
    require_master(found, user_of(interaction), is_manager=is_manager(interaction, found))
    await hear_players(interaction, found.id)
    return found


async def _choose(interaction: Interaction, info: DoorInfo, game: str | None, given: dict[str, str]) -> None:
    """Choose in secret what the rules leave to a game master, or see what is left."""
    await defer(interaction)
    _, seen = await call_as_master(interaction, game, secret_choice.choose, command=info, given=given)
    await answer(interaction, (choice_message(seen),))


def _choices(interaction: Interaction, info: DoorInfo, option: DoorOption, typed: str) -> Sequence[Choice]:
    game_id, context = named_game(interaction, "any").id, interaction.client.context
    return secret_choice.complete(context, game_id, user_of(interaction), option.name, typed)


def _forms(interaction: Interaction, typed: str) -> Sequence[tuple[str, str]]:
    """How changes are written that begin as what was typed does; what was typed itself comes first."""
    game_id = named_game(interaction, "any").id
    forms = gm.edit_forms(interaction.client.context, game_id, user_of(interaction))
    fitting = [form for form in forms if form.casefold().startswith(typed.split(" ")[0].casefold())]
    return [(form, form) for form in dict.fromkeys([*filter(None, [typed.strip()]), *fitting])]


async def setup(client: SealedOrdersClient) -> None:
    """Add the cog."""
    await client.add_cog(GameMaster())
