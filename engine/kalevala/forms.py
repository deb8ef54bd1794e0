"""How each order is written, as examples that at_home turns into ones of the reader's own land. Source: rules 32"""

from __future__ import annotations

from collections.abc import Mapping

from engine.kalevala.agents import parse as parse_agents
from engine.kalevala.arrivals import parse as parse_arrivals
from engine.kalevala.artefacts import parse as parse_artefacts
from engine.kalevala.caravans import parse as parse_caravans
from engine.kalevala.culture import parse as parse_culture
from engine.kalevala.gods import parse as parse_gods
from engine.kalevala.kings import parse as parse_kings
from engine.kalevala.planes import parse as parse_planes
from engine.kalevala.priests import parse as parse_priests

FORMS: Mapping[str, str] = {
    "ARM": "ARM 2D+4 40 FROM 2D+4,2E+4,PEOPLE",
    "CONVERT": "CONVERT 2D+4 6LB 2On",
    "SLAVES": "SLAVES 2D+4 3",
    "BUILD": "BUILD 2D+4 Tu KF 19 GATE 19/SE",
    "TEAR": "TEAR 2D+4 Tu KF 19",
    "REPAIR": "REPAIR 2D+4 Tu KF 19",
    "GHZ": "GHZ 2D+4 KF 19",
    "WORK": "WORK 2D+4 PASS 12,17 12",
    "MOVE": "MOVE 5LB 5IP 10RE 2D+4 > 2E+4",
    "BOARD": "BOARD 2LB 1On 2D+4 LS",
    "SAIL": "SAIL LS[2LB 1On] 2D+4 > 2E+4",
    "LAND": "LAND 2LB 1On 2E+4",
    "FERRY": "FERRY 12LB 2D+4 > 2E+4",
    "EXPLORE": "EXPLORE 1 2D+4 > 2D+5",
    "WATCH": "WATCH 2D+4 1",
    "PERMIT": "PERMIT bert 2D+4 3",
    "REVOKE": "REVOKE bert 2D+4",
    "ABANDON": "ABANDON 2D+4",
    "CAPITAL": "CAPITAL 2D+4",
    "PEOPLE": "PEOPLE 1",
    "LEAVE": "LEAVE 2",
    "ENTER": 'ENTER 6 2D+4 B 2D+5 3LB 8RE LOSS 6RE HZ KF 32 NAME "Wurezburg"',
    "SETTLE": "SETTLE 2D+5 TO bert",
    "HANDOVER": "HANDOVER 4On AT 2D+4 TO bert FOR 2Sk",
    "FIEF": "FIEF 2D+4 TO bert 10",
    "ACCEPT": "ACCEPT 2D+5 OF bert",
    "SPREAD": "SPREAD 8LB 2D+4 > 2E+4",
    "WAR": "WAR bert",
    "PEACE": "PEACE bert",
    "ALLY": "ALLY bert",
    "UNALLY": "UNALLY bert",
    **parse_arrivals.FORMS,
    **parse_agents.FORMS,
    **parse_caravans.FORMS,
    **parse_kings.FORMS,
    **parse_gods.FORMS,
    **parse_planes.FORMS,
    **parse_artefacts.FORMS,
    **parse_culture.FORMS,
    **parse_priests.FORMS,
    "LETTER": 'LETTER bert "text"',
    "EXPRESS": 'EXPRESS bert "text"',
    "COURIER": 'COURIER "text"',
    "NOTE": 'NOTE "text"',
    "PASS": "PASS",
}
MORE_FORMS: Mapping[str, tuple[str, ...]] = {
    **parse_arrivals.MORE_FORMS,
    **parse_agents.MORE_FORMS,
    **parse_caravans.MORE_FORMS,
    **parse_kings.MORE_FORMS,
    **parse_gods.MORE_FORMS,
    **parse_artefacts.MORE_FORMS,
    **parse_culture.MORE_FORMS,
    "LETTER": ('LETTER bert "text" AS sham',),
}
"""Other ways in which an order is written."""
