"""Whoever follows a citation finds what it names: rules in docs/rules, rulings in docs/rulings.md.

A citation is `rules 5.1, 6.2` for the page of the game in whose folder it stands, and `ruling K-23` (`F13`, `Y9`)
anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.core.ids import SystemId
from engine.registry import in_the_making, systems

ROOT = Path(__file__).parent.parent
SYSTEMS = (*systems, *in_the_making)
SUFFIXES = {".py", ".toml", ".md", ".csv"}

NUMBERED = re.compile(r"\bR-\d{3}\b|\bB\d{1,2}\b(?!-)")
"""Numbers under which Kalevala's page has what its book leaves open."""
NUMBER = r"(?:\d+(?:\.\d+)*(?: [A-F]\b)?|W\d+|R-\d{3}|B\d{1,2})"
RULES = re.compile(rf"\b[Rr]ules? (?P<list>{NUMBER}(?:(?:, (?:and )?| and | to ){NUMBER})*)(?!\d*\s*%)")
RULING_NUMBER = r"(?:K-\d\d|KA\d+|[DFYK]\d+)"
RULINGS = re.compile(rf"\b[Rr]ulings? (?P<list>{RULING_NUMBER}(?:(?:, (?:and )?| and | to ){RULING_NUMBER})*)")
DATC = {"6.A": 12, "6.B": 15, "6.C": 9, "6.D": 34, "6.E": 15, "6.F": 25, "6.G": 20, "6.H": 16, "6.I": 7, "6.J": 11}
"""How many cases each section of the DATC 3.0 has."""
ELSEWHERE = re.compile(r"§|\brules? page|\bsection \d+(?:\.\d+)* of the rule")


def places(system: str) -> Iterator[Path]:
    """The files that may cite a game's rules without naming the game."""
    for top in ("engine", "assets", "tests/cases", "tests/engine"):
        yield from (path for path in (ROOT / top / system).rglob("*") if path.suffix in SUFFIXES)


def rules_of(system: str) -> set[str]:
    """The numbers under which something stands on a game's page: `5`, `5.1`, `7 C`, `W4`, `R-051`, `B26`."""
    found: set[str] = set()
    section = ""
    for line in (ROOT / "docs/rules" / f"{system}.md").read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"#+ (\d+(?:\.\d+)?) ", line):
            section = heading[1]
            found.add(section)
        elif point := re.match(r"- (?:(\d+\.\d+|R-\d{3}|B\d{1,2})|([A-F])\.|(W\d+)\.) ", line):
            numbered, lettered, example = point.groups()
            found.add(numbered or example or f"{section} {lettered}")
    return found


TOPS = ("engine", "bot", "cogs", "assets", "tests", "docs")


def written() -> Iterator[Path]:
    """Every file with words in it, but for this one."""
    for top in TOPS:
        yield from (path for path in (ROOT / top).rglob("*") if path.suffix in SUFFIXES and path != Path(__file__))
    yield from ROOT.glob("*.md")


def listed_rulings() -> list[str]:
    return re.findall(rf"^\| ({RULING_NUMBER}) \|", (ROOT / "docs/rulings.md").read_text(encoding="utf-8"), re.M)


def rulings() -> set[str]:
    return set(listed_rulings())


def cited(pattern: re.Pattern[str], number: str, text: str) -> Iterator[str]:
    for match in pattern.finditer(text):
        yield from re.findall(number, match["list"])


def test_every_numbered_ruling_of_a_specification_stands_on_the_games_page() -> None:
    known = rules_of("kalevala")
    cited_there = {
        (str(path.relative_to(ROOT)), number)
        for path in (*places("kalevala"), ROOT / "docs/rules/kalevala.md")
        for number in NUMBERED.findall(path.read_text(encoding="utf-8"))
    }
    assert not {where for where in cited_there if where[1] not in known}


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_rule_that_is_cited_stands_on_the_games_page(system: str) -> None:
    known = rules_of(system)
    lost = {
        f"{path.relative_to(ROOT)}: rules {number}"
        for path in (*places(system), ROOT / "docs/rules" / f"{system}.md")
        for number in cited(RULES, NUMBER, path.read_text(encoding="utf-8"))
        if number not in known
    }
    assert not lost


