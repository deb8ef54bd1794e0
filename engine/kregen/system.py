"""Kregen: what it offers, and where its rules are. Source: Ken St. Andre, Kregen (NAVB edition)."""

from __future__ import annotations

from engine.core.canonical import without_view
from engine.core.documents import seen_document
from engine.core.orders import Orders
from engine.core.play import Play
from engine.core.sight import Sight
from engine.core.system import GameSystem
from engine.core.telling import Telling

from engine.kregen import (  # isort: skip
    adjudicate, advice, canonical, check, document, doors, examples, headline, listing, menu, model, parse, report,
    scene, sheet, standings, status, suggest, view,
)  # fmt: skip
from engine.kregen.info import INFO
from engine.kregen.judgement import JUDGEMENT
from engine.kregen.model import Order, State, View

KREGEN: GameSystem[State, View, Order] = GameSystem(
    info=INFO,
    play=Play(
        start=document.start,
        load=document.load,
        dump=document.dump,
        variant=lambda state: state.variant,
        status=status.status,
        dice=status.dice,
        adjudicate=adjudicate.adjudicate,
        end=status.end,
        leaders=adjudicate.leaders,
        consent_needed=adjudicate.consent_needed,
    ),
    sight=Sight(
        view=view.view,
        atlas=lambda view: view.state.variant,
        document=lambda view: seen_document(document.dump(view.state)),
    ),
    orders=Orders(
        parse=parse.parse,
        keywords=parse.KEYWORDS,
        read=without_view(canonical.read),
        format=model.format_order,
        subject=model.subject,
        check=check.check,
        advise=advice.advise,
        amend=sheet.amend,
        missing=sheet.missing,
        otherwise=sheet.otherwise,
        template=sheet.template,
        suggest=suggest.suggest,
        menu=menu.menu,
        shortlists=menu.shortlists,
        legal=listing.legal,
        default=sheet.default,
        requests=sheet.requests,
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
    ),
    judgement=JUDGEMENT,
    doors=doors.DOORS,
)
