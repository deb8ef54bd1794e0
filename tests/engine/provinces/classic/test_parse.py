"""Tests of `engine.provinces.classic.parse` and `language`: orders as people write them."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.viewer import EVERYBODY, Playing
from engine.provinces.classic.language import WORDS_WITH_MEANINGS, Sentence, language_of
from engine.provinces.classic.model import State
from engine.provinces.classic.parse import Canonical, Resolver, canonical_of, sentences
from engine.provinces.classic.reach import position_of
from engine.provinces.classic.spelling import Spelling
from engine.provinces.orders import Waive
from engine.provinces.variants import BoardVariant
from tests.engine.diplomacy.table import RULES, accepted, read, refused, state_of, view_of, words
from tests.examples import few
from tests.positions import dense_phase

SEA = (
    "england F NTH, A LON, F ENG, A YOR; france F MAO, A BRE, F GAS, A PIE; "
    "germany F DEN, A KIE; russia F STP/SC, A MOS"
)


@pytest.mark.parametrize(
    "typed",
    [
        "A BUD - SER",
        "a bud-ser",
        "A Bud – Ser",
        "A Bud — Ser",
        "A Bud -> Ser",
        "A Bud→Ser",
        "A Budapest to Serbia",
        "Budapest - Serbia",
        "bud-ser",
        "bud ser",
        "A Bud moves to Ser",
        "A BUD move SER",
        "A BUD M SER",
        "army budapest attacks serbia",
        "The army in Budapest goes to Serbia.",
        "move Bud to Ser",
        "1. A Bud - Ser",
        "(2) A Bud - Ser;",
        "- A Bud - Ser",
        "* A Bud - Ser",
        "• A Bud - Ser",
        "> A Bud - Ser",
        "Austria: A Bud - Ser",
        "Austrian army Bud - Ser",
        "Austria's army in Budapest to Serbia",
        "A Bud - Ser # to Greece next",
        "   A\u00a0Bud - Ser   ",
        "**A BUD - SER**",
        "`A BUD - SER`",
        "A. Bud - Ser.",
        "F BUD - SER",
        "A BUD - A SER",
        "A BUDA - SERB",
        "A BUD: - SER",
    ],
)
def test_a_move_is_understood_however_it_is_written(typed: str) -> None:
    assert accepted(view_of("austria"), typed) == ["A BUD - SER"]


@pytest.mark.parametrize("typed", ["A BUD H", "bud holds", "A Bud hold", "Budapest stands", "A BUD stays", "hold Bud"])
def test_a_hold_is_understood_however_it_is_written(typed: str) -> None:
    assert accepted(view_of("austria"), typed) == ["A BUD H"]


@pytest.mark.parametrize(
    "typed", ["all hold", "Hold all", "ALL UNITS HOLD.", "everything holds", "all my units hold", "all h", "- All hold"]
)
def test_all_hold_orders_every_unit(typed: str) -> None:
    assert sorted(accepted(view_of("austria"), typed)) == ["A BUD H", "A VIE H", "F TRI H"]


@pytest.mark.parametrize("typed", ["A BUD - SER; all hold", "all hold\nA BUD - SER", "A Bud - Ser\neverything holds"])
def test_all_hold_leaves_alone_what_the_text_orders_otherwise(typed: str) -> None:
    assert sorted(accepted(view_of("austria"), typed)) == ["A BUD - SER", "A VIE H", "F TRI H"]


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("Bud S Vie", "A BUD S A VIE"),
        ("A BUD supports A VIE", "A BUD S A VIE"),
        ("A BUD sup Vie H", "A BUD S A VIE"),
        ("A Bud S A Vie holds", "A BUD S A VIE"),
        ("A BUD S F VIE", "A BUD S A VIE"),
        ("bud s vie - gal", "A BUD S A VIE - GAL"),
        ("Budapest supports the army in Vienna to Galicia", "A BUD S A VIE - GAL"),
        ("A BUD S Russian A WAR - GAL", "A BUD S A WAR - GAL"),
        ("A BUD support the Russian army in Warsaw moving to Galicia", "A BUD S A WAR - GAL"),
        ("A BUD S A VIE-GAL (via convoy)", "A BUD S A VIE - GAL"),
    ],
)
def test_a_support_is_understood_however_it_is_written(typed: str, canonical: str) -> None:
    assert accepted(view_of("austria"), typed) == [canonical]


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("F NTH C A LON - BEL", "F NTH C A LON - BEL"),
        ("F Nth C Lon-Bel", "F NTH C A LON - BEL"),
        ("north sea convoys london to belgium", "F NTH C A LON - BEL"),
        ("F North Sea convoys the army in London to Belgium", "F NTH C A LON - BEL"),
        ("A LON - BEL", "A LON - BEL"),
        ("A LON - BEL VIA CONVOY", "A LON - BEL VIA CONVOY"),
        ("A Lon - Bel by convoy", "A LON - BEL VIA CONVOY"),
        ("A Lon - Bel (via convoy)", "A LON - BEL VIA CONVOY"),
        ("A Lon - Bel VIA", "A LON - BEL VIA CONVOY"),
        ("A Lon via convoy - Bel", "A LON - BEL VIA CONVOY"),
        ("A Lon - Nth - Bel", "A LON - BEL VIA CONVOY"),
        ("A Lon - North Sea - English Channel - Bel", "A LON - BEL VIA CONVOY"),
        ("A Lon - Bel via Nth", "A LON - BEL VIA CONVOY"),
        ("A Yor - Wal by sea", "A YOR - WAL VIA CONVOY"),
    ],
)
def test_a_convoy_is_understood_however_it_is_written(typed: str, canonical: str) -> None:
    assert accepted(view_of("england", SEA), typed) == [canonical]


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("F MAO - SPA/NC", "F MAO - SPA/NC"),
        ("F Mid - Spa (nc)", "F MAO - SPA/NC"),
        ("F mid-atlantic ocean - spain north coast", "F MAO - SPA/NC"),
        ("F MAO - SPA(north coast)", "F MAO - SPA/NC"),
        ("F MAO - SPA nc", "F MAO - SPA/NC"),
        ("F MAO - SPA-SC", "F MAO - SPA/SC"),
        ("F MAO - spa_sc", "F MAO - SPA/SC"),
        ("F GAS - SPA", "F GAS - SPA/NC"),
        ("F GAS - SPA/EC", "F GAS - SPA/NC"),
        ("F MAO S F GAS - SPA", "F MAO S F GAS - SPA/NC"),
        ("F GAS S F MAO - SPA", "F GAS S F MAO - SPA"),
        ("F GAS S F MAO - SPA/SC", "F GAS S F MAO - SPA/SC"),
        ("A PIE - TUS/NC", "A PIE - TUS"),
        ("A BRE - PIC north coast", "A BRE - PIC"),
    ],
)
def test_coasts_are_filled_in_or_passed_over_where_they_do_not_matter(typed: str, canonical: str) -> None:
    assert accepted(view_of("france", SEA), typed) == [canonical]


def test_the_coast_of_the_ordered_fleet_is_where_it_stands() -> None:
    view = view_of("russia", SEA)
    assert accepted(view, "F STP - BOT") == ["F STP/SC - BOT"]
    assert accepted(view, "F STP/NC - BOT") == ["F STP/SC - BOT"]
    assert accepted(view, "A MOS S F STP") == ["A MOS S F STP/SC"]


@pytest.mark.parametrize(
    ("power", "units", "typed", "canonical"),
    [
        ("england", "england A LVP; russia F LVN", "Liv - Edi", "A LVP - EDI"),
        ("russia", "england A LVP; russia F LVN", "Liv - Bal", "F LVN - BAL"),
        ("russia", "russia F LVN, A LVP", "A Liv - Edi", "A LVP - EDI"),
        ("russia", "russia F LVN, A LVP", "F Liv - Bot", "F LVN - BOT"),
        ("russia", "russia A LVN, A LVP", "Liv - War", "A LVN - WAR"),
        ("england", "england F NWG", "F NOR - BAR", "F NWG - BAR"),
        ("england", "england F NTH", "F NTH - NOR", "F NTH - NWY"),
        ("england", "england F NAO", "F NAO - NOR", "F NAO - NWG"),
        ("england", "england F NTH, A NWY", "F NTH S NOR", "F NTH S A NWY"),
        ("italy", "italy F ION, A TYR", "tyr - ven", "A TYR - VEN"),
        ("england", "england F LON", "F Lon - Eng Chan", "F LON - ENG"),
    ],
)
def test_a_doubtful_name_means_what_fits_the_units(power: str, units: str, typed: str, canonical: str) -> None:
    assert accepted(view_of(power, units), typed) == [canonical]


def test_a_name_that_fits_twice_is_asked_back() -> None:
    [error] = refused(view_of("england", "england F EDI"), "F EDI - NOR")
    assert (error.code, error.args["meanings"]) == ("ambiguous_province", ("NTH", "NWG"))
    assert error.hints == ("F EDI - NTH", "F EDI - NWG")
    assert (error.column, error.end) == (9, 12)


def test_several_orders_on_a_line_are_parted_by_semicolons_or_commas() -> None:
    view = view_of("austria")
    assert accepted(view, "A Bud - Ser; A Vie - Tyr;F TRI H") == ["A BUD - SER", "A VIE - TYR", "F TRI H"]
    assert accepted(view, "A Bud - Ser, A Vie - Tyr, F TRI H") == ["A BUD - SER", "A VIE - TYR", "F TRI H"]
    assert accepted(view, "A Bud, hold") == ["A BUD H"]


def test_one_bad_order_on_a_line_costs_only_itself() -> None:
    view = view_of("austria")
    [error] = refused(view, "A Bud - Ser, A Vie - Tirolx, F TRI - ALB")
    assert (error.code, error.column, error.subject) == ("unknown_province", 22, "VIE")
    assert read(view, "A Bud - Ser, A Vie - Tirolx, F TRI - ALB") == ["A BUD - SER", "F TRI - ALB"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "# nothing",
        "```",
        "```\n```",
        "Austria:",
        "[austria]",
        "AUSTRIA",
        "…",
        "A BUD …",
        "A BUD ...",
        "- - -",
    ],
)
def test_lines_that_order_nothing_are_passed_over(text: str) -> None:
    assert accepted(view_of("austria"), text) == []


def test_the_same_order_twice_is_one() -> None:
    assert accepted(view_of("austria"), "A BUD - SER\na bud-ser") == ["A BUD - SER"]


def test_orders_for_another_power_are_not_taken_for_ones_own() -> None:
    [error] = refused(view_of("austria"), "Turkey: A CON - BUL")
    assert (error.code, error.args["power"]) == ("not_your_power", "turkey")


DISLODGED = [{"power": "austria", "kind": "A", "at": "VIE", "from": "BOH", "retreats": ["GAL", "TYR"]}]
RETREATS = "austria A BUD; germany A VIE"


@pytest.mark.parametrize(
    "typed", ["A VIE R TYR", "vie - tyr", "A VIE retreats to Tyrolia", "A Vie ret Tyr", "VIE r tyr"]
)
def test_a_retreat_is_understood_however_it_is_written(typed: str) -> None:
    view = view_of("austria", RETREATS, phase="spring 1901 retreats", dislodged=DISLODGED)
    assert accepted(view, typed) == ["A VIE R TYR"]


@pytest.mark.parametrize("typed", ["A VIE D", "Vie disbands", "disband A VIE", "destroy vie", "remove A Vie"])
def test_giving_up_is_understood_however_it_is_written(typed: str) -> None:
    view = view_of("austria", RETREATS, phase="spring 1901 retreats", dislodged=DISLODGED)
    assert accepted(view, typed) == ["A VIE D"]


RUSSIA = {"STP": "russia", "MOS": "russia", "WAR": "russia", "SEV": "russia"}


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("BUILD F STP/NC", "BUILD F STP/NC"),
        ("build fleet st petersburg north coast", "BUILD F STP/NC"),
        ("Build a fleet in St. Petersburg (nc)", "BUILD F STP/NC"),
        ("B F STP NC", "BUILD F STP/NC"),
        ("F STP/NC B", "BUILD F STP/NC"),
        ("F STP/NC build", "BUILD F STP/NC"),
        ("build STP/NC", "BUILD F STP/NC"),
        ("B A Stp", "BUILD A STP"),
        ("build A STP/NC", "BUILD A STP"),
        ("build mos", "BUILD A MOS"),
        ("WAIVE", "WAIVE"),
        ("waives a build", "WAIVE"),
    ],
)
def test_a_build_is_understood_however_it_is_written(typed: str, canonical: str) -> None:
    view = view_of("russia", "russia F SEV", phase="winter 1901 adjustments", centres=RUSSIA)
    assert accepted(view, typed) == [canonical]


def test_waived_builds_are_counted() -> None:
    view = view_of("russia", "russia F SEV", phase="winter 1901 adjustments", centres=RUSSIA)
    for text in ("waive 2", "waive two builds", "WAIVE\nWAIVE"):
        assert [order.order for order in RULES.orders.parse(text, view).orders] == [Waive(1), Waive(2)]


def test_a_line_that_waives_more_builds_than_there_are_changes_nothing() -> None:
    view = view_of("russia", "russia F SEV", phase="winter 1901 adjustments", centres=RUSSIA)
    due = position_of(view.state).adjustment(PowerId("russia"))
    found = RULES.orders.parse(f"WAIVE {due + 1}", view)
    assert found.orders == ()
    assert [(error.code, error.args["count"]) for error in found.errors] == [("too_many_waived", due)]
    assert len(RULES.orders.parse(f"WAIVE {due}", view).orders) == due


def test_several_waived_builds_that_are_not_due_are_refused_once() -> None:
    view = view_of("germany", "germany A BER, A MUN", phase="winter 1901 adjustments", centres={"MUN": "germany"})
    assert [error.code for error in read_orders(RULES, view, "WAIVE 3").errors] == ["no_build_due"]


@pytest.mark.parametrize("typed", ["REMOVE A BER", "A BER D", "disband A BER", "R A BER", "remove berlin", "D A BER"])
def test_a_removal_is_understood_however_it_is_written(typed: str) -> None:
    view = view_of("germany", "germany A BER, A MUN", phase="winter 1901 adjustments", centres={"MUN": "germany"})
    assert accepted(view, typed) == ["REMOVE A BER"]


@pytest.mark.parametrize(
    ("text", "code", "span", "hints"),
    [
        ("A Budapset - Serbia", "unknown_province", (3, 11), ("A BUD - SER",)),
        ("A BUD - Serbai", "unknown_province", (9, 15), ("A BUD - SER",)),
        ("A Xxxxxx - Serbia", "unknown_province", (3, 9), ()),
        # A fleet can't go to Galicia.
        ("F TRI - GALL", "unknown_province", (9, 13), ()),
        ("A BUD", "no_verb", (1, 6), ("A BUD H", "A BUD - GAL", "A BUD - RUM")),
        ("A BUD -", "no_place", (8, 9), ()),
        ("A BUD xx SER", "unknown_verb", (7, 9), ()),
        ("A BUD S", "no_place", (8, 9), ()),
        ("A BUD - SER A VIE - TYR", "left_over", (13, 24), ("A BUD - SER",)),
        ("hello there, friends", "unknown_province", (1, 12), ()),
        ("A BUD - SER - GRE", "not_a_route", (9, 12), ()),
        ("x" * 300, "too_long", (1, 301), ()),
    ],
)
def test_what_cannot_be_read_is_pointed_at(text: str, code: str, span: tuple[int, int], hints: tuple[str, ...]) -> None:
    error = refused(view_of("austria"), text)[0]
    assert (error.code, (error.column, error.end), error.hints) == (code, span, hints)
    assert error.text == text


def test_a_list_of_builds_is_told_how_builds_are_written() -> None:
    """Here it was asked for a move, a hold or a support, which can't be ordered in winter."""
    view = view_of("france", "", phase="winter 1901 adjustments", centres=dict.fromkeys(("PAR", "BRE"), "france"))
    [error] = refused(view, "BUILD A PAR, F BRE")
    assert (error.code, error.hints) == ("no_verb_now", ("BUILD F BRE",))
    assert "builds (BUILD)" in words().render(error.reason)
    view = view_of("germany", "germany A BER, A MUN", phase="winter 1901 adjustments", centres={"MUN": "germany"})
    [error] = refused(view, "A BER")
    assert (error.code, error.hints) == ("no_verb_now", ("REMOVE A BER",))


