"""One side of a comparison: a process that measures what it is asked to, each subject in a fork of its own.

`python -m eagerdiff.harness.benchmark.serving ORDER` reads a JSON line and writes one, in turn. A fork answers from
`begin` to `end`; meanwhile the process that forked it waits. What is under test cannot write between the lines.
"""

import json
import os
import sys
import time
from collections.abc import Collection
from typing import Any

from eagerdiff.harness.benchmark.figures import Passing, measure
from eagerdiff.harness.benchmark.subject import Subject, subject_named
from eagerdiff.harness.catalog.catalog import load_typed
from eagerdiff.harness.catalog.plugin import in_one_line
from eagerdiff.harness.processes.death import last_words
from eagerdiff.harness.timing.timers import timing_of

SAMPLE_SECONDS = 0.02
"""Least CPU time of a sample: far more than what the clock's grain, or being put off the core once, costs."""


class Lines:
    """Read and write JSON lines, no byte more than a line at a time: a fork reads on where its parent stopped."""

    def __init__(self) -> None:
        self._in, self._out = os.dup(0), os.dup(1)
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(2, 1)

    def read(self) -> dict[str, Any] | None:
        """Return the next message; None where nobody asks any more."""
        line = bytearray()
        while (byte := os.read(self._in, 1)) not in (b"", b"\n"):
            line += byte
        return json.loads(line) if line else None

    def write(self, **answer: Any) -> None:
        """Answer."""
        os.write(self._out, json.dumps(answer).encode() + b"\n")


def main(order: str) -> None:
    """Serve until nobody asks any more."""
    wanted = json.loads(order)
    lines = Lines()
    try:
        catalog = load_typed(wanted["operators"], wanted["implementations"])
        lines.write(problems=list(catalog.problems))
    except Exception as error:  # noqa: BLE001  whatever a plug-in raises is told
        lines.write(broken=in_one_line(error))
        return
    while (asked := lines.read()) is not None:
        child = os.fork()
        if child == 0:
            _serve(lines, asked, catalog, wanted["on"])
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status:  # it owes an answer
            lines.write(broken=last_words(status, ""))


def _serve(lines: Lines, asked: dict[str, Any], catalog: Any, on: str) -> None:
    """Answer one message, or all from `begin` to `end`; what is raised is the answer."""
    try:
        subject = subject_named(catalog, asked["subject"], on)
        if asked["do"] == "figures":
            lines.write(**measure(subject, times=False).model_dump())
            return
        sampling = Sampling(subject, asked.get("refused", ()))
        lines.write(passes=sampling.passes())
        while (asked := lines.read() or {"do": "end"})["do"] == "sample":
            lines.write(seconds=sampling.sample(asked["passes"]))
        lines.write(ended=True)
    except BaseException as error:  # noqa: BLE001  what is under test may raise anything, exits included
        lines.write(broken=in_one_line(error))


class Sampling:
    """Time passes over a workload that is compiled; what is asked for its figures first is judged there."""

    def __init__(self, subject: Subject, refused: Collection[int] = ()) -> None:
        subject.device.activate()
        subject.device.begin()
        self._passing = Passing.of(subject, refused)
        self._passing.compile()
        self._passing.run()

    def passes(self) -> int:
        """Return how many passes a sample needs."""
        if self._passing.on == "cuda":
            return 1
        passes = 1
        while (seconds := self.sample(passes)) * passes < SAMPLE_SECONDS / 4:
            passes *= 4
        return max(1, round(SAMPLE_SECONDS / seconds))

    def sample(self, passes: int) -> float:
        """Return the seconds of a pass: of CPU, whatever else runs meanwhile; on a GPU of its own clock, L2 cold."""
        if self._passing.on == "cuda":
            return sum(timing_of([call], "cuda", rounds=3).median for call in self._passing.calls)
        start = time.process_time()
        for _ in range(passes):
            self._passing.run()
        return (time.process_time() - start) / passes


if __name__ == "__main__":
    main(sys.argv[1])
