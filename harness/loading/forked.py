"""A forked process: something of a stranger's done in a copy of this one, of which only a text comes back."""

import os
from collections.abc import Callable
from multiprocessing.connection import wait
from typing import NoReturn

from eagerdiff.harness.processes.death import last_words
from eagerdiff.harness.processes.kinship import adopt_orphans, die_with_parent, end, hear_signals, stand_guard, sweep
from eagerdiff.harness.processes.patience import Patience

SAMPLE_SECONDS = 0.05
MOST_BYTES = 16 << 20
"""Of what is said."""
GRACE = 0.5
"""Seconds that a process which says nothing more has to end by itself."""


class Died(Exception):
    """Tell that a forked process said nothing, and how it ended."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


Job = Callable[[Callable[[], None]], str]
"""What is done in a forked process; it may call what it is given now and then, to tell that it goes on."""


def in_a_fork(job: Job, seconds: float, heard: Callable[[], object] = lambda: None) -> str:
    """Return what a job says in a forked process; raise Died.

    From one sign of life to the next the process has `seconds` of CPU time, or of idleness. Blanks before what is said
    are such signs; `heard` is called at each. What the process leaves behind is ended. Between the two stands a
    guardian, which is its parent: killing that one does no more than ending by itself. Only for a process that has no
    threads and no other children.
    """
    adopt_orphans()
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(ours)
        _do(job, theirs)
    os.close(theirs)
    try:
        said, why = _listen(ours, lambda: Patience(pid, seconds, seconds), heard)
    finally:
        os.close(ours)
    said = said.strip()
    status = end(pid, 0.0 if why or said else GRACE)
    sweep()
    if why or not said:
        raise Died(why or last_words(status, ""))
    return said.decode(errors="replace")


def _do(job: Job, descriptor: int) -> NoReturn:
    """Do a job under a guardian."""
    die_with_parent()
    stand_guard(lambda: os.close(descriptor))
    status = 1
    try:
        os.setpgid(0, 0)
        hear_signals()
        _write(descriptor, job(lambda: _write(descriptor, b" ")).encode(errors="replace"))
        status = 0
    finally:
        os._exit(status)  # never unwind into the other's work; what it registered for the end is nobody's business


def _listen(descriptor: int, patient: Callable[[], Patience], heard: Callable[[], object]) -> tuple[bytes, str]:
    """Return what comes until the end, and why it was not waited for."""
    said, patience = b"", patient()
    while len(said) < MOST_BYTES:
        if not wait([descriptor], SAMPLE_SECONDS):
            if overrun := patience.ended():
                return said, f"it {overrun.reason}"
            continue
        read = os.read(descriptor, 1 << 16)
        if not read:
            return said, ""
        said += read
        patience = patient()
        heard()
    return said, "it says too much"


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
