"""King of Kings: what it offers, and where its rules are. Source: 4th edition 2002, version 4.10.2 (Jens Niemann)."""

from __future__ import annotations

from dataclasses import replace

from engine.core.acts import Edits
from engine.core.documents import seen_document
from engine.core.orders import Orders
from engine.core.play import Play, Scenarios
from engine.core.sight import Sight
from engine.core.system import GameSystem
from engine.core.telling import Rows, Telling

from engine.king_of_kings import (  # isort: skip
    adjudicate, board, check, document, doors, edits, examples, headline, listing, menu, orders, parse, ranking,
    report, results, scenario, scene, sheet, standings, status, view,
)  # fmt: skip
from engine.king_of_kings.info import INFO
from engine.king_of_kings.judgement import JUDGEMENT
from engine.king_of_kings.model import Line, State, View

KING_OF_KINGS: GameSystem[State, View, Line] = GameSystem(
    info=INFO,
    play=Play(
        start=document.start,
        load=document.load,
        dump=document.dump,
        variant=board.variant_of,
        status=status.status,
        dice=status.dice,
        adjudicate=adjudicate.adjudicate,
        excused=lambda state: replace(state, is_excused=True),
        end=ranking.end,
        leaders=ranking.leaders,
        consent_needed=ranking.consent_needed,
    ),
    sight=Sight(
        view=view.view,
        atlas=lambda view: board.variant_of(view.state),
        document=lambda view: seen_document(document.dump(view.state)),
    ),
    orders=Orders(
        parse=parse.parse,
        format=lambda line: line.canonical,
        subject=lambda line: orders.subject(line.order),
        read=parse.read,
        check=check.check,
        advise=check.advise,
        amend=sheet.amend,
        missing=sheet.missing,
        otherwise=sheet.otherwise,
        template=sheet.template,
        suggest=listing.suggest,
        menu=menu.menu,
        shortlists=menu.shortlists,
        legal=listing.legal,
        rehearse=check.rehearse,
    ),
    telling=Telling(
        headline=headline.headline,
        report=report.report,
        briefing=report.briefing,
        goal=examples.goal,
        examples=examples.examples,
        text_board=report.text_board,
        scene=scene.scene,
        standings=standings.standings,
        rows=Rows(
            of_results=results.result_rows,
            failures=results.failures,
            in_a_line=results.in_a_line,
            told=results.told,
        ),
    ),
    scenarios=Scenarios(start=scenario.start_from, has_own_map=scenario.has_own_map),
    edits=Edits(forms=edits.forms, edit=edits.edit, text=edits.canonical, reported=edits.reported, advice=edits.advice),
    judgement=JUDGEMENT,
    doors=doors.DOORS,
)