SHARED = ("bot", "cogs", "engine/core", "engine/computer", "engine/pictures", "engine/lattice", "engine/provinces")


def test_shared_code_names_the_game_whose_rules_it_cites() -> None:
    known = {info.name: rules_of(system) for system, info in systems.infos.items()}
    lost = set()
    for path in (path for top in SHARED for path in (ROOT / top).rglob("*.py")):
        for source in re.findall(r"\bSource: (.*)", path.read_text(encoding="utf-8")):
            numbers = set(cited(RULES, NUMBER, source))
            is_found = numbers <= known.get(source.partition(",")[0], set())
            if "section" in source or not is_found:
                lost.add(f"{path.relative_to(ROOT)}: {source}")
    assert not lost


UNCITED = {
    "feudal": {"15"},
    "young_kingdoms": {"6"},
    "kregen": {"13"},
    "king_of_kings": {"16", *(f"W{number}" for number in range(1, 15))},
    "kalevala": {"6.1", "6.2"},
}
"""What stands on a page and no code carries out: examples, which are cases; and points that refer to another one."""


def code(*tops: str) -> str:
    paths = sorted(path for top in tops for path in (ROOT / top).rglob("*.py"))
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def points_of(system: str) -> set[str]:
    """What a game's page says, each under its own number: a section counts only if nothing in it has one."""
    rules = rules_of(system)
    return rules - {re.split(r"[. ]", number)[0] for number in rules if re.search(r"[. ]", number)}


def cited_in_code(system: str) -> set[str]:
    text = code(f"engine/{system}")
    found = {*cited(RULES, NUMBER, text), *NUMBERED.findall(text)}
    for source in re.findall(r"\bSource: (.*)", code(*SHARED)):
        if source.partition(",")[0] == systems.infos[SystemId(system)].name:
            found |= set(cited(RULES, NUMBER, source))
    return found


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_rule_is_cited_where_the_code_carries_it_out(system: str) -> None:
    """By its own number, which people search for: within `rules 2.1 to 2.3` nobody finds 2.2."""
    assert points_of(system) - cited_in_code(system) == UNCITED.get(system, set())


def test_every_ruling_is_cited_where_the_code_carries_it_out() -> None:
    assert rulings() - set(BARE_RULING.findall(code("engine", "bot", "cogs"))) == set()


def test_every_ruling_that_is_cited_stands_in_the_list() -> None:
    known = rulings()
    lost = {
        f"{path.relative_to(ROOT)}: {number}"
        for top in ("engine", "bot", "cogs", "assets", "tests", "docs")
        for path in (ROOT / top).rglob("*")
        if path.suffix in SUFFIXES and "migrations" not in path.parts
        for number in cited(RULINGS, RULING_NUMBER, path.read_text(encoding="utf-8"))
        if number not in known
    }
    assert not lost


def test_nothing_is_cited_that_is_not_in_the_repository() -> None:
    lost = {
        f"{path.relative_to(ROOT)}: {match[0]}"
        for top in ("engine", "bot", "cogs", "assets", "tests")
        for path in (ROOT / top).rglob("*")
        if path.suffix in SUFFIXES and path != Path(__file__)
        for match in ELSEWHERE.finditer(path.read_text(encoding="utf-8"))
    }
    assert not lost


def test_sources_of_king_of_kings_may_name_rulings_and_examples_by_their_number_alone() -> None:
    known = rulings() | rules_of("king_of_kings")
    lost = {
        f"{path.relative_to(ROOT)}: {number}"
        for path in places("king_of_kings")
        for line in path.read_text(encoding="utf-8").splitlines()
        for number in re.findall(r"\bK-\d\d\b|\bW[1-9]\d*\b" if line.startswith("source = ") else r"\bK-\d\d\b", line)
        if number not in known
    }
    assert not lost


BARE_RULING = re.compile(rf"(?<![\w./#-])(?!D100\b){RULING_NUMBER}(?![\w-])")
BARE_EXAMPLE = re.compile(r"(?<![\w./#-])W[1-9]\d*\b(?!-)")


