"""The search draws the same from the same seed, and shrinks to the fewest calls and the smallest sizes."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import Phase, find, settings
from hypothesis import strategies as st

from eagerdiff import (
    Case,
    Drawing,
    Implementation,
    Operator,
    Oracle,
    Outcome,
    Showing,
    Status,
    Verdict,
    Workload,
    dynamic,
    static,
)
from eagerdiff.harness.model.verdict import passed
from eagerdiff.harness.search.batch import Batch
from eagerdiff.harness.search.drawing import Draw, draws, workloads
from eagerdiff.harness.search.hunt import Ours, Report, Shrinking, Stopped
from eagerdiff.harness.search.settings import search_settings
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.suites.tests.misbehaving import OPERATOR, Doubling

AMPLE = Shrinking(seconds=600.0)
"""Time enough on a machine that does much else, too."""


def implementation(name: str) -> Implementation:
    return next(found for found in OPERATOR.implementations if found.name == name)


def judging(wrong: Callable[[list[int]], str]) -> Callable[[Workload], Outcome]:
    """Return a `run` that fails, with a reason, on the sizes that `wrong` objects to."""

    def run(workload: Workload) -> Outcome:
        reason = wrong([case.size for case in workload.cases if isinstance(case, Doubling)])
        status = Status.RAISED if reason else Status.PASSED
        return Outcome(verdicts=[passed()], workload=Verdict(status=status, reason=reason, oracle=Oracle.RAISE))

    return run


def search(
    wrong: Callable[[list[int]], str],
    batches: int = 10,
    shrinking: Shrinking = AMPLE,
    operator: Operator = OPERATOR,
) -> Report:
    for index in range(batches):
        batch = Batch(operator, implementation("right"), "cpu", index)
        report = batch.explore(judging(wrong), shrinking=shrinking)
        if report.finding is not None:
            return report
    raise AssertionError("nothing was found")


def sizes(report: Report) -> list[int]:
    assert report.finding is not None
    return [case["size"] for case in report.finding.workload]


def test_a_size_bug_shrinks_to_one_call_of_the_least_size() -> None:
    report = search(lambda sizes: "too large" if max(sizes) >= 17 else "")
    assert sizes(report) == [17]
    assert report.finding is not None
    assert report.finding.shrunk


def test_a_finding_shows_what_its_case_calls_where_cases_call_different_things() -> None:
    report = search(
        lambda sizes: "wrong",
        operator=replace(OPERATOR, showing=Showing(source=lambda case: "the same for every case")),
    )
    assert report.finding is not None
    assert report.finding.source == ""
    operator = replace(OPERATOR, showing=Showing(listing=lambda case: f"double {case}"))
    report = search(lambda sizes: "wrong", operator=operator)
    assert report.finding is not None
    assert report.finding.source.startswith("double")


def test_each_example_of_a_batch_is_drawn_by_itself() -> None:
    met: set[int] = set()

    def run(workload: Workload) -> Outcome:
        met.add(workload.cases[0].seed)
        return Outcome(verdicts=[passed()], workload=passed())

    far_apart = st.builds(Doubling, size=st.integers(0, 40), seed=st.integers(0, 2**40))
    Batch(replace(OPERATOR, cases=lambda: far_apart), implementation("right"), "cpu", examples=20).explore(run)
    assert len(met) == 20  # Hypothesis' own variations of an example share its first call


def test_what_an_example_draws_first_has_all_its_values() -> None:
    """Hypothesis has no example begin as one before it did, and before each stands the smallest."""
    met: set[int] = set()

    def run(workload: Workload) -> Outcome:
        met.update(case.size for case in workload.cases[:1] if isinstance(case, Doubling))
        return Outcome(verdicts=[passed()], workload=passed())

    few = st.builds(Doubling, size=st.sampled_from((1, 2, 3)), seed=st.integers(0, 2**40))
    Batch(replace(OPERATOR, cases=lambda: few), implementation("right"), "cpu", examples=20).explore(run)
    assert met == {1, 2, 3}


def test_a_size_bug_of_a_first_workload_shrinks_as_far() -> None:
    for seed in range(12):
        run = judging(lambda sizes: "too large" if max(sizes) >= 17 else "")
        report = Batch(OPERATOR, implementation("abort"), "cpu", campaign_seed=seed).explore(run)
        assert report.finding is not None
        assert [case["size"] for case in report.finding.workload] == [17]


def test_workloads_are_short_where_cases_with_a_structure_are_explored_and_there_alone() -> None:
    """Other programs teach more than other sizes there; of a few programs, each is called at many sizes."""

    def longest(**drawing: Any) -> int:
        found: list[Workload] = []

        def run(workload: Workload) -> Outcome:
            found.append(workload)
            return Outcome(verdicts=[passed()], workload=passed())

        operator = replace(OPERATOR, drawing=replace(OPERATOR.drawing, **drawing))
        Batch(operator, implementation("right"), "cpu", index=1, examples=40).explore(run)
        lengths = sorted(len(one.cases) for one in found)
        return lengths[len(lengths) // 2]

    assert longest(exploratory=True, shrinks_itself=True) <= 4
    assert longest(exploratory=True) > 4


def test_a_history_bug_shrinks_to_two_calls_of_the_least_sizes() -> None:
    def wrong(sizes: list[int]) -> str:
        large = [index for index, size in enumerate(sizes) if size >= 20]
        return "stale" if large and any(5 <= size < 20 for size in sizes[large[0] :]) else ""

    assert sizes(search(wrong)) == [20, 5]


def test_a_first_call_that_does_not_matter_is_dropped() -> None:
    small, large = st.builds(Doubling, size=st.integers(0, 3)), st.builds(Doubling, size=st.integers(0, 40))

    def further(first: Doubling) -> st.SearchStrategy[Doubling]:
        return large

    # No first call can fail.
    operator = replace(OPERATOR, cases=lambda: small, drawing=Drawing(workload_cases=further))
    run = judging(lambda sizes: "large" if max(sizes) >= 9 else "")
    report = Batch(operator, implementation("right"), "cpu").explore(run, shrinking=AMPLE)
    assert sizes(report) == [9]


def test_the_calls_that_do_not_matter_go_first() -> None:
    for index in range(30):
        run = judging(lambda sizes: "too large" if max(sizes) >= 17 else "")
        report = Batch(OPERATOR, implementation("right"), "cpu", index).explore(run, shrinking=Shrinking(runs=12))
        if report.original is not None and len(report.original.workload) >= 12:
            assert len(sizes(report)) == 1
            return
    raise AssertionError("no long workload failed")


def test_an_operators_own_simpler_workloads_follow_hypothesis() -> None:
    def simpler(workload: Workload) -> list[Workload]:
        return [Workload(tuple(case.model_copy(update={"seed": 0}) for case in workload.cases))]

    operator = replace(
        OPERATOR,
        cases=lambda: st.builds(Doubling, size=st.integers(0, 40), seed=st.just(5)),
        drawing=Drawing(simpler=simpler),
    )
    run = judging(lambda sizes: "large" if max(sizes) >= 9 else "")
    report = Batch(operator, implementation("right"), "cpu").explore(run)
    assert report.finding is not None
    assert [(case["size"], case["seed"]) for case in report.finding.workload] == [(9, 0)]


def test_shrinking_stays_with_its_bug_and_remembers_the_other() -> None:
    def wrong(sizes: list[int]) -> str:
        return "large" if max(sizes) >= 30 else "odd" if max(sizes) in (3, 5, 7, 9, 11) else ""

    claimed: list[Finding] = []

    def claim(found: Finding) -> bool:
        claimed.append(found)
        return found.verdict.reason == "large"

    for index in range(10):
        report = Batch(OPERATOR, implementation("right"), "cpu", index).explore(judging(wrong), claim)
        if report.finding is not None:
            assert sizes(report) == [30]
            assert all(found.verdict.reason == "odd" for found in report.others)
            return
    raise AssertionError("nothing was found")


def test_shrinking_ends_at_its_cap_with_the_best_so_far() -> None:
    runs: list[int] = []

    def wrong(sizes: list[int]) -> str:
        runs.append(1)
        return "too large" if max(sizes) >= 17 else ""

    report = search(wrong, shrinking=Shrinking(runs=0))
    assert report.finding is not None
    assert not report.finding.shrunk
    assert max(sizes(report)) >= 17
    runs.clear()
    slow = search(lambda sizes: time.sleep(0.02) or wrong(sizes), shrinking=Shrinking(seconds=0.1))
    assert slow.finding is not None
    assert slow.finished


def test_what_has_a_cause_that_was_made_smaller_is_made_smaller_briefly() -> None:
    def runs_of(ours: Ours) -> int:
        runs: list[str] = []
        wrong = judging(lambda sizes: "too large" if sum(sizes) >= 40 else "")

        def run(workload: Workload) -> Outcome:
            runs.append(workload.digest)
            return wrong(workload)

        report = Batch(OPERATOR, implementation("right"), "cpu", 3).explore(run, lambda found: ours)
        assert report.finding is not None
        assert report.finding.shrunk
        return len(runs)

    assert runs_of(Ours.BRIEFLY) < Shrinking().brief.runs + 20 < runs_of(Ours.WHOLLY)


def test_a_known_group_is_passed_over() -> None:
    run = judging(lambda sizes: "too large" if max(sizes) >= 17 else "")
    report = Batch(OPERATOR, implementation("right"), "cpu").explore(run, claim=lambda found: False)
    assert report.finding is None
    assert report.finished


def test_a_paused_batch_goes_on_with_the_same_draws() -> None:
    batch = Batch(OPERATOR, implementation("right"), "cpu", 3)
    whole, first, again = list[str](), list[str](), list[str]()
    batch.explore(recording(whole))
    paused = batch.explore(recording(first), going=lambda: len(first) < 5)
    assert not paused.finished
    assert batch.explore(recording(again)).finished
    assert first == whole[:5]
    assert again == whole


def test_stopping_while_shrinking_keeps_the_finding_unshrunk() -> None:
    found: list[Finding] = []

    def claim(finding: Finding) -> bool:
        found.append(finding)
        return True

    def run(workload: Workload) -> Outcome:
        if found:
            raise Stopped
        return judging(lambda sizes: "large" if max(sizes) >= 3 else "")(workload)

    report = Batch(OPERATOR, implementation("right"), "cpu", 1).explore(run, claim)
    assert report.finding is not None
    assert not report.finding.shrunk
    assert not report.finished


def recording(digests: list[str]) -> Callable[[Workload], Outcome]:
    def run(workload: Workload) -> Outcome:
        digests.append(workload.digest)
        return Outcome(verdicts=[passed()] * len(workload.cases))

    return run


def test_the_first_workload_of_an_implementation_has_three_calls() -> None:
    sizes: list[int] = []

    def run(workload: Workload) -> Outcome:
        sizes.append(len(workload.cases))
        return Outcome(verdicts=[passed() for _ in workload.cases])

    for seed in range(20):
        Batch(OPERATOR, implementation("right"), "cpu", 0, campaign_seed=seed, examples=1).explore(run)
    assert sizes == [3] * 20


WIDE = replace(OPERATOR, cases=lambda: st.builds(Doubling, size=st.integers(0, 5000), seed=st.integers(0, 5000)))
"""Draws from ranges that hold numbers that stand in modules, which Hypothesis likes to draw."""
DRAWS = """
from eagerdiff.harness.search.batch import Batch
from eagerdiff.suites.tests.test_search import WIDE, implementation, recording
def explore(digests):
    Batch(WIDE, implementation("right"), "cpu", 2, campaign_seed=5).explore(recording(digests))
{others}
digests = []
explore(digests)
print(" ".join(digests))
"""
OTHERS = """
import threading
from hypothesis import given, settings
from eagerdiff.harness.search.drawing import draws
@settings(max_examples=200, database=None)
@given(draws(WIDE, implementation("right")))
def somebodys_test(draw):
    pass
