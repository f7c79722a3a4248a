"""Unseen: the estimate of what was not met is held against populations whose size is known."""

import random
from collections import Counter

import pytest

from eagerdiff.harness.campaign.tally import Tally
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Status, Verdict
from eagerdiff.harness.report.summary import summary
from eagerdiff.harness.report.words import left_to_find
from eagerdiff.harness.results.results import Results, Row
from eagerdiff.harness.results.unseen import Unseen

FAILED = Verdict(status=Status.WRONG_VALUE, reason="wrong")


def searched(workloads: int, causes: int, seed: int) -> tuple[Unseen, float]:
    """Return a search of so many workloads, one in four of which meets one of the causes, some a hundred times rarer.

    Besides it, the true probability that the next workload meets one that none met.
    """
    generator = random.Random(seed)
    weights = [1 / (1 + rank) for rank in range(causes)]
    met = Counter(generator.choices(range(causes), weights)[0] for _ in range(workloads) if generator.random() < 0.25)
    missed = sum(weight for cause, weight in enumerate(weights) if cause not in met) / sum(weights) / 4
    return Unseen.of("moe", workloads, 60.0, {str(name): count for name, count in met.items()}), missed


@pytest.mark.parametrize("causes", [20, 100, 400])
def test_an_estimate_is_nearer_than_what_was_met_and_no_more_than_there_is(causes: int) -> None:
    found = [searched(1000, causes, seed)[0] for seed in range(40)]
    met = sum(one.causes for one in found) / len(found)
    told = sum(one.causes + one.at_least for one in found) / len(found)
    assert met < told <= 1.05 * causes


def test_the_probability_of_something_new_is_as_it_is() -> None:
    found = [searched(1000, 200, seed) for seed in range(40)]
    told = sum(one.next_is_new for one, _ in found) / len(found)
    true = sum(missed for _, missed in found) / len(found)
    assert told == pytest.approx(true, rel=0.15)


def test_where_nothing_was_met_once_there_is_nothing_left() -> None:
    done = Unseen.of("moe", 100, 60.0, {"a": 7, "b": 9})
    assert (done.at_least, done.next_is_new) == (0, 0.0)
    assert "likely met" in left_to_find(done)


def test_workloads_of_shrinking_are_no_draws() -> None:
    tally = Tally(Row(operator="moe", implementation="bad", device="cpu"))
    tally.add([{}], Outcome(verdicts=[FAILED]))
    for _ in range(5):
        tally.add([{}], Outcome(verdicts=[FAILED]), shrinking=True)
    assert (tally.drawn, list(tally.met.values()), list(tally.failures.values())) == (1, [1], [6])


def test_the_summary_says_what_is_left() -> None:
    told = summary(Results(unseen=[Unseen.of("moe", 100, 60.0, {"a": 1, "b": 1, "c": 1, "d": 2, "e": 9})]))
    assert "moe: 5 causes of failures in 100 workloads, 3 met once: 2 more at least" in told
    assert "one workload in 33 meets a new one, 180 an hour at first" in told
