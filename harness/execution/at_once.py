"""Calls at once: each in a thread of its own, all from the same moment on."""

import contextlib
import contextvars
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eagerdiff.harness.devices import MemoryWatch
from eagerdiff.harness.memory import GuardedInputs
from eagerdiff.harness.model.operator import Inputs

STEPS = 2
"""Calls of one thread, its own and then the next one's: it comes back while others compile."""
SWITCH_SECONDS = 1e-5
"""After which Python turns to another thread; by default 5 ms, in which most calls are over."""


@dataclass
class Answer:
    """Hold what a call gave: an output, or what it raised."""

    output: Any = None
    error: BaseException | None = None


@dataclass
class Made:
    """Hold a call that was made at once with others, before it is judged."""

    guarded: GuardedInputs
    watch: MemoryWatch
    answer: Answer


def made_at_once(
    function: Callable[..., Any], given: Sequence[Mapping[int, GuardedInputs]], watch: MemoryWatch
) -> Iterator[tuple[int, Made]]:
    """Call a function with arguments by case, those of a step after those of the one before; return each call.

    There is a thread a case; at each further step it makes the call of the next case.
    """
    indices = list(given[0])
    plans = [[(indices[(at + step) % len(indices)], step) for step in range(len(given))] for at in range(len(indices))]
    calls = [[_calling(function, given[step][index].inputs) for index, step in plan] for plan in plans]
    for plan, answers in zip(plans, at_once(calls), strict=True):
        for (index, step), answer in zip(plan, answers, strict=True):
            yield index, Made(given[step][index], watch, answer)


def _calling(function: Callable[..., Any], inputs: Inputs) -> Callable[[], Any]:
    return lambda: function(*inputs.args, **dict(inputs.options))


def at_once(calls: Sequence[Sequence[Callable[[], Any]]]) -> list[list[Answer]]:
    """Make calls in as many threads as there are sequences of them, and return what each gave; wait for all of them.

    Each thread has the settings of this one: those of torch that are a thread's own are copied.
    """
    answers = [[Answer() for _ in ours] for ours in calls]
    barrier = threading.Barrier(len(calls))

    def run(calls: Sequence[Callable[[], Any]], answers: Sequence[Answer]) -> None:
        barrier.wait()
        for call, answer in zip(calls, answers, strict=True):
            try:
                answer.output = call()
            except BaseException as error:  # noqa: BLE001 - becomes the verdict
                answer.error = error

    pairs = zip(calls, answers, strict=True)
    threads = [threading.Thread(target=contextvars.copy_context().run, args=(run, *pair)) for pair in pairs]
    with _often_switched():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return answers


@contextlib.contextmanager
def _often_switched() -> Generator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
