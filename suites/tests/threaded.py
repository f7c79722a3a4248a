"""Implementations that are right one call after another, and wrong where calls are made at once."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor

from eagerdiff import Implementation, Operator
from eagerdiff.harness.catalog.plugin import Spec
from eagerdiff.suites.tests.misbehaving import Doubling, cases, double, inputs

MOST_SECONDS = 5.0
"""That a call waits for another one to come in."""
LEAD_SECONDS = 0.1
"""That the first one then has to go on."""
Build = Callable[[Doubling], Callable[[Tensor], Tensor]]


class Meeting:
    """Have the first call wait between two steps until a second one has come as far."""

    def __init__(self) -> None:
        self.came = 0
        self.changed = threading.Condition()

    def wait(self) -> None:
        """Wait for company, where there are threads from which it may come."""
        with self.changed:
            self.came += 1
            self.changed.notify_all()
            serial = threading.current_thread() is threading.main_thread()
            first = self.came == 1
            if first and not serial:
                self.changed.wait_for(lambda: self.came > 1, MOST_SECONDS)
        if not first and not serial:
            time.sleep(LEAD_SECONDS)


def shared_buffer(case: Doubling) -> Callable[[Tensor], Tensor]:
    """Build what computes in memory that all its calls share."""
    buffer, meeting = torch.zeros(64), Meeting()

    def compute(x: Tensor) -> Tensor:
        buffer[: len(x)] = x
        meeting.wait()
        return buffer[: len(x)] * 2

    return compute


def lazy_table(case: Doubling) -> Callable[[Tensor], Tensor]:
    """Build what fills a table at its first call, and takes it for filled where it is there."""
    table: list[float] = []
    meeting = Meeting()

    def compute(x: Tensor) -> Tensor:
        if not table:
            table.append(0.0)
            meeting.wait()
            table[0] = 2.0
        return x * table[0]

    return compute


def current_size(case: Doubling) -> Callable[[Tensor], Tensor]:
    """Build what keeps the size of the call that it is in for the whole process."""
    size, meeting = [0], Meeting()

    def compute(x: Tensor) -> Tensor:
        size[0] = len(x)
        meeting.wait()
        return torch.nn.functional.pad(x * 2, (0, size[0] - len(x)))

    return compute


def crossed_locks(case: Doubling) -> Callable[[Tensor], Tensor]:
    """Build what takes two locks, the size says in which order."""
    locks, meeting = (threading.Lock(), threading.Lock()), Meeting()

    def compute(x: Tensor) -> Tensor:
        first, second = locks if len(x) % 2 else reversed(locks)
        with first:
            meeting.wait()
            with second:
                return x * 2

    return compute


def locked(case: Doubling) -> Callable[[Tensor], Tensor]:
    """Build what shares its memory, and lets one call in at a time."""
    compute, lock = shared_buffer(case), threading.Lock()

    def call(x: Tensor) -> Tensor:
        with lock:
            return compute(x)

    return call


FAULTS: dict[str, Build] = {
    "shared_buffer": shared_buffer,
    "lazy_table": lazy_table,
    "current_size": current_size,
    "crossed_locks": crossed_locks,
}
SERIAL = [
    Implementation(operator="doubling", name=name, build=build, devices=("cpu",))
    for name, build in {**FAULTS, "locked": locked}.items()
]
OPERATOR = Operator(
    name="doubling",
    case=Doubling,
    inputs=inputs,
    reference=double,
    cases=cases,
    implementations=[*SERIAL, *(replace(one, name=f"{one.name}.at_once", at_once=True) for one in SERIAL)],
)
SPEC = Spec("eagerdiff.suites.tests.threaded:OPERATOR")
