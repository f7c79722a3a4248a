"""How near to their limits passes come: what is counted, and what the page shows of it."""

import pytest

from eagerdiff.harness.report.closeness import closeness_of
from eagerdiff.harness.results.closeness import EXACT, Closeness
from eagerdiff.harness.results.results import Results, Row


@pytest.mark.parametrize(
    ("excess", "rmse", "eager", "limit", "times"),
    [
        (0.0, 0.0, 0.0, "0", "0"),
        (0.01, 1.0, 2.0, "1 %", "½ ×"),
        (0.011, 2.0, 2.0, "10 %", "1 ×"),
        (0.3, 2.1, 1.0, "30 %", "4 ×"),
        (0.31, 9.0, 1.0, "60 %", "more"),
        (1.0, 1.0, 0.0, "100 %", EXACT),
    ],
)
def test_a_case_is_counted_in_the_first_bin_that_holds_it(
    excess: float, rmse: float, eager: float, limit: str, times: str
) -> None:
    counted = Closeness()
    counted.count({"excess": excess, "rmse": rmse, "eager_rmse": eager})
    assert (counted.limit, counted.eager, counted.cases) == ({limit: 1}, {times: 1}, 1)


def test_a_case_that_must_be_equal_is_not_counted() -> None:
    counted = Closeness()
    counted.count({"compiles": 2.0})
    assert counted.cases == 0


def test_the_page_adds_up_an_operators_rows_and_names_the_nearest() -> None:
    rows = [
        Row(
            operator=operator, implementation=name, device="cpu", closeness=Closeness(limit=limit, eager={"1 ×": cases})
        )
        for operator, name, limit, cases in (
            ("moe", "calm", {"1 %": 6}, 6),
            ("moe", "near", {"1 %": 1, "100 %": 3}, 4),
            ("symbolic", "far", {"0": 1}, 1),
        )
    ]
    shown = closeness_of(Results(rows=[*rows, Row(operator="none", implementation="x", device="cpu")]))
    assert shown is not None
    assert [one.cases for one in shown.limit.lines["moe"]] == [0, 7, 0, 0, 0, 3]
    assert [one.heat for one in shown.limit.lines["moe"]] == [0, 4, 0, 0, 0, 2]
    assert list(shown.eager.lines) == ["moe", "symbolic"]
    assert [(near.row.implementation, near.cases, near.share) for near in shown.nearest] == [("near", 3, 0.75)]


def test_a_report_without_measured_passes_has_no_such_section() -> None:
    assert closeness_of(Results(rows=[Row(operator="moe", implementation="x", device="cpu", cases=3)])) is None
