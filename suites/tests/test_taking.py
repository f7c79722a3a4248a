"""The curated set is taken: counted side by side, timed alone by the clock, and what has no figures says why."""

import multiprocessing
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from eagerdiff import FIGURES, Subject, benchmark_subjects, curated_subjects, load_catalog, measure_subjects
from eagerdiff.harness.benchmark import figures, taking
from eagerdiff.harness.benchmark.curated import covered, traits
from eagerdiff.harness.benchmark.figures import Measured
from eagerdiff.harness.benchmark.subject import OFFLINE
from eagerdiff.suites.tests.ending import end_soon, soon

FOUND = {one.name: one for one in benchmark_subjects(load_catalog(["symbolic"]), "cpu")}
PAIR = [FOUND["symbolic/dynamo.static:mlp"], FOUND["symbolic/dynamo.dynamic:mlp"]]


def test_what_is_timed_is_timed_while_nothing_else_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def measure(subject: Subject, *, before_times: Callable[[], object]) -> Measured:
        (tmp_path / subject.implementation.name).touch()
        while len(list(tmp_path.glob("dynamo.*"))) < 2:  # both are counted at once, or the test does not end
            time.sleep(0.01)
        (tmp_path / f"counted.{subject.implementation.name}").touch()
        before_times()
        assert len(list(tmp_path.glob("counted.*"))) == 2
        (tmp_path / "timing").touch(exist_ok=False)  # raises where another is timed
        time.sleep(0.1)
        (tmp_path / "timing").unlink()
        return Measured(figures={"guards": 1.0})

    monkeypatch.setattr(taking, "measure", measure)
    assert [(one.figures, one.why) for one in measure_subjects(PAIR, slots=2)] == [({"guards": 1.0}, "")] * 2


def test_all_are_counted_before_one_is_timed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A core that has counted one goes on with the next: no core waits for what another counts."""

    def measure(subject: Subject, *, before_times: Callable[[], object]) -> Measured:
        (tmp_path / subject.implementation.name).touch()
        before_times()
        return Measured(figures={"counted": float(len(list(tmp_path.iterdir())))})

    monkeypatch.setattr(taking, "measure", measure)
    told: list[str] = []
    taken = measure_subjects(PAIR, slots=1, counted=lambda subject: told.append(subject.name))
    assert [one.figures for one in taken] == [{"counted": 2.0}] * 2
    assert told == [PAIR[1].name, PAIR[0].name]


def test_who_takes_one_alone_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def measure(subject: Subject, *, before_times: Callable[[], object]) -> Measured:
        before_times()
        return Measured(figures={"guards": 1.0})

    monkeypatch.setattr(taking, "measure", measure)
    others = {*multiprocessing.active_children()}  # a device's, of another file's tests
    taken = measure_subjects(PAIR, slots=2)
    assert next(taken).figures == {"guards": 1.0}
    assert len({*multiprocessing.active_children()} - others) == 1  # it waits to be timed
    taken.close()
    assert {*multiprocessing.active_children()} <= others


def test_forks_that_wait_end_with_who_forked_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def measure(subject: Subject, *, before_times: Callable[[], object]) -> Measured:
        (tmp_path / str(os.getpid())).touch()
        before_times()
        return Measured(figures={})

    monkeypatch.setattr(taking, "measure", measure)
    taking_all = multiprocessing.get_context("fork").Process(
        target=lambda: list(measure_subjects(PAIR, slots=2, counted=lambda subject: time.sleep(600)))
    )
    taking_all.start()
    assert soon(lambda: len(list(tmp_path.iterdir())) == 2)
    taking_all.kill()
    taking_all.join()
    assert end_soon(int(one.name) for one in tmp_path.iterdir())


def test_what_watching_costs_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for the code that Inductor generates imports Inductor: a million calls, where it was not there."""

    def costly(run: Callable[[], object]) -> list[str]:
        for number in range(9_000_000):
            abs(number)
        run()
        return []

    monkeypatch.setattr(figures, "generated_by", costly)
    (one,) = measure_subjects(PAIR[:1])
    assert 0 < one.figures["compile_calls"] < 9_000_000


def test_what_has_no_figures_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def measure(subject: Subject, *, before_times: Callable[[], object]) -> Measured:
        threading.Thread(target=time.sleep, args=(600,)).start()
        if subject is PAIR[0]:
            os._exit(3)
        raise ValueError("planted\nin two lines")

    monkeypatch.setattr(taking, "measure", measure)
    told = {one.subject.name: one.why for one in measure_subjects(PAIR)}
    assert told == {
        PAIR[0].name: "its process ended with exit code 3",
        PAIR[1].name: "ValueError: planted in two lines",
    }


def test_a_call_that_a_rule_refuses_is_counted_and_left_out() -> None:
    """An export specialises on 0 and 1: a batch of 1, one of 0, and 7 tokens padded to a multiple of 8, one block."""
    (one,) = measure_subjects([FOUND["symbolic/export.auto:pad_to_multiple"]])
    assert one.why == ""
    assert one.figures["refused"] == 3
    assert one.figures["microseconds"] > 0
    keeps_nothing = {"warm_seconds"}  # an export is in no cache
    assert set(one.figures) == {name for name, kind in FIGURES.items() if "cpu" in kind.on} - keeps_nothing
    kernel = next(one for one in benchmark_subjects(load_catalog(["block_copy"]), "cpu") if one.on == OFFLINE)
    (one,) = measure_subjects([kernel])
    assert set(one.figures) == {name for name, kind in FIGURES.items() if OFFLINE in kind.on}


def test_what_is_covered_is_told_by_kind() -> None:
    """A pair without figures takes with it what it alone stands for."""
    chosen = curated_subjects(FOUND.values())
    everything = {one.name for one in chosen}
    assert all(missing == [] for _, missing in covered(FOUND.values(), everything).values())
    lost = next(one for one in chosen if one.implementation.backend == "aoti")
    kinds = covered(FOUND.values(), everything - {lost.name})
    assert {kind for kind, (_, missing) in kinds.items() if missing} <= {trait[0] for trait in traits(lost)}
    assert any(missing for _, missing in kinds.values())