def test_an_error_knows_its_line_and_its_unit() -> None:
    [error] = refused(view_of("austria"), "# mine\nF TRI - ALB\n  A VIE - Gallicia\n")
    assert (error.line, error.column, error.end, error.subject) == (3, 11, 19, "VIE")
    assert error.text[error.column - 1 : error.end - 1] == "Gallicia"
    assert error.hints == ("A VIE - GAL",)


@pytest.mark.parametrize("seed", range(12))
def test_legal_orders_read_back_from_their_canonical_text(seed: int) -> None:
    state = RULES.play.load(dense_phase(seed).document())
    for power in state.variant.powers:
        view = RULES.sight.view(state, Playing(power))
        for subject, orders in RULES.orders.legal(view).items():
            for order in orders:
                parsed = RULES.orders.parse(RULES.orders.format(order), view)
                assert [read.order for read in parsed.orders] == [order]
                assert RULES.orders.subject(order) == subject


@settings(max_examples=few(15), deadline=None)
@given(seed=st.integers(0, 40), data=st.data())
def test_spelling_does_not_change_what_is_read(seed: int, data: st.DataObject) -> None:
    state = RULES.play.load(dense_phase(seed).document())
    power = data.draw(st.sampled_from(sorted({unit.power for unit in state.units})))
    view = RULES.sight.view(state, Playing(PowerId(power)))
    orders = [order for orders in RULES.orders.legal(view).values() for order in orders]
    order = data.draw(st.sampled_from(orders))
    text = RULES.orders.format(order)
    dash = data.draw(st.sampled_from([" - ", "-", " -> ", "→", " to ", " – ", " moves to "]))
    support = data.draw(st.sampled_from([" S ", " supports ", " sup ", " s "]))
    spelled = text.replace(" - ", dash).replace(" S ", support)
    for province in view.state.variant.board.provinces.values():
        if data.draw(st.booleans()):
            spelled = re.sub(rf"\b{province.id}\b", province.name, spelled)
    cases: list[Callable[[str], str]] = [str.lower, str.upper, str.title, str]
    spelled = data.draw(st.sampled_from(cases))(spelled)
    parsed = RULES.orders.parse(spelled, view)
    assert [read.order for read in parsed.orders] == [order], spelled


