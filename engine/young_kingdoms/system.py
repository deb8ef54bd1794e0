"""The Age of the Young Kingdoms: what it offers, and where its rules are. Source: Kedge and Neuman's variant."""

from __future__ import annotations

from engine.core.canonical import without_view
from engine.core.documents import seen_document
from engine.core.orders import Orders
from engine.core.play import Play
from engine.core.sight import Sight
from engine.core.system import GameSystem
from engine.core.telling import Telling
from engine.provinces.classic import status as classic

from engine.young_kingdoms import (  # isort: skip
    adjudicate, check, document, doors, examples, headline, hiding, judgement, menu, notation, parse, report, scene,
    sheet, standings, status, suggest, victory, view,
)  # fmt: skip
from engine.young_kingdoms.info import INFO
from engine.young_kingdoms.model import Order, State, View

YOUNG_KINGDOMS: GameSystem[State, View, Order] = GameSystem(
    info=INFO,
    play=Play(
        start=document.start,
        load=document.load,
        dump=document.dump,
        variant=lambda state: state.variant,
        status=status.status,
        dice=classic.dice,
        adjudicate=lambda state, sheets, dice: adjudicate.adjudicate(state, sheets),
        end=classic.end,
    ),
    sight=Sight(
        view=view.view,
        atlas=lambda view: view.state.variant,
        document=lambda view: seen_document(document.dump(view.state)),
    ),
    orders=Orders(
        parse=parse.parse,
        keywords=parse.KEYWORDS,
        read=without_view(notation.read),
        format=notation.format_order,
        subject=notation.subject,
        check=check.check,
        advise=check.advise,
        amend=sheet.amend,
        missing=sheet.missing,
        otherwise=sheet.otherwise,
        template=sheet.template,
        suggest=suggest.suggest,
        menu=menu.menu,
        shortlists=menu.shortlists,
        legal=suggest.legal,
        requests=sheet.requests,
    ),
    telling=Telling(
        headline=headline.headline,
        report=report.report,
        briefing=report.briefing,
        goal=victory.goal,
        examples=examples.examples,
        text_board=report.text_board,
        scene=scene.scene,
        standings=standings.standings,
    ),
    secret_choice=hiding.HIDING,
    doors=doors.DOORS,
    judgement=judgement.JUDGEMENT,
)
