"""Bad sheets of King of Kings through Discord: told line by line, at no other line's cost. One game for all tests."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from engine.core.ids import SystemId
from engine.registry import systems
from tests.e2e.table import LiveGame, open_table

pytestmark = pytest.mark.asyncio(loop_scope="module")
FILE = "orders.txt"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def table(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[LiveGame]:
    folder = tmp_path_factory.mktemp("bad_sheets")
    async with open_table(folder, people=2, seed="sheets", system="king_of_kings", players="2") as table:
        yield table
        assert table.complaints() == []


async def seats(table: LiveGame) -> tuple[str, str]:
    """Whose sheets are sent, and the other nation."""
    standing = await table.standing()
    one, two = (str(standing.power(person)) for person in table.world.people)
    return one, two


async def places(table: LiveGame, nation: str) -> list[str]:
    """The provinces of a nation, as orders name them."""
    standing = await table.standing()
    assert standing.table is not None
    rows = systems[SystemId("king_of_kings")].play.dump(standing.table.state)["state"]["provinces"]
    return [f"{row['x']} {row['y']}" for row in rows if row["owner"] == nation]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
async def test_sheet_in_any_usual_encoding_is_read(table: LiveGame, encoding: str) -> None:
    one, _ = await seats(table)
    place, *_ = await places(table, one)
    answer = await table.message(one, "", ((FILE, f"NAME {place} Köln\r\nDEF {place} C\r\n".encode(encoding)),))
    assert f"NAME {place} Köln" in answer
    assert await table.orders(one) == (f"NAME {place} Köln", f"DEF {place} C")


async def test_file_that_is_no_text_changes_nothing(table: LiveGame) -> None:
    one, _ = await seats(table)
    before = await table.orders(one)
    answer = await table.message(one, "", ((FILE, bytes(range(256)) * 4),))
    assert "text" in answer
    assert await table.orders(one) == before


async def test_of_ten_thousand_lines_fifty_are_taken(table: LiveGame) -> None:
    one, _ = await seats(table)
    place, *_ = await places(table, one)
    answer = await table.message(one, "", ((FILE, f"DEF {place} C\n".encode() + b"BUILD 9 9\n" * 9_999),))
    assert "9950" in answer
    standing = await table.orders(one)
    assert (len(standing), standing[0]) == (50, f"DEF {place} C")


async def test_line_of_ten_thousand_characters_costs_only_itself(table: LiveGame) -> None:
    one, _ = await seats(table)
    place, *_ = await places(table, one)
    sheet = f"{'x' * 10_000}\nDEF {place} U\nLAND {place} AT {'E ' * 5_000}\nNAME {place} {'y' * 10_000}\n"
    answer = await table.message(one, "", ((FILE, sheet.encode()),))
    assert "Line 1" in answer
    assert "Line 4" in answer
    assert (await table.orders(one))[0] == f"DEF {place} U"


async def test_sheet_without_its_end_and_for_another_turn_is_read(table: LiveGame) -> None:
    one, _ = await seats(table)
    place, *_ = await places(table, one)
    answer = await table.message(one, f"GAME 22\nBEGIN\nDEF {place} P")
    assert "turn 22" in answer
    assert await table.orders(one) == (f"DEF {place} P",)


async def test_orders_for_what_is_anothers_are_marked(table: LiveGame) -> None:
    one, two = await seats(table)
    own, *_ = await places(table, one)
    theirs, *_ = await places(table, two)
    answer = await table.message(one, f"DEF {own} C\nLAND {theirs} AT N\nPLA {theirs} FO\nRUN {theirs}\n[{two}]")
    assert answer.count("↳ will fail: ") == 2
    assert "Line 4" in answer
    assert "Line 5" in answer
    assert await table.orders(one) == (f"DEF {own} C", f"LAND {theirs} AT N", f"PLA {theirs} FO")


async def test_treaty_with_nobody_is_refused_and_somebody_is_proposed(table: LiveGame) -> None:
    """Source: ruling K-82."""
    one, two = await seats(table)
    before = await table.orders(one)
    answer = await table.slash(one, "ally", nation=f"{two}s", status="1")
    assert f"ALL {two} 1" in answer
    assert "99/99" in await table.slash(one, "cede", nation=two, place="99 99")
    assert await table.orders(one) == before
