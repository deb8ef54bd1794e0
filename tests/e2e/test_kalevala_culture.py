"""A people's culture text, names and an artefact, through Discord: for those concerned, and for nobody else.

It costs some seconds, since three windows of six rulers are played.
"""

from __future__ import annotations

from pathlib import Path

from tests.e2e.table import open_table
from tests.e2e.test_kalevala import RULERS, ready, seen
from tests.e2e.test_kalevala_battle import HOME
from tests.e2e.test_kalevala_rulings import beginning_without_a_seat, heard

TEXT = "The people of the lakes call their land Karelia, their god Ahti and their wizard Antero. " * 4


async def test_a_people_is_described_its_town_named_and_an_artefact_brought_in_by_the_game_master(
    tmp_path: Path,
) -> None:
    async with open_table(
        tmp_path, people=7, begins=False, seed="sampo", system="kalevala", players="6", wishes=RULERS
    ) as table:
        master = await beginning_without_a_seat(table)
        before = seen(table)
        assert "CULTURE" in await table.slash("anna", "culture", text=TEXT)
        assert "You have no artefact, and see none" in await table.slash("anna", "artefact")
        assert "Borgund" in await table.message("anna", f'NAME {HOME} "Borgund"')
        assert set(heard(table, before)) <= {"anna"}
        await ready(table, *RULERS)
        before, public = seen(table), table.channel_text()
        change = {"change": f"item anna {HOME} +2 Sampo: It grinds flour, salt and gold."}
        await table.said(master, await table.world.slash(master, table.world.channel.id, "gm set", change))
        told = heard(table, before)
        assert set(told) == {"anna"}
        assert f"Sampo (Ar/1) is yours now, in {HOME}" in told["anna"]
        assert table.channel_text() == public
        await ready(table, *RULERS)
        page = await table.slash("anna", "artefact")
        assert "It grinds flour, salt and gold." in page
        assert "borne by your best fighter there" in page
        assert "You have no artefact, and see none" in await table.slash("bert", "artefact")
        assert "Ar/1" in await table.message("anna", "ARTEFACT BEAR Ar/1 LB")
        await ready(table, *RULERS)
        assert "borne by a class B lancer" in await table.slash("anna", "artefact")
        assert "came out just as they were posted" in await table.slash("carl", "game verify")
        assert table.complaints() == []
