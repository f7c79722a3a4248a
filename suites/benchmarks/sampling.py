"""A search that runs in this process, and looks at its stack; a benchmark that runs in a process of its own."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Generator
from types import FrameType
from typing import Any

from eagerdiff import Batch, Device, Implementation, Operator, Outcome, Shrinking, Workload, parse_device

from .subjects import catalog

SIGNALS = {signal.ITIMER_REAL: signal.SIGALRM, signal.ITIMER_PROF: signal.SIGPROF}
"""Timer, of the wall clock or of CPU time → the signal that it sends."""


def activated(subject: str) -> tuple[Operator, Implementation, Device]:
    """Choose the device of `operator/implementation@device` for this process, before Triton is imported."""
    name, _, on = subject.partition("@")
    operator, _, way = name.partition("/")
    device = parse_device(on)
    os.environ.update(device.environment())
    device.activate()
    found = catalog()
    return found.operators[operator], found.implementations[operator][way], device


@contextlib.contextmanager
def looking(look: Callable[[FrameType | None], None], timer: int, period: float) -> Generator[None]:
    """Call `look` with the stack every `period` seconds of a timer, one of SIGNALS."""
    before = signal.signal(SIGNALS[timer], lambda _, frame: look(frame))
    signal.setitimer(timer, period, period)
    try:
        yield
    finally:
        signal.setitimer(timer, 0)
        signal.signal(SIGNALS[timer], before)


def search(
    operator: Operator,
    implementation: Implementation,
    device: Device,
    run: Callable[[Workload], Outcome],
    going: Callable[[], bool],
    seed: int = 0,
) -> None:
    """Draw workloads, batch after batch, and hand them to `run` as long as `going` says so; nothing is made smaller."""
    index = 0
    while going():
        batch = Batch(operator, implementation, device.name, index=index, campaign_seed=seed)
        batch.explore(run, lambda finding: False, going, Shrinking(runs=0))
        index += 1


def forked(answer: Callable[[], Any]) -> Any:
    """Return what a function of no arguments gives, as JSON has it, in a fork; None where that dies or says nothing."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            with os.fdopen(writing, "w") as file:
                json.dump(answer(), file)
        except BaseException:  # noqa: BLE001  the fork never returns
            traceback.print_exc()
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as file:
        text = file.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else None


def alone(module: str, *arguments: str, **environment: str) -> dict[str, float]:
    """Return what a benchmark's `--one` prints last, run in a process as a worker is, with one thread.

    Where it breaks, this process ends in a line.
    """
    command = [sys.executable, "-m", f"eagerdiff.suites.benchmarks.{module}", "--one", *arguments]
    env = os.environ | {"OMP_NUM_THREADS": "1"} | environment
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{arguments[0]}: {(done.stderr.strip().splitlines() or ['no word'])[-1]}")
    return json.loads(done.stdout.splitlines()[-1])
