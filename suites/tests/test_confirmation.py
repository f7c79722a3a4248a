"""Confirming a finding: in a fresh process, in one way; a time-out beside other ways of compiling the same."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import pytest

from eagerdiff.harness.model.mode import Mode
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict, passed
from eagerdiff.harness.processes import Task, Worker, patience
from eagerdiff.harness.processes.cpu_time import CpuUsage
from eagerdiff.harness.processes.patience import Overrun, Patience
from eagerdiff.harness.search.confirmation import Confirmation
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.suites.tests.misbehaving import OPERATOR

WRONG = Verdict(status=Status.WRONG_VALUE, reason="off by 3", oracle=Oracle.RMSE)
LATE = Verdict(status=Status.TIMED_OUT, reason="case 0 did not end within 60 s of CPU time", oracle=Oracle.PROCESS)
COMPILED = [
    replace(OPERATOR.implementations[0], name=name, mode=Mode.DYNAMIC, devices=("cpu",))
    for name in ("first", "second", "third")
]


class Processes:
    """Stand in for a worker: say when a process was replaced, and answer by the task."""

    def __init__(self, answer: Callable[[Task], Outcome]) -> None:
        self.said: list[str] = []
        self._answer = answer

    def renew(self, task: Task) -> None:
        self.said.append("fresh process")

    def run(self, task: Task) -> Outcome:
        self.said.append(f"{task.implementation} {[case['size'] for case in task.workload]}")
        return self._answer(task)


def finding(verdict: Verdict, *sizes: int) -> Finding:
    workload: list[dict[str, Any]] = [{"size": size} for size in sizes]
    return Finding(operator="doubling", implementation="first", device="cpu", verdict=verdict, workload=workload)


def confirmation(processes: Processes) -> Confirmation:
    return Confirmation(
        implementation=COMPILED[0],
        device="cpu",
        worker=cast(Worker, processes),
        task=Task(operator="doubling", implementation="first", workload=[]),
        siblings=COMPILED,
    )


def test_a_finding_fails_again_in_a_fresh_process_or_is_not_said_to() -> None:
    for again in (WRONG, passed()):
        processes = Processes(lambda task, again=again: Outcome(verdicts=[again]))
        confirmed = confirmation(processes).confirm(finding(WRONG, 17))
        assert confirmed is not None
        assert confirmed.reproduced is again.failed
        assert confirmed.standing == ("new" if again.failed else "flaky")
        assert processes.said == ["fresh process", "first [17]"]


def test_what_was_made_too_small_is_told_as_it_was_met() -> None:
    processes = Processes(lambda task: Outcome(verdicts=[WRONG if len(task.workload) == 2 else passed()]))
    confirmed = confirmation(processes).confirm(finding(WRONG, 17), finding(WRONG, 3, 17))
    assert confirmed is not None
    assert (len(confirmed.workload), confirmed.reproduced) == (2, True)
    assert processes.said == ["fresh process", "first [17]", "fresh process", "first [3, 17]"]


@pytest.mark.parametrize(("slow", "kept"), [({"first"}, True), ({"first", "second"}, True), (None, False)])
def test_a_time_out_is_kept_where_another_way_of_compiling_ends(slow: set[str] | None, kept: bool) -> None:
    def answer(task: Task) -> Outcome:
        late = slow is None or task.implementation in slow
        return Outcome(verdicts=[], workload=LATE) if late else Outcome(verdicts=[passed()])

    processes = Processes(answer)
    assert (confirmation(processes).confirm(finding(LATE, 17)) is not None) is kept
    assert processes.said[::2] == ["fresh process"] * (len(processes.said) // 2)


def test_a_core_that_is_slow_just_now_is_given_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    used, slowness = [0.0], [2.0]
    monkeypatch.setattr(patience, "cpu_usage", lambda pid: CpuUsage(used[0], busy=True))
    monkeypatch.setattr(patience, "slowness", lambda: slowness[0])
    waiting = Patience(1, cpu_seconds=10.0, idle_seconds=60.0)
    assert waiting.ended() is None
    used[0] = 15.0
    assert waiting.ended() is None
    used[0] = 21.0
    assert waiting.ended() == Overrun("did not end within 10 s of CPU time", idle=False)


def test_a_process_that_waits_for_a_core_does_not_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    now, busy = [100.0], [True]
    monkeypatch.setattr(patience, "cpu_usage", lambda pid: CpuUsage(0.0, busy[0]))
    monkeypatch.setattr(patience.time, "monotonic", lambda: now[0])
    waiting = Patience(1, cpu_seconds=10.0, idle_seconds=60.0)
    assert waiting.ended() is None
    now[0] += 1000.0
    assert waiting.ended() is None
    busy[0] = False
    now[0] += 61.0
    assert waiting.ended() == Overrun("hangs: no CPU used for 60 s", idle=True)
