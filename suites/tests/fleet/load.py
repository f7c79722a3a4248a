"""What a driver bears: `python -m eagerdiff.suites.tests.fleet.load CASES [FINDINGS CAUSES]` counts cheap cases.

Each goes the way that a crew's does: a line, taken in by a remote hand, written into the journal, counted. It prints
how much memory a case costs the driver, how many bytes the journal takes, and how long the report takes to render.
"""

import json
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from eagerdiff.harness.campaign import Campaign
from eagerdiff.harness.campaign.events import Drawn, Event, Found, Judged, Started, TargetKey
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.fleet import Fleet, Hello, Lease
from eagerdiff.harness.fleet.lease import Ended, told_line
from eagerdiff.harness.model.case import RecordedCase
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict, passed
from eagerdiff.harness.model.workload import Workload
from eagerdiff.harness.report import page
from eagerdiff.harness.results.results import Results
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.suites.tests.crews import Placed, setup
from eagerdiff.suites.tests.misbehaving import OPERATOR, SPEC

CALLS = 20
"""Of a workload."""
WORKLOADS = 50
"""Of a batch."""


class Busy:
    """Be a crew that has judged everything already: what a driver does is all that takes time."""

    def __init__(self, findings: int = 0, causes: int = 1, every: int = 1) -> None:
        told = setup(SPEC, OPERATOR.name)
        self.name, self.lanes, self.there = "busy", 1, True
        names = ["right", "wrong"]
        able = [TargetKey(OPERATOR.name, name, "cpu") for name in names]
        self.hello = Hello(build=told.build, environment={}, open=able, obstacles=[])
        self._findings, self._causes, self._every = findings, causes, every
        self._found = 0
        self.spent = 0.0
        """CPU seconds of what a real crew would do elsewhere: making the lines."""

    def work(self, lane: int, lease: Lease) -> Iterator[bytes]:
        """Tell of a batch of passing calls, with a finding at times."""
        began = time.process_time()
        events = list(self._events(lease))
        lines = [told_line(event.model_copy(update={"number": number})) for number, event in enumerate(events)]
        number = len(lines)
        self.spent += time.process_time() - began
        yield from lines
        yield told_line(
            Ended(
                number=number, lease=lease.number, finished=True, fresh=WORKLOADS, uncharged=0.0, shrunk=0.0, busy=0.1
            )
        )

    def stop(self, lane: int) -> None:
        """Do nothing: nothing takes long."""

    def _events(self, lease: Lease) -> Iterator[Event]:
        target = lease.target
        for at in range(WORKLOADS):
            first = (lease.batch * WORKLOADS + at) * CALLS
            workload = Workload.from_data(RecordedCase, [{"seed": 0, "size": first + call} for call in range(CALLS)])
            verdicts = [_passed(first + call) for call in range(CALLS)]
            if target.implementation == "wrong" and self._found < self._findings and at % self._every == 0:
                verdicts[-1] = self._failing()
            yield Started(target=target, batch=lease.batch, digest=workload.digest, workload=workload.to_data())
            outcome = Outcome(verdicts=verdicts, seconds=0.02)
            failed = verdicts[-1].failed
            told = workload.to_data() if failed else []
            about = (f"operation {_word(self._found)}",) if failed else ()
            yield Judged(target=target, digest=workload.digest, outcome=outcome, workload=told, about=about)
            if failed:
                finding = Finding(
                    operator=target.operator, implementation=target.implementation, device="cpu",
                    verdict=verdicts[-1], workload=told[-1:], about=about, reproduced=True, shrunk=True,
                )  # fmt: skip
                yield Found(target=target, batch=lease.batch, finding=finding, aliases=[])
        yield Drawn(target=target, batch=lease.batch, unsupported=[])

    def _failing(self) -> Verdict:
        self._found += 1
        cause = self._found % self._causes
        return Verdict(
            status=Status.RAISED,
            oracle=Oracle.RAISE,
            reason=f"RuntimeError: cause {_word(cause)}",
            origin=f"torch/_inductor/lowering.py:{_word(cause)}",
            frame=f"torch/_inductor/lowering.py:{_word(cause)}",
            exceptions=("RuntimeError",),
        )


def _passed(number: int) -> Verdict:
    """Return what the judge says of a call that passes: with figures, as of every kernel."""
    numbers = {
        "excess": 1 / (number % 97 + 1),
        "rmse": 1e-8 * (number % 89),
        "eager_rmse": 2e-8,
        "max": 1e-7 * (number % 7),
    }
    return passed().model_copy(update={"numbers": numbers, "checked_mutants": 4})


def _word(number: int) -> str:
    """Write a number as letters: digits are no part of a cause."""
    return "".join(chr(ord("a") + int(digit)) for digit in str(number))


def bear(cases: int, findings: int = 0, causes: int = 1) -> dict[str, Any]:
    """Have a driver count so many cases; return what that took."""
    steps: list[tuple[int, int, float]] = []
    with tempfile.TemporaryDirectory() as place:
        journal = Path(place) / "journal"
        every = max(1, cases // CALLS // 2 // max(1, findings))

        def tell(told: Any) -> None:
            if told.cases >= (len(steps) + 1) * cases / 10:
                steps.append((told.cases, _resident(), time.process_time() - crew.spent))
            if told.cases >= cases:
                campaign.stop()

        crew = Busy(findings, causes, every)
        campaign = Campaign(
            load([SPEC]), implementations=["right", "wrong"], budget=3600.0, journal=journal, progress=tell,
            workforce=Fleet(Placed([crew])),
        )  # fmt: skip
        results = campaign.run()
        size = journal.stat().st_size
    first, last = steps[len(steps) // 2 - 1], steps[-1]
    rendered, seconds = _rendered(results)
    return {
        "cases": results.totals.cases,
        "findings": results.totals.findings,
        "causes": len(results.causes),
        "bytes of memory a case": round((last[1] - first[1]) / (last[0] - first[0]), 1),
        "resident MiB at the end": round(last[1] / 2**20, 1),
        "bytes of journal a case": round(size / results.totals.cases, 1),
        "cases a CPU second, first tenth": round(steps[0][0] / steps[0][2]),
        "cases a CPU second, last half": round((last[0] - first[0]) / (last[2] - first[2])),
        "page MiB": round(rendered / 2**20, 2),
        "seconds of rendering": round(seconds, 2),
    }


def _resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def _rendered(results: Results) -> tuple[int, float]:
    began = time.process_time()
    return len(page(results)), time.process_time() - began


if __name__ == "__main__":
    print(json.dumps(bear(*map(int, sys.argv[1:])), indent=1))
