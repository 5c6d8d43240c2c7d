"""What the report on a life that was made again says."""

from __future__ import annotations

from orchestration.remaking import Remade


def test_what_is_there_and_was_not_made_again_differs() -> None:
    report = Remade("ana")
    report.hold("stories", "ana-e-0", "a", "a")
    report.hold_gone("stories", ["ana-e-0", "ana-e-1"])
    assert report.same == {"stories": 1}
    assert report.different == ["stories ana-e-1"]
    assert report.text() == "ana: 1 differ: stories ana-e-1; the same: 1 stories"


def test_what_was_made_again_and_is_not_there_differs() -> None:
    report = Remade("ana")
    report.hold("question pictures", "ana-s-0", None, "a")
    assert report.different == ["question pictures ana-s-0"]
