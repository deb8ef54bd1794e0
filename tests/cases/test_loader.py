"""Cases that are not written as README.md says are refused by name, not passed over."""

from __future__ import annotations

import pytest

import tests.cases
from tests.cases import BadCase, load_cases

GOOD = '[[case]]\nid = "1"\ntitle = "It holds"\n[[case.turn]]\norders.red = [["A BUD H", "succeeds"]]\n'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (GOOD.replace('id = "1"', ""), "It holds: no id"),
        (GOOD.replace("title", "name"), "1: no title"),
        (GOOD.replace("case.turn", "case.turns"), "1: no turn"),
        (GOOD.replace('["A BUD H", "succeeds"]', '"A BUD H"'), "orders of red are not pairs"),
        (GOOD.replace('["A BUD H", "succeeds"]', '["A BUD H"]'), "orders of red are not pairs"),
        (GOOD.replace("succeeds", "refused V01"), "1: 'A BUD H' can't come to 'refused V01'"),
        (GOOD.replace("succeeds", "invalid"), "1: 'A BUD H' is refused without a code"),
        (GOOD + GOOD, "two cases have this id"),
    ],
)
def test_a_case_that_lacks_something_is_refused(
    text: str, complaint: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("cases")
    monkeypatch.setattr(tests.cases, "FOLDER", folder)
    (folder / "some.toml").write_text(GOOD, encoding="utf-8")
    assert len(load_cases("*.toml")) == 1
    (folder / "some.toml").write_text(text, encoding="utf-8")
    with pytest.raises(BadCase, match=complaint):
        load_cases("*.toml")
