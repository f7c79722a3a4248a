"""History: a week of nights is told as it was, lines are never lost, and a night is judged by those before it."""

from pathlib import Path

import pytest

from eagerdiff.harness.catalog.provenance import home
from eagerdiff.harness.cli.application import invoke
from eagerdiff.harness.history import History, HistoryError, past_of
from eagerdiff.harness.history.history import schema
from eagerdiff.harness.results.past import State
from eagerdiff.suites.tests.nights import TOLD, WEEK, night


@pytest.mark.parametrize("last", range(7))
def test_a_week_is_told_night_by_night(last: int) -> None:
    past = past_of(WEEK[: last + 1])
    said = {
        one.implementation: one.state.value
        + (f": {', '.join(map(str, one.changed))}" if one.turned and one.changed else "")
        for one in past.standings
    }
    assert said == TOLD[last]
    assert past.nights == last
    assert past.before == (WEEK[last - 1].when if last else "")
    assert past.worse == sum(told.split(":")[0] in ("new", "returned") for told in TOLD[last].values())


def test_what_a_night_did_not_come_to_stands_as_it_was_last_seen() -> None:
    past = past_of(WEEK[:5])
    assert not any(one.tonight or one.turned for one in past.standings)
    assert {one.last_seen for one in past.standings} == {WEEK[3].when}
    assert past.of(State.STILL) == past.of(State.FIXED) == []


def test_what_was_kept_before_any_night_is_neither_new_nor_worse() -> None:
    kept = night(1, "FF-")
    kept.seen[0].found = False
    past = past_of([kept])
    assert [(one.implementation, one.state.value) for one in past.standings] == [
        ("compiler", "new"),
        ("kernel", "still"),
    ]
    assert past.worse == 1


def test_what_is_flaky_is_settled_by_a_change_and_then_tells_one_way() -> None:
    past = past_of([night(1, "F--"), night(2, "P--"), night(3, "P--"), night(4, "P--", commit="b")])
    (kernel,) = past.standings
    assert (kernel.state, kernel.since) == (State.FIXED, night(4, "---").when)
    assert past_of([night(1, "F--"), night(2, "P--"), night(3, "P--")]).standings[0].state is State.FLAKY


def test_a_trend_has_a_point_for_each_night_in_which_it_ran() -> None:
    past = past_of(WEEK)
    (compiler,) = [one for one in past.trends if one.implementation == "compiler"]
    assert [point.cases for point in compiler.points] == [2, 3, 4, 6, 7]


def test_nights_are_appended_and_read_again(tmp_path: Path) -> None:
    history = History(tmp_path)
    assert history.nights() == []
    for one in WEEK:
        history.append(one)
    assert history.nights() == WEEK


def test_half_a_line_is_what_a_killed_run_left_and_is_written_over(tmp_path: Path) -> None:
    history = History(tmp_path)
    history.append(WEEK[0])
    with history.path.open("a") as file:
        file.write('{"version": 1, "when": "2026')
    assert history.nights() == WEEK[:1]
    history.append(WEEK[1])
    assert history.nights() == WEEK[:2]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"version": 99}', "newer eagerdiff (version 99"),
        ("{}", "no version"),
        ("[1]", "no version"),
        ("nonsense", "is not JSON"),
        ('{"version": 1, "when": 3}', "malformed: when"),
    ],
)
def test_a_damaged_history_is_one_line(line: str, said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    history = History(tmp_path)
    history.path.write_text(line + "\n")
    with pytest.raises(HistoryError, match=r"history .*nights\.jsonl") as error:
        history.nights()
    assert said in str(error.value)
    assert invoke(["nightly", "--operator", "moe", "--history", str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    printed = capfd.readouterr().err
    assert said in printed
    assert len(printed.splitlines()) == 1


def test_the_schema_is_the_one_that_is_published() -> None:
    assert (home() / "docs" / "history.schema.json").read_text() == schema()