LETTERS = st.text(alphabet="abdsmrfchvenou ABUDSER-/>()#;,:.…[]'\u00e9\u2013\n0123456789", max_size=60)
WORDS = st.lists(
    st.sampled_from(
        [
            "A",
            "F",
            "Bud",
            "Ser",
            "-",
            "->",
            "S",
            "C",
            "H",
            "R",
            "D",
            "B",
            "via",
            "convoy",
            "to",
            "build",
            "waive",
            "2",
            "nor",
            "liv",
            "stp",
            "/nc",
            "(",
            ")",
            ";",
            ",",
            ":",
            "…",
            "the",
            "of",
            "#",
        ]
    ),
    max_size=14,
).map(" ".join)


@settings(max_examples=few(80), deadline=None)
@given(
    text=st.one_of(st.text(max_size=80), LETTERS, WORDS), phase=st.sampled_from(["movement", "retreats", "adjustments"])
)
def test_no_text_raises_and_every_error_points_into_it(text: str, phase: str) -> None:
    season = "winter" if phase == "adjustments" else "spring"
    centres = {"BUD": "austria", "VIE": "austria", "TRI": "austria"}
    view = view_of("austria", "austria A BUD; germany A VIE", phase=f"{season} 1901 {phase}", centres=centres)
    lines = text.splitlines()
    for error in refused(view, text):
        assert lines[error.line - 1] == error.text
        assert 1 <= error.column < error.end <= len(error.text) + 2
        assert len(error.hints) <= 3


