"""Calls at once: each in a thread of its own, all from the same moment on."""

import contextlib
import contextvars
import sys
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eagerdiff.harness.devices import MemoryWatch
from eagerdiff.harness.memory import GuardedInputs
from eagerdiff.harness.model.operator import Inputs

ROUNDS = 2
"""Of calls at once: in the first what is called compiles."""
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
    function: Callable[..., Any], given: Mapping[int, GuardedInputs], watch: MemoryWatch
) -> dict[int, Made]:
    """Call a function with all arguments at once; return each call by the index of its case."""
    answers = at_once([_calling(function, one.inputs) for one in given.values()])
    pairs = zip(given.items(), answers, strict=True)
    return {index: Made(guarded, watch, answer) for (index, guarded), answer in pairs}


def _calling(function: Callable[..., Any], inputs: Inputs) -> Callable[[], Any]:
    return lambda: function(*inputs.args, **dict(inputs.options))


def at_once(calls: Sequence[Callable[[], Any]]) -> list[Answer]:
    """Make calls in as many threads, and return what each gave; wait for all of them.

    Each thread has the settings of this one: those of torch that are a thread's own are copied.
    """
    answers = [Answer() for _ in calls]
    barrier = threading.Barrier(len(calls))

    def run(call: Callable[[], Any], answer: Answer) -> None:
        barrier.wait()
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