def test_what_looks_like_a_ruling_or_an_example_is_one_without_the_word_too() -> None:
    known = rulings()
    lost = {
        f"{path.relative_to(ROOT)}: {number}"
        for path in written()
        for number in BARE_RULING.findall(path.read_text(encoding="utf-8"))
        if number not in known
    }
    examples = rules_of("king_of_kings")
    lost |= {
        f"{path.relative_to(ROOT)}: {number}"
        for path in places("king_of_kings")
        for number in BARE_EXAMPLE.findall(path.read_text(encoding="utf-8"))
        if number not in examples
    }
    assert not lost


PATH = re.compile(r"(?<![\w/.-])(?:engine|bot|cogs|tests|docs|assets)/[\w./-]*\.(?:py|md|toml|csv|png|json|txt|otf)\b")
FILE = re.compile(r"`(?:[\w-]+/)*([\w-]+\.py)\b")
MADE_UP = "/nine"
"""The new game of docs/architecture.md."""


def test_every_file_that_is_named_is_there() -> None:
    names = {path.name for top in (*TOPS, ".ci") for path in (ROOT / top).rglob("*.py")}
    lost = set()
    for path in written():
        text = path.read_text(encoding="utf-8")
        lost |= {(path.name, named) for named in PATH.findall(text) if not (ROOT / named).exists()}
        lost |= {(path.name, named) for named in FILE.findall(text) if named not in names}
    assert not {(where, named) for where, named in lost if MADE_UP not in named}


def test_every_case_of_the_datc_that_is_cited_is_one() -> None:
    lost = {
        f"{path.relative_to(ROOT)}: {section}.{number}"
        for top in ("engine", "bot", "tests/cases", "tests/engine", "docs")
        for path in (ROOT / top).rglob("*")
        if path.suffix in SUFFIXES
        for section, number in re.findall(r"DATC (?:3\.0, )?(\d\.[A-Z])\.(\d+)", path.read_text(encoding="utf-8"))
        if (section[0] == "6" and int(number) > DATC.get(section, 0)) or section[0] not in "456"
    }
    assert not lost


def test_every_link_in_the_docs_leads_to_a_file() -> None:
    pages = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")]
    lost = {
        f"{page.relative_to(ROOT)}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    }
    assert not lost


def test_a_citation_that_leads_nowhere_is_found() -> None:
    """The test's own eyes: it reads lists, ranges, letters and rulings."""
    text = "Source: rules 5, 7 C and 12 F; Rulings K-10, K-11 and F2."
    assert list(cited(RULES, NUMBER, text)) == ["5", "7 C", "12 F"]
    assert list(cited(RULINGS, RULING_NUMBER, text)) == ["K-10", "K-11", "F2"]
    assert list(cited(RULES, NUMBER, "Source: rules B13, R-051, 16.2")) == ["B13", "R-051", "16.2"]
    assert "5.1" in rules_of("king_of_kings")
    assert "7 C" in rules_of("feudal")
    assert "99" not in rules_of("kregen")
    assert BARE_RULING.findall("D99, (F98) and KA97; no D100, x/D99 or K-97b") == ["D99", "F98", "KA97"]
    assert BARE_EXAMPLE.findall("as in W99, W-1 and W98-x") == ["W99"]
    assert PATH.findall("see bot/gone.py and `tests/x/y.toml`") == ["bot/gone.py", "tests/x/y.toml"]
    assert FILE.findall("`classic/gone.py` or `gone.py: submit`") == ["gone.py", "gone.py"]


def test_the_tests_that_are_said_to_be_worth_their_time_are_there() -> None:
    named = re.findall(r"^\| `(tests/[^`:]+)::(\w+)`", (ROOT / "docs/testing.md").read_text(encoding="utf-8"), re.M)
    assert len(named) == 25
    assert [
        (file, name) for file, name in named if f"def {name}(" not in (ROOT / file).read_text(encoding="utf-8")
    ] == []


def test_no_two_rulings_have_the_same_number() -> None:
    numbers = listed_rulings()
    assert [number for number in set(numbers) if numbers.count(number) > 1] == []