somebodys_test()
other = threading.Thread(target=lambda: explore([]))
other.start()
other.join()
"""


@pytest.mark.parametrize("others", ["", OTHERS], ids=["alone", "after another test and another thread"])
def test_one_seed_gives_the_same_draws_in_every_process(others: str) -> None:
    here: list[str] = []
    Batch(WIDE, implementation("right"), "cpu", 2, campaign_seed=5).explore(recording(here))
    other = subprocess.run(
        [sys.executable, "-c", DRAWS.format(others=others)],
        env=os.environ | {"PYTHONHASHSEED": "123", "CI": "true"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert len(set(here)) >= 10
    assert other.stdout.split() == here


def test_another_seed_gives_other_draws() -> None:
    one, other = list[str](), list[str]()
    Batch(OPERATOR, implementation("right"), "cpu", 2, campaign_seed=5).explore(recording(one))
    Batch(OPERATOR, implementation("right"), "cpu", 2, campaign_seed=6).explore(recording(other))
    assert one != other


def test_cases_turned_down_are_reported_with_their_reasons() -> None:
    seen: list[int] = []

    def run(workload: Workload) -> Outcome:
        seen.extend(case.size for case in workload.cases if isinstance(case, Doubling))
        return Outcome(verdicts=[])

    report = Batch(OPERATOR, implementation("picky"), "cpu").explore(run)
    assert set(report.unsupported) == {"even sizes"}
    assert seen
    assert all(size % 2 for size in seen)


def test_a_drawn_case_is_moved_to_the_nearest_that_an_implementation_takes() -> None:
    seen: set[int] = set()

    def nearest(case: Doubling) -> Doubling:
        return case.model_copy(update={"size": min(case.size, 3)})

    def run(workload: Workload) -> Outcome:
        seen.update(case.size for case in workload.cases if isinstance(case, Doubling))
        return Outcome(verdicts=[])

    few = replace(implementation("right"), nearest=nearest, supports=lambda case: "large" if case.size > 3 else None)
    report = Batch(OPERATOR, few, "cpu", index=2).explore(run)
    assert not report.unsupported
    assert seen <= {0, 1, 2, 3}
    assert 3 in seen


def test_an_implementation_that_supports_nothing_runs_nothing_and_ends() -> None:
    def never_supports(case: Case) -> str:
        return "never"

    never = replace(implementation("right"), supports=never_supports)
    report = Batch(OPERATOR, never, "cpu").explore(recording([]))
    assert report.finished
    assert set(report.unsupported) == {"never"}


def test_a_strategy_that_raises_is_a_harness_error_in_one_line() -> None:
    def cases() -> st.SearchStrategy[Doubling]:
        return st.integers().map(lambda number: Doubling(size=-1))

    report = Batch(replace(OPERATOR, cases=cases), implementation("right"), "cpu").explore(recording([]))
    assert report.broken.startswith("drawing raised ValidationError")
    assert report.finding is None


@pytest.mark.parametrize("times", [1, 10**6], ids=["once", "always"])
def test_a_predicate_that_raises_is_a_harness_error_and_no_skip(times: int) -> None:
    left = [times]

    def supports(case: Doubling) -> str | None:
        left[0] -= 1
        if left[0] >= 0:
            raise KeyError("no such back end")
        return None

    for broken in ({"supports": supports}, {"nearest": supports}, {}):
        operator = OPERATOR if broken else replace(OPERATOR, drawing=replace(OPERATOR.drawing, check_inputs=supports))
        report = Batch(operator, replace(implementation("right"), **broken), "cpu").explore(recording([]))
        assert "raised KeyError: 'no such back end'" in report.broken
        assert report.unsupported == []
        left[0] = times


class Mixed(Case):
    """Have a static field and a dynamic one."""

    width: int = static(ge=1)
    size: int = dynamic(ge=0)


def mixed(drawing: Drawing[Mixed] | None = None) -> Operator:
    cases = st.builds(Mixed, width=st.integers(1, 4), size=st.integers(0, 9))
    return replace(OPERATOR, case=Mixed, cases=lambda: cases, drawing=drawing or Drawing())


QUIET = settings(search_settings(500), phases=[Phase.generate])


def threes(first: Mixed) -> st.SearchStrategy[Mixed]:
    return st.builds(Mixed, width=st.just(first.width), size=st.just(3))


@pytest.mark.parametrize("further", [None, threes])
def test_a_workload_has_one_static_key(further: Callable[[Mixed], st.SearchStrategy[Mixed]] | None) -> None:
    drawn = workloads(mixed(Drawing(workload_cases=further)), implementation("right"))
    longest = find(drawn, lambda workload: len(workload.cases) >= 4 and len(set(workload.cases)) >= 2, settings=QUIET)
    assert len({case.static_key for case in longest.cases}) == 1


def test_the_first_call_is_made_again_at_the_end() -> None:
    drawn = draws(mixed(), implementation("right"), max_cases=4)

    def returns(draw: Draw) -> bool:
        cases = draw.workload.cases if draw.workload else ()
        return len(cases) == 3 and cases[0] == cases[2] != cases[1]

    find(drawn, returns, settings=QUIET)


def test_seeds_that_a_strategy_leaves_alone_are_drawn_small() -> None:
    drawn = workloads(mixed(), implementation("right"))
    found = find(drawn, lambda workload: workload.cases[0].seed > 0, settings=QUIET)
    assert 0 < found.cases[0].seed < 8


def test_no_workload_has_no_calls() -> None:
    with pytest.raises(ValueError, match="max_cases"):
        draws(OPERATOR, implementation("right"), max_cases=0)