@pytest.mark.parametrize(
    "text",
    [
        "x" * 4_000,
        "A BUD - SER\n" * 10_000,
        "A BUD - SERQ\n" * 10_000,
        "\n".join(f"A Budap{number} - S{number}" for number in range(10_000)),
        "A BUD - SER; " * 800,
        "A BUD - SER, " * 800,
        "," * 10_000,
        "A " * 5_000,
        "- " * 5_000,
        "A BUD S " * 1_200,
        "\u0300" * 10_000,
    ],
    ids=range(11),
)
def test_huge_texts_are_read_without_delay(text: str) -> None:
    view = view_of("austria")
    start = time.process_time()
    refused(view, text)
    assert time.process_time() - start < 3


def test_a_view_without_a_power_can_order_nothing() -> None:
    view = RULES.sight.view(state_of(), EVERYBODY)
    [error] = refused(view, "A BUD - SER")
    assert (error.code, error.subject) == ("no_power", None)


def test_canonical_lines_mean_what_the_reader_of_any_text_makes_of_them() -> None:
    phase = dense_phase(3)
    state = RULES.play.load(phase.document())
    position = position_of(state)
    canonical, resolver = Canonical(state.variant), Resolver(position, PowerId("france"))
    answered = 0
    for line in phase.texts.values():
        unit, _, rest = line.partition(" - ")
        odd = (
            line.replace("A ", "F "),
            re.sub("/..", "", line),
            f"{line}/NC",
            f"{line} VIA CONVOY",
            f"{unit} - STP/NC",
        )
        for text in (line, *odd, f"{unit} - SPA", f"{unit} - NOR", f"{unit} C {unit} - {rest}", f"{unit} S {unit}"):
            order = canonical.order(text, position)
            if order is not None:
                answered += 1
                assert order == resolver.resolve(language_of(state.variant).read(text)), text
    assert answered >= len(phase.texts), "each line as programs write it"


