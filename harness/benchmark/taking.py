"""Taking: the figures of many subjects, each in a process of its own; what a clock times is timed alone."""

import gc
import multiprocessing
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from eagerdiff.harness.benchmark.curated import seconds_of
from eagerdiff.harness.benchmark.figures import measure
from eagerdiff.harness.benchmark.subject import Subject
from eagerdiff.harness.catalog.plugin import in_one_line
from eagerdiff.harness.processes.warming import warm_up

_FORK: Any = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Taken:
    """Hold the figures of a subject, or why there are none."""

    subject: Subject
    figures: dict[str, float] = field(default_factory=dict[str, float])
    why: str = ""


def take(subjects: Sequence[Subject], slots: int = 0) -> Iterator[Taken]:
    """Measure subjects, each in a fork of this process; those that cost about the same beside one another.

    On processors `slots` of them (0: one a core) are judged, counted and compiled at a time, for compile seconds are of
    CPU; then one after the other is timed, while nothing else runs. On a GPU each has it for itself.
    """
    on_gpu = any(one.on == "cuda" for one in subjects)
    slots = 1 if on_gpu else slots or len(os.sched_getaffinity(0))
    if not on_gpu:  # a process that has used a GPU cannot be forked
        warm_up({one.implementation.stage for one in subjects})
    ordered = sorted(subjects, key=lambda one: (seconds_of(one), one.name))
    gc.freeze()  # what is there stays: no fork looks through it again
    try:
        for start in range(0, len(ordered), slots):
            forks = [_Fork(subject) for subject in ordered[start : start + slots]]
            for fork in forks:
                fork.count()
            for fork in forks:
                yield fork.time()
    finally:
        gc.unfreeze()


class _Fork:
    """Measure a subject in a process of its own, which waits before it times anything."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._line, theirs = _FORK.Pipe()
        self._process = _FORK.Process(target=_measure, args=(subject, theirs))
        self._process.start()
        theirs.close()
        self._said: Any = None

    def count(self) -> None:
        """Wait until everything is counted."""
        self._said = self._heard()

    def time(self) -> Taken:
        """Let it time, where it waits for that, and return what it has."""
        if self._said is None:
            with suppress(BrokenPipeError):
                self._line.send(None)
            self._said = self._heard()
        self._process.join()
        figures, why = self._said
        return Taken(self._subject, figures, why)

    def _heard(self) -> Any:
        """Return what it says: None, that it waits, or its figures and why there are none."""
        try:
            return self._line.recv()
        except EOFError:
            self._process.join()
            return {}, f"its process ended with exit code {self._process.exitcode}"


def _measure(subject: Subject, line: Connection) -> None:
    def wait() -> None:
        line.send(None)
        line.recv()

    try:
        line.send((measure(subject, before_times=wait).figures, ""))
    except BaseException as error:  # noqa: BLE001  whatever is under test raises, the rest is measured
        line.send(({}, in_one_line(error)))
    os._exit(0)  # what is under test may have left threads behind, which nobody waits for
