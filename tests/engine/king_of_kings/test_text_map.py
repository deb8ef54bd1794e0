"""The map in letters: axes, owners and troops. Source: rules 11"""

from __future__ import annotations

from engine.core.variant import load_phrases
from engine.core.viewer import EVERYBODY
from engine.king_of_kings.model import State
from engine.king_of_kings.system import KING_OF_KINGS

RULES = KING_OF_KINGS


def test_the_map_in_letters_has_axes_owners_and_troops() -> None:
    state = RULES.play.load(
        {
            "options": {"loyalty": True},
            "state": {
                "map": ["PPF~", "GTH~"],
                "nations": [{"name": "red"}, {"name": "blue", "controller": "monsters"}],
                "provinces": [
                    {"x": 0, "y": 0, "tactic": "C", "units": {"red": {"F": 2, "C": 1}}},
                    {"x": 1, "y": 0, "owner": "red", "loyal_to": "blue"},
                    {"x": 1, "y": 1, "owner": "blue"},
                    {"x": 2, "y": 1, "owner": "red"},
                    {"x": 3, "y": 1, "units": {"red": {"S": 2, "F": 1}, "blue": {"S": 1, "F": 1}}},
                ],
            },
        }
    )
    assert map_of(state) == [
        "  0       1   2   3",
        "0 P1:2FCc P1* F   ~               0",
        "1 G       T2! H1! ~:1 1F2S 2 1F1S 1",
        "  0       1   2   3",
    ]


def test_a_square_with_too_much_on_it_is_cut_short() -> None:
    state = RULES.play.load(
        {
            "state": {
                "map": ["P"],
                "nations": [{"name": "red"}],
                "provinces": [{"x": 0, "y": 0, "units": {"red": {"F": 900, "B": 800, "H": 700, "S": 600, "C": 1}}}],
            }
        }
    )
    assert map_of(state)[1] == "0 P1!:900F800B700HC60… 0"


def map_of(state: State) -> list[str]:
    words = load_phrases("king_of_kings")
    sections = RULES.telling.text_board(RULES.sight.view(state, EVERYBODY)).sections
    (found,) = (section for section in sections if section.title.code == "report.map")
    return [words.render(line) for line in found.lines]
