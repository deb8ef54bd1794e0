"""What can be wrong with a sheet of King of Kings, by the way of all orders: told line by line, at no other's cost."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from bot.model import GameId
from bot.services import orders
from bot.services.orders import LONGEST_TEXT
from bot.services.sheets import SubmitMode
from bot.text.compose import compose
from bot.text.order_receipt import receipt_message
from engine.core.ids import PowerId
from engine.core.variant import load_phrases
from engine.core.words import decoded
from engine.king_of_kings.system import KING_OF_KINGS
from tests.bot.services.refusals import refused_code
from tests.bot.services.shown import described
from tests.bot.services.world import ANN, BOB, CY, World

RULES = KING_OF_KINGS
GOOD = "DEF 0 0 C"

BAD: dict[str, tuple[str, dict[str, Any]]] = {
    "E01": ("MARCH 0 0 N", {}),
    "E02": ("BUILD 0", {}),
    "E03": ("BUILD 99 0", {}),
    "E04": ("BUILD 6 0", {}),
    "E05": ("DEF 1 0 U", {"max_orders": 1}),
    "E06": ("PLA 0 0 CA 1 0 CA 2 0 CA", {}),
    "E07": ("PLA 2 0 SH 2 1 SH 2 0 SH", {}),
    "E08": ("DONATE {other} 5", {}),
    "E09": ("ALL {other} 3", {}),
    "E10": ("ALL {other} 1\nALL {other} 0", {}),
    "E11": ("ALL Atlantis 1", {}),
    "E12": ("BUILD 7 0", {}),
    "E13": ("PLA 0 2 FO", {"loyalty": True}),
    "E14": ("PLA 0 0 FO 0 0 FO", {}),
    "E15": ("PLA 0 0 SH", {}),
    "E16": ("LAND 0 0 AT E\nLAND 1 0 AT W", {}),
    "E17": ("SEA 2 1 FO 3 SH 1 E", {}),
    "E18": ("SEA 2 0 SH 1 E", {}),
    "E19": ("SEA 4 1 FO 1 SH 1 N", {}),
    "E21": ("BUILD 2 1", {"build_metropolis_collapse": False}),
    "E22": ("BUILD 0 0", {"build": False}),
    "E23": ("PLA 0 0 GE", {}),
}
"""A line for each code of rules 4.2 that a player alone can cause, and the options under which it does."""


DOUBTFUL: dict[str, tuple[str, dict[str, Any]]] = {
    "W01": ("LAND 0 0 FO 9 E", {}),
    "W02": ("LAND 0 0 FO 1 E N", {}),
    "W03": ("PLA 0 1 GE\nPLA 0 0 GE\nLAND 0 0 AT S", {}),
    "W04": ("LAND 2 1 FO 2 SH 1 N", {}),
    "W06": ("LAND 1 0 FO 1 S S", {}),
    "W07": ("LAND 0 0 AT E", {}),
    "W08": ("", {}),
    "W09": ("BUILD 2 1", {}),
}
"""A line for each warning of rules 4.2 that a receipt can foresee."""


def power_of(world: World, game_id: GameId, user_id: int) -> PowerId:
    power = next(seat.power for seat in world.seats(game_id) if seat.user_id == user_id)
    assert power is not None
    return power


def set_up(world: World, game_id: GameId, options: dict[str, Any], **more: Any) -> tuple[str, str]:
    """Put the game into a small position in which everything can go wrong; Ann's nation and Bob's."""
    own, other, third = (power_of(world, game_id, user_id) for user_id in (ANN, BOB, CY))
    document = {
        "format": 1, "system": "king_of_kings", "seed": "s", "phase": {"turn": 1}, "options": options,
        "state": {
            "map": ["PPF~~~PP", "GTO~~~PP", "PPP~~~PP"],
            "nations": [{"name": own, "gold": 30, "wood": 20}, {"name": other}, {"name": third}],
            "provinces": [
                {"x": 0, "y": 0, "units": {own: {"F": 3}}}, {"x": 1, "y": 0, "units": {own: {"F": 1}}},
                {"x": 2, "y": 0, "owner": own, "units": {own: {"S": 2}}},
                {"x": 2, "y": 1, "units": {own: {"F": 3, "S": 1}}},
                {"x": 0, "y": 2, "owner": own, "loyal_to": other}, {"x": 0, "y": 1, "owner": own},
                {"x": 4, "y": 1, "units": {own: {"S": 3, "F": 1}}}, {"x": 7, "y": 2, "units": {own: {"F": 1}}},
                {"x": 6, "y": 0, "units": {other: {"F": 4}}}, {"x": 7, "y": 1, "units": {other: {"F": 4}}},
                {"x": 6, "y": 1, "owner": other}, {"x": 6, "y": 2, "owner": own}, {"x": 7, "y": 0, "owner": own},
                {"x": 1, "y": 2, "units": {third: {"F": 1}}},
            ],
        },
        **more,
    }  # fmt: skip
    whole = RULES.play.dump(RULES.play.load(document))
    world.storage.tables.games[game_id] = replace(world.game(game_id), document=whole)
    return own, other


def credit_generals(world: World, game_id: GameId, nation: PowerId | str) -> None:
    """Two generals wait to be placed, in a nation that may have them."""
    document = world.game(game_id).document
    assert document is not None
    for row in document["state"]["nations"]:
        row["credits"] = 2 if row["name"] == nation else 0


def told_to_players(world: World, game_id: GameId) -> str:
    """What the turn brought, in the messages to each player."""
    told = [compose(world.context, out) for out in world.outbox(game_id) if out.kind == "briefing"]
    return "\n".join(embed.description for messages in told for message in messages for embed in message.embeds)


@pytest.mark.parametrize("code", BAD)
def test_every_error_is_told_and_costs_no_other_line(world: World, game_id: GameId, code: str) -> None:
    sheet, options = BAD[code]
    _, other = set_up(world, game_id, options)
    receipt = world.submit(game_id, ANN, f"{GOOD}\n{sheet.format(other=other)}", mode=SubmitMode.AS_SENT)
    assert receipt.orders[0] == GOOD
    assert receipt.rehearsal is not None
    told = {forecast.code for forecast in receipt.rehearsal.lines if forecast.line > 1}
    told |= {error.code for error in receipt.errors}
    assert code in told
    assert f"1. `{GOOD}`\n↳ ok" in described(receipt)


@pytest.mark.parametrize("code", DOUBTFUL)
def test_every_warning_is_told_and_the_line_stands(world: World, game_id: GameId, code: str) -> None:
    sheet, options = DOUBTFUL[code]
    own, _ = set_up(world, game_id, options)
    if code == "W03":
        credit_generals(world, game_id, own)
    receipt = world.submit(game_id, ANN, f"{GOOD}\n{sheet}", mode=SubmitMode.AS_SENT)
    assert receipt.orders == (GOOD, *sheet.splitlines())
    assert receipt.errors == ()
    assert receipt.rehearsal is not None
    warnings = [forecast for forecast in receipt.rehearsal.lines if forecast.code == code]
    words = load_phrases("king_of_kings")
    assert warnings
    assert all(f"note: {words.render(warning.what).removesuffix('.')}" in described(receipt) for warning in warnings)
    assert code not in described(receipt), "people read words"


def test_units_placed_on_the_sea_by_mistake_are_told_that_it_is_sea(world: World, game_id: GameId) -> None:
    set_up(world, game_id, {})
    receipt = world.submit(game_id, ANN, "PLA 3 0 FO", mode=SubmitMode.AS_SENT)
    assert "3/0 is sea, and placing units at sea is switched off in this game" in described(receipt)


def test_a_tactic_that_cannot_be_is_told_of_when_the_turn_has_run(world: World, game_id: GameId) -> None:
    """W05 comes up in battle, which no receipt foresees."""
    set_up(world, game_id, {})
    world.submit(game_id, ANN, "LAND 1 0 P FO 1 S S", mode=SubmitMode.AS_SENT)
    world.forget_mail()
    world.pass_deadline(game_id)
    assert "): tactic standard attack instead of pincer attack" in told_to_players(world, game_id)


def test_a_province_under_assault_is_told_of_when_the_turn_has_run(world: World, game_id: GameId) -> None:
    """E20 hangs on what others order, so no receipt can tell it."""
    set_up(world, game_id, {}, dice={"order": [2, 1]})
    world.submit(game_id, ANN, "LAND 7 2 AT W", mode=SubmitMode.AS_SENT)
    world.submit(game_id, BOB, "LAND 7 1 AT S", mode=SubmitMode.AS_SENT)
    world.forget_mail()
    world.pass_deadline(game_id)
    assert ": 7/2 is under assault" in told_to_players(world, game_id)


def test_orders_for_what_is_anothers_fail_and_tell_no_more_than_the_map(world: World, game_id: GameId) -> None:
    _, other = set_up(world, game_id, {})
    world.submit(game_id, BOB, "LAND 6 0 AT W", mode=SubmitMode.AS_SENT)
    receipt = world.submit(game_id, ANN, f"{GOOD}\nLAND 6 0 AT W\nDEF 7 1 U\n[{other}]", mode=SubmitMode.AS_SENT)
    assert receipt.orders == (GOOD, "LAND 6 0 AT W", "DEF 7 1 U")
    assert receipt.rehearsal is not None
    assert [forecast.code for forecast in receipt.rehearsal.lines if forecast.level == "error"] == ["E04", "E04"]
    assert [(error.line, error.code) for error in receipt.errors] == [(4, "E02")]


def test_a_sheet_of_another_turn_is_taken_and_says_so(world: World, game_id: GameId) -> None:
    set_up(world, game_id, {})
    receipt = world.submit(game_id, ANN, f"GAME 22\nBEGIN\n{GOOD}\nEND", mode=SubmitMode.AS_SENT)
    assert receipt.orders == (GOOD,)
    assert "turn 22" in described(receipt)
    right = world.submit(game_id, ANN, f"GAME 1\n{GOOD}", mode=SubmitMode.AS_SENT)
    assert (right.orders, right.errors) == ((GOOD,), ())


def test_begin_without_end_and_end_without_begin(world: World, game_id: GameId) -> None:
    set_up(world, game_id, {})
    assert world.submit(game_id, ANN, f"Dear server,\nBEGIN\n{GOOD}", mode=SubmitMode.AS_SENT).orders == (GOOD,)
    receipt = world.submit(game_id, ANN, f"{GOOD}\nEND\nYours, Ann", mode=SubmitMode.AS_SENT)
    assert (receipt.orders, receipt.errors) == ((GOOD,), ())


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "cp1252", "latin-1"])
def test_sheets_in_the_encodings_of_editors(world: World, game_id: GameId, encoding: str) -> None:
    set_up(world, game_id, {})
    text = decoded(f"{GOOD}\r\nNAME 0 0 Köln\r\n".encode(encoding))
    if text is None:
        assert encoding == "utf-16-le", "without its mark it can't be told from what is no text"
        return
    assert world.submit(game_id, ANN, text, mode=SubmitMode.AS_SENT).orders == (GOOD, "NAME 0 0 Köln")


def test_ten_thousand_lines_and_lines_of_ten_thousand_characters(world: World, game_id: GameId) -> None:
    set_up(world, game_id, {})
    many = world.submit(game_id, ANN, f"{GOOD}\n" + "BUILD 9 9\n" * 9_999, mode=SubmitMode.AS_SENT)
    assert many.orders[0] == GOOD
    assert len(many.orders) == 50
    assert {error.code for error in many.errors} == {"E05"}
    assert len(receipt_message(many)) < 8
    long = world.submit(game_id, ANN, f"{'x' * 10_000}\n{GOOD}\nLAND 0 0 AT {'E ' * 5_000}", mode=SubmitMode.AS_SENT)
    assert GOOD in long.orders
    assert [error.code for error in long.errors if error.line == 1] == ["E01"]
    assert described(long)
    book = "x" * (LONGEST_TEXT + 1)
    told = refused_code(orders.submit, world.context, game_id, ANN, book, mode=SubmitMode.AS_SENT)
    assert told == "text_too_long"


def test_noise_of_any_kind_is_answered_line_by_line(world: World, game_id: GameId) -> None:
    set_up(world, game_id, {})
    chance = random.Random("noise")
    marks = "PLABUILDSEANDFOHO 0123456789-+.,;#[]\t\u202e\u0000é漢🏰`*_<@>|"
    for _ in range(60):
        lines = ["".join(chance.choices(marks, k=chance.randrange(40))) for _ in range(20)]
        receipt = world.submit(game_id, ANN, "\n".join([GOOD, *lines]), mode=SubmitMode.AS_SENT)
        assert receipt.orders[0] == GOOD
        assert described(receipt)