def test_canonical_lines_for_units_that_are_not_there_mean_what_the_reader_of_any_text_makes_of_them() -> None:
    """They are refused later; no other reader is needed to say which unit they name."""
    state = RULES.play.load(dense_phase(3).document())
    position = position_of(state)
    canonical, resolver = canonical_of(state.variant), Resolver(position, PowerId("france"))
    places, chance = state.variant.board.places, random.Random("nobody there")
    patterns = ("{} H", "{} - {p}", "{} - {p} VIA CONVOY", "{} S {}", "{} S {} - {p}", "{} C {} - {p}")
    answered = nowhere = 0
    for pattern in patterns * 300:
        units = [f"{chance.choice('AF')} {chance.choice(places)}" for _ in range(2)]
        text = pattern.format(*units, p=chance.choice(places))
        order = canonical.order(text, position)
        if order is not None:
            answered += 1
            nowhere += order.at not in position.kind_at  # type: ignore[union-attr]
            assert order == resolver.resolve(language_of(state.variant).read(text)), text
    assert answered > nowhere > 100


def quick_sentence(variant: BoardVariant, text: str) -> Sentence | None:
    """What the quick reader says that a line means."""
    spelling = canonical_of(variant).spelling
    match = spelling.match(text)
    return spelling.sentence(match) if match else None


