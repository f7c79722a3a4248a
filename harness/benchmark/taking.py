"""Taking: the figures of many subjects, each in a process of its own; what a clock times is timed alone."""

import gc
import multiprocessing
import os
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, cast

from eagerdiff.harness.benchmark.figures import measure
from eagerdiff.harness.benchmark.subject import Subject
from eagerdiff.harness.catalog.plugin import in_one_line
from eagerdiff.harness.processes.kinship import die_with_parent
from eagerdiff.harness.processes.warming import warm_up

_FORK: Any = multiprocessing.get_context("fork")
_WAITING = 8
"""Forks a core that may wait to be timed: each holds what it compiled, some 150 MB."""


@dataclass(frozen=True)
class Taken:
    """Hold the figures of a subject, or why there are none."""

    subject: Subject
    figures: dict[str, float] = field(default_factory=dict[str, float])
    why: str = ""


def take(
    subjects: Sequence[Subject], slots: int = 0, counted: Callable[[Subject], object] = lambda subject: None
) -> Generator[Taken]:
    """Measure subjects, each in a fork of this process, in batches of those that follow one another.

    On processors `slots` of a batch (0: one a core) are judged, counted and compiled at a time, for compile seconds are
    of CPU, and told to `counted`; then one after the other is timed, while nothing else runs. On a GPU each has it for
    itself.
    """
    on_gpu = any(one.on == "cuda" for one in subjects)
    slots = 1 if on_gpu else slots or len(os.sched_getaffinity(0))
    if not on_gpu:  # a process that has used a GPU cannot be forked
        warm_up({one.implementation.stage for one in subjects})
    size = 1 if on_gpu else _WAITING * slots
    forks: list[_Fork] = []
    gc.freeze()  # what is there stays: no fork looks through it again
    try:
        for start in range(0, len(subjects), size):
            _count(list(subjects[start : start + size]), slots, forks, counted)
            while forks:
                yield forks[0].time()
                del forks[0]
    finally:
        gc.unfreeze()
        for fork in forks:  # nobody asks for what they have
            fork.end()


def _count(left: list[Subject], slots: int, forks: list["_Fork"], told: Callable[[Subject], object]) -> None:
    """Add a fork for each subject, the last first, `slots` of them at work at a time; all wait in the end."""
    at_work: dict[Connection, _Fork] = {}
    while left or at_work:
        while left and len(at_work) < slots:
            forks.append(fork := _Fork(left.pop()))
            at_work[fork.line] = fork
        for line in wait(list(at_work)):
            fork = at_work.pop(cast(Connection, line))
            fork.count()
            told(fork.subject)


class _Fork:
    """Measure a subject in a process of its own, which waits before it times anything."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.line, theirs = _FORK.Pipe()
        self._process = _FORK.Process(target=_measure, args=(subject, theirs))
        self._process.start()
        theirs.close()
        self._said: Any = None

    def count(self) -> None:
        """Take what it says: that everything is counted, or that it ended."""
        self._said = self._heard()

    def time(self) -> Taken:
        """Let it time, where it waits for that, and return what it has."""
        if self._said is None:
            with suppress(BrokenPipeError):
                self.line.send(None)
            self._said = self._heard()
        self._process.join()
        figures, why = self._said
        return Taken(self.subject, figures, why)

    def end(self) -> None:
        """End it, wherever it is."""
        self._process.kill()
        self._process.join()

    def _heard(self) -> Any:
        """Return what it says: None, that it waits, or its figures and why there are none."""
        try:
            return self.line.recv()
        except EOFError:
            self._process.join()
            return {}, f"its process ended with exit code {self._process.exitcode}"


def _measure(subject: Subject, line: Connection) -> None:
    def told_to() -> None:
        line.send(None)
        line.recv()

    die_with_parent()
    try:
        line.send((measure(subject, before_times=told_to).figures, ""))
    except BaseException as error:  # noqa: BLE001  whatever is under test raises, the rest is measured
        line.send(({}, in_one_line(error)))
    os._exit(0)  # what is under test may have left threads behind, which nobody waits for
