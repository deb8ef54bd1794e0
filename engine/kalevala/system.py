"""Kalevala as a game system: what it offers, and where its rules are.

Source: "Kalevala – Das ewige Spiel", since 1973.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.acts import Rulings
from engine.core.documents import check_players, named_variant
from engine.core.errors import DocumentError
from engine.core.orders import Orders
from engine.core.play import Play
from engine.core.sight import Sight
from engine.core.system import GameSystem
from engine.core.telling import Rows, Telling
from engine.kalevala import (
    adjudicate,
    board,
    books,
    check,
    document,
    doors,
    examples,
    form,
    guide,
    listing,
    parse,
    report,
    results,
    scene,
    sheet,
    standings,
    status,
    view,
    writing,
)
from engine.kalevala.arrivals.leaving import SEATING
from engine.kalevala.info import INFO, SYSTEM, WORLD
from engine.kalevala.judgement import JUDGEMENT
from engine.kalevala.masters import rulings
from engine.kalevala.model import State, View
from engine.kalevala.orders import Line
from engine.kalevala.telling import courier
from engine.kalevala.telling.albums import albums
from engine.kalevala.war import parse as parse_plans
from engine.kalevala.window import Window
from engine.kalevala.world.start import MOST, rulers_of_world


def start(*, variant: str, players: int, options: Mapping[str, Any], seed: str) -> State:
    """A new game at its first window.

    Raises:
        DocumentError: an unknown variant, option or value, or a number of players that the game can't seat.
    """
    return document.load(_new(variant, players, options, seed), players=players)


def sketch(*, variant: str, players: int, options: Mapping[str, Any], seed: str) -> State:
    """A new game without its land if that is random, since making a world for many rulers takes a while.

    Raises:
        DocumentError: as `start` does.
    """
    given = _new(variant, players, options, seed)
    if named_variant(INFO, variant).id == WORLD:
        places = int(options.get("places", 0))
        given["state"] = rulers_of_world(players + places, places)
    return document.load(given, players=players)


def _new(variant: str, players: int, options: Mapping[str, Any], seed: str) -> dict[str, Any]:
    found = named_variant(INFO, variant).id
    check_players(INFO, players, found)
    places = options.get("places", 0)
    if found == WORLD and isinstance(places, int) and players + places > MOST:
        raise DocumentError("options.places", f"a world has room for {MOST} rulers, those who come later among them")
    return {"system": SYSTEM, "variant": variant, "options": dict(options), "seed": seed}


def seen_document(seen: View) -> dict[str, Any]:
    """What a viewer knows, in the form of a document, with the present ledger. Source: rules 31"""
    found = writing.dump(seen.state)
    del found["seed"]
    if seen.viewer is not None:
        found["state"]["ledger"] = books.ledger(Window(seen.state, {}, None), seen.viewer)
    return found


KALEVALA: GameSystem[State, View, Line] = GameSystem(
    info=INFO,
    play=Play(
        start=start,
        sketch=sketch,
        load=document.load,
        dump=writing.dump,
        variant=board.variant_of,
        status=status.status,
        dice=status.dice,
        adjudicate=adjudicate.adjudicate,
        excused=lambda state: state.replace(is_excused=True),
        end=status.end,
    ),
    sight=Sight(view=view.view, atlas=lambda seen: board.variant_of(seen.state), document=seen_document),
    orders=Orders(
        parse=parse.parse,
        format=lambda line: line.canonical,
        subject=lambda line: sheet.subject(line.order),
        read=parse.read,
        check=check.check,
        advise=check.advise,
        amend=sheet.amend,
        missing=sheet.missing,
        otherwise=sheet.otherwise,
        template=form.template,
        suggest=listing.suggest,
        menu=guide.menu,
        shortlists=guide.shortlists,
        legal=listing.legal,
        rehearse=check.rehearse,
        opens_block=parse_plans.opens_block,
    ),
    telling=Telling(
        report=report.report,
        briefing=report.briefing,
        goal=report.goal,
        examples=examples.examples,
        text_board=report.text_board,
        scene=scene.scene,
        albums=albums,
        newspaper=courier.newspaper,
        rows=Rows(of_results=results.result_rows, failures=results.failures),
        standings=standings.standings,
        ledger=report.ledger,
        measures=report.measures,
        era=report.era,
    ),
    rulings=Rulings(forms=rulings.forms, text=rulings.text, begin=rulings.begin),
    seating=SEATING,
    judgement=JUDGEMENT,
    doors=doors.DOORS,
)