def quick_text(variant: BoardVariant, line: str) -> str | None:
    """The canonical text of a line by the quick reader."""
    spelling = canonical_of(variant).spelling
    match = spelling.match(line)
    return spelling.canonical(match) if match else None


def test_the_sentence_of_a_canonical_line_is_what_the_language_reads() -> None:
    """Also where nothing of the sort could be ordered: the sentence says what the words mean, whatever stands where."""
    variant = view_of("austria").state.variant
    language, chance = language_of(variant), random.Random("sentences")
    places, patterns = variant.board.places, ("{} H", "{} - {p}", "{} - {p} VIA CONVOY", "{} S {}", "{} C {}")
    answered = 0
    for pattern in (*patterns, "{} S {} - {p}", "{} C {} - {p}") * 150:
        units = [f"{chance.choice('AF')} {chance.choice(places)}" for _ in range(2)]
        text = pattern.format(*units, p=chance.choice(places))
        sentence = quick_sentence(variant, text)
        if sentence is not None:
            answered += 1
            assert sentence == language.read(text), text
    assert answered > 600


def test_the_sentence_of_a_line_with_full_names_or_a_misspelt_one_is_what_the_language_reads() -> None:
    """In all spellings and with letters wrong anywhere: where the quick reader answers it says the same."""
    variant = view_of("austria").state.variant
    language, chance = language_of(variant), random.Random("names")
    places, patterns = variant.board.places, ("{} H", "{} - {p}", "{} - {p} VIA CONVOY", "{} S {}", "{} C {}")
    answered = unknown = 0
    for pattern in (*patterns, "{} S {} - {p}", "{} C {} - {p}") * 150:
        units = [f"{chance.choice('AF')} {chance.choice(places)}" for _ in range(2)]
        text = pattern.format(*units, p=chance.choice(places))
        text = spelt(text, has_words=chance.random() < 0.5, has_names=chance.random() < 0.7)
        for _ in range(chance.randrange(3)):
            at = chance.randrange(len(text))
            text = text[:at] + chance.choice("aehinorst. -/") + text[at + chance.randrange(2) :]
        sentence = quick_sentence(variant, text)
        if sentence is not None:
            names = [words.name for words in (sentence.unit, sentence.of) if words] + [sentence.to]
            answered, unknown = answered + 1, unknown + any(name and not name.provinces for name in names)
            assert sentence == language.read(text), text
    assert answered > 350
    assert unknown > 50


