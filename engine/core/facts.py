"""Facts about a game, as data: what it is called, how many can play it, what can be chosen when one is created, and
which slash commands it has of its own.

They are read without the game's rules: a bot in which nobody plays a game never loads its rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.core.ids import SystemId
from engine.core.phrases import Phrase


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """A choice for whoever creates a game.

    Args:
        name: as in `--option name=value` and a document's `options`.
        default: its type (bool, int, str) is the option's type.
        choices: the only values; empty: any of the type (an int between `least` and `most`).
        description: one line, as a phrase of the system's catalogue.
        even: the value that gives players of equal skill the most even chances, where the default doesn't.
    """

    name: str
    default: bool | int | str
    description: Phrase
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    even: bool | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorOption:
    """An option of a door's command: words, a whole number (if it has a least and a most), or one of a few choices.

    Args:
        is_completed: whether the game offers values as somebody types (`Door.completions`).
    """

    name: str
    is_required: bool = False
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()
    is_completed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorInfo:
    """The command of a door: a special way to give orders, whose workings are in the rules (`engine.core.doors.Door`);
    or that by which game masters choose something in secret (`engine.core.acts.SecretChoice`).

    Args:
        id: used in custom ids and phrases: lower case, and different from every other door's and button's.
        family: doors of a family share phrases, and below a page are the buttons of its family.
        command: the slash command, which no other game has: `bid`, or in a group `vault look`.
        options: if the first one is missing, the form opens or the guided flow begins, if there is one.
        form: part of the custom id of what is submitted; `None`: it has no form.
    """

    id: str
    family: str
    command: str
    options: tuple[DoorOption, ...] = ()
    form: str | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """Its names: its command, and the words of its custom ids."""
        return (self.command, self.id, *((self.form,) if self.form else ()))


@dataclass(frozen=True, slots=True)
class SheetFile:
    """How files with order sheets are named in a game that has names of its own for them, besides `….txt`.

    Args:
        pattern: a regular expression for the whole name, in upper or lower case.
        line: what such a name says, as a line of the sheet, with the pattern's named groups in braces.
    """

    pattern: str
    line: str

    def find_line(self, filename: str) -> str | None:
        """What the name of a file says; `None`: it is not the name of a sheet."""
        named = re.fullmatch(self.pattern, filename, re.IGNORECASE)
        return None if named is None else self.line.format_map(named.groupdict())


_CROWD = 14
"""More than this play only if somebody asks for it."""


@dataclass(frozen=True, slots=True)
class SystemInfo:
    """Facts about a system. The phrase `about.line` describes it in a line.

    Args:
        seats: the numbers of players it can be played by, ascending; for variants in `seats_of`, the numbers there.
        kinds: the kinds of its phases (`Status.kind`), in the order of a game; each may have a length of its own.
        has_secrets: whether a State contains what some players may not know (pending orders are always secret).
        has_dice: whether chance decides anything.
        has_sheets: whether a player's orders are one sheet of lines in a given order, so that a text sent later takes
            the place of the earlier one; else each order takes the place of what it excludes.
        has_public_board: whether everybody may see a board. Without one the channel gets the calendar, who is
            missing, and public events; players get their reports by direct message, with ledger and picture;
            anybody without a power sees no map.
        is_dealt: whether something secret is dealt from the seed at the start, and stays when the seed changes.
        is_anonymous: whether players are unknown to each other: nothing that anybody else reads says who plays, let
            alone which power.
        counts_by: the unit in which the game counts time, as in the document's `phase`.
        doors: the commands of its special ways to give orders, in the order of `GameSystem.doors`.
        secret_choice: the command of `GameSystem.secret_choice`, in the group `/gm`.
        takes_scenarios: whether a game can start from somebody's own scenario (`GameSystem.scenarios`).
        sheet_file: how files with order sheets are named, if not just `….txt`.
    """

    id: SystemId
    name: str
    seats: tuple[int, ...]
    kinds: tuple[str, ...]
    variants: tuple[str, ...]
    options: tuple[OptionInfo, ...]
    has_secrets: bool
    has_dice: bool
    has_sheets: bool = False
    is_dealt: bool = False
    is_anonymous: bool = False
    has_public_board: bool = True
    counts_by: str = "year"
    seats_of: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    doors: tuple[DoorInfo, ...] = ()
    secret_choice: DoorInfo | None = None
    takes_scenarios: bool = False
    sheet_file: SheetFile | None = None

    @property
    def all_seats(self) -> tuple[int, ...]:
        """The numbers of players that any of its variants can be played by, ascending."""
        return tuple(sorted({*self.seats, *(number for numbers in self.seats_of.values() for number in numbers)}))

    def seats_in(self, variant: str) -> tuple[int, ...]:
        """The numbers of players that a variant can be played by, ascending."""
        return self.seats_of.get(variant.lower(), self.seats)

    def usual_players(self, variant: str) -> int:
        """How many play a variant unless somebody says otherwise: as many as can, but not a crowd."""
        numbers = self.seats_in(variant)
        return max((number for number in numbers if number <= _CROWD), default=numbers[0])
