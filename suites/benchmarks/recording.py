"""What recording costs: `python -m eagerdiff.suites.benchmarks.recording` runs three programs with it and without.

Each program runs in a process of its own, a round with and a round without in turn, the first of a pair now the one and
now the other; times are medians of rounds, in milliseconds of CPU time. Overhead is the median of the pairs' quotients,
with the 95 % interval of its rank: machines differ from themselves by more than recording costs. So its own share is
sampled too: each millisecond of CPU time in rounds with recording, whether it is the recorder that runs. A round pays
for all of it but the YAML, which is written when the program has ended.
"""

import contextlib
import gc
import io
import json
import math
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from eagerdiff import record

PROGRAMS = ("serving", "training", "kernels")
SECONDS = 30.0
"""Of CPU time, for the pairs of a program, and for the samples."""
FEWEST = 11
"""Pairs of rounds."""
SAMPLE = 0.001
"""Seconds of CPU time between two samples."""
ROOM = "harness/recording/"
HERE = Path(__file__).parent / "recorded"


def prepared(program: str) -> Callable[[], int]:
    """Return what makes one round of a program, and tells its calls; all is compiled then."""
    import torch

    torch.set_num_threads(1)
    if program == "serving":
        from eagerdiff.suites.benchmarks.recorded import serving

        decoder: Any = torch.compile(serving.Decoder().eval())
        serving.serve(decoder)
        return lambda: serving.serve(decoder)
    if program == "training":
        from eagerdiff.suites.benchmarks.recorded import training

        model: Any = torch.compile(training.Classifier())
        optimizer = torch.optim.AdamW(model.parameters())
        training.train(model, optimizer)
        return lambda: training.train(model, optimizer, epochs=8)
    return _tests


def _tests() -> int:
    import pytest

    with contextlib.redirect_stdout(io.StringIO()):
        ended = pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:eagerdiff", str(HERE / "kernel_tests.py")])
    assert ended == 0, ended
    return 14


def measure(program: str, seconds: float = SECONDS) -> dict[str, Any]:
    """Return the calls of a round, the milliseconds of each round without recording and with it, and its own share."""
    go = prepared(program)
    calls = go()
    off, on = list[float](), list[float]()
    with tempfile.TemporaryDirectory() as folder:
        while len(on) < FEWEST or sum(on) + sum(off) < 1000 * seconds:
            for recording in (True, False) if len(on) % 2 else (False, True):
                (on if recording else off).append(_round(go, Path(folder) / "shapes.yaml" if recording else None))
        share = own_share(go, Path(folder) / "shapes.yaml", seconds)
    return {"program": program, "calls": calls, "off": off, "on": on, "own": share}


def own_share(go: Callable[[], int], path: Path, seconds: float) -> float:
    """Return the share of samples, in so many seconds of CPU time of rounds with recording, that the recorder has."""
    hits, samples = 0, 0

    def sample(_: int, frame: FrameType | None) -> None:
        nonlocal hits, samples
        samples += 1
        hits += _records(frame)

    before = signal.signal(signal.SIGPROF, sample)
    try:
        while samples * SAMPLE < seconds:
            with record(path):
                signal.setitimer(signal.ITIMER_PROF, SAMPLE, SAMPLE)
                go()
                signal.setitimer(signal.ITIMER_PROF, 0)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return hits / samples


def _records(frame: FrameType | None) -> bool:
    """Whether the recorder runs: in itself, or in what it calls; a kernel that its place calls is the program's."""
    if frame is not None and ROOM in frame.f_code.co_filename:
        return True
    while frame is not None:
        if frame.f_code.co_filename.endswith(f"{ROOM}recorder.py"):
            return True
        frame = frame.f_back
    return False


def _round(go: Callable[[], int], path: Path | None) -> float:
    gc.collect()
    if path is None:
        began = time.process_time()
        go()
        return 1000 * (time.process_time() - began)
    began = time.process_time()
    with record(path):
        go()
        taken = time.process_time() - began
    return 1000 * taken


def overhead(measured: dict[str, Any]) -> tuple[float, float, float]:
    """Return by which share a round takes longer with recording: the median of the pairs, and its 95 % interval.

    The interval is between the ranks n/2 ± 0.98 √n of the n pairs (Conover, Practical Nonparametric Statistics, 1999).
    """
    shares = sorted(on / off - 1 for on, off in zip(measured["on"], measured["off"], strict=True))
    beside = math.ceil(0.98 * math.sqrt(len(shares)))
    low = max(len(shares) // 2 - beside, 0)
    return statistics.median(shares), shares[low], shares[-1 - low]


def line(measured: dict[str, Any]) -> str:
    """Return a row of the table."""
    off, on = statistics.median(measured["off"]), statistics.median(measured["on"])
    calls, pairs = measured["calls"], len(measured["on"])
    share, low, high = (f"{100 * one:.1f}" for one in overhead(measured))
    times = f"{calls:7}{pairs:7}{off:12.1f}{on:12.1f}"
    return f"{measured['program']:10}{times}{100 * measured['own']:11.2f} %{share:>11} % ({low} to {high})"


def main() -> None:
    """Print a row a program."""
    times = f"{'calls':>7}{'pairs':>7}{'without ms':>12}{'with ms':>12}"
    print(f"{'program':10}{times}{'its own':>13}{'overhead':>13}", flush=True)
    for program in PROGRAMS:
        command = [sys.executable, "-m", "eagerdiff.suites.benchmarks.recording", "--one", program]
        ended = subprocess.run(command, capture_output=True, text=True, check=True, env=_environment(program))
        print(line(json.loads(ended.stdout.splitlines()[-1])), flush=True)


def _environment(program: str) -> dict[str, str]:
    return os.environ | {"OMP_NUM_THREADS": "1"} | ({"TRITON_INTERPRET": "1"} if program == "kernels" else {})


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(measure(sys.argv[2])))
    else:
        main()