@pytest.mark.parametrize("word", [*sorted(WORDS_WITH_MEANINGS), "germany", "austrian", "nor", "livr", "xyz", "x"])
def test_a_word_that_is_no_place_is_read_at_once_only_if_it_means_nothing_else(word: str) -> None:
    variant = view_of("austria").state.variant
    language = language_of(variant)
    for name in (word, f"xyz {word}", f"{word} xyz", f"{word}/nc", 240 * word, " ".join(6 * ["xyz"])):
        for pattern in ("a {} holds", "a bud - {}", "f nth c a {} to bel", "f {} supports a lon to {}", "A {} H"):
            text = pattern.format(*[name.upper() if pattern.isupper() else name] * 2)
            sentence = quick_sentence(variant, text)
            assert sentence is None or sentence == language.read(text), text


def test_an_order_given_twice_is_one_also_when_its_text_is_known() -> None:
    state = RULES.play.load(dense_phase(5).document())
    power, lines = next(iter(dense_phase(5).sheets.items()))
    view = RULES.sight.view(state, Playing(PowerId(power)))
    for _ in range(2):
        assert len(RULES.orders.parse(f"{lines[0]}\n{lines[0]}", view).orders) == 1


NAMES = {str(place): province.name for place, province in view_of("austria").state.variant.board.provinces.items()}
WHOLE_WORDS = {"A": "army", "F": "Fleet", "H": "holds", "S": "supports", "C": "Convoys", "-": "to"}


def spelt(line: str, *, has_words: bool, has_names: bool) -> str:
    """A canonical line as people write it: with whole words, full names, or both."""

    def word(text: str) -> str:
        place, stroke, coast = text.partition("/")
        if place in NAMES:
            return f"{NAMES[place] if has_names else place.lower()}{stroke}{coast}"
        return WHOLE_WORDS.get(text, text.lower()) if has_words else text.lower()

    return " ".join(map(word, line.split(" ")))


def both_ways(state: State, power: str, line: str) -> tuple[object, object, bool]:
    """What a line is with the quick reader of spellings, without it, and whether that one knew it."""
    view = RULES.sight.view(state, Playing(PowerId(power)))
    quick = RULES.orders.parse(line, view)
    is_known = quick_text(state.variant, line) is not None
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Spelling, "match", lambda self, line: None)
        sentences.clear()
        slow = RULES.orders.parse(line, view)
    return quick, slow, is_known


@pytest.mark.parametrize("seed", range(6))
def test_full_names_mean_what_the_reader_of_words_says(seed: int) -> None:
    """Orders of a crowded board, right ones and odd ones, in all spellings: the same orders, columns and errors."""
    phase = dense_phase(seed)
    state = RULES.play.load(phase.document())
    chance = random.Random(seed)
    places = list(state.variant.board.places)
    known = asked = 0
    for power, lines in phase.sheets.items():
        for line in lines:
            unit, place, other = line.partition(" - ")[0], chance.choice(places), chance.choice(lines)
            odd = (f"{unit} - {place}", f"{line[:5]} S {other}", line.replace("A ", "F "), f"{line} VIA CONVOY")
            for text in (line, *odd):
                for has_words, has_names in ((False, True), (True, True), (True, False)):
                    written = spelt(text, has_words=has_words, has_names=has_names)
                    quick, slow, is_known = both_ways(state, power, written)
                    assert quick == slow, written
                    known, asked = known + is_known, asked + 1
    assert known > asked / 2, f"{known} of {asked} are read quickly"


def test_every_name_of_a_place_is_read_as_the_reader_of_words_does() -> None:
    """Each place in each role: what can't be told apart by names is left to that reader."""
    variant = view_of("austria").state.variant
    language = language_of(variant)
    told = 0
    for place in variant.board.places:
        name = spelt(place, has_words=False, has_names=True)
        helps = (f"fleet {name} s a budapest", f"f {name} c a bud to {name}")
        for line in (f"army {name} holds", f"a Budapest - {name}", *helps):
            canonical = quick_text(variant, line)
            if canonical is not None:
                told += 1
                assert _meant(language.read(line)) == _meant(language.read(canonical)), line
    assert told > 200


def _meant(sentence: object) -> tuple[object, ...]:
    """What a sentence says, wherever its words stand."""
    assert isinstance(sentence, Sentence)
    units = [words and (words.kind, words.name.provinces, words.name.coast) for words in (sentence.unit, sentence.of)]
    to = sentence.to and (sentence.to.provinces, sentence.to.coast)
    return sentence.verb, sentence.via, sentence.through, *units, to


def test_an_order_in_two_spellings_is_one() -> None:
    assert read(view_of("austria"), "A BUD - SER\nArmy Budapest to Serbia") == ["A BUD - SER"]
