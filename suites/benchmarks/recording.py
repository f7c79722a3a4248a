"""What recording costs: `python -m eagerdiff.suites.benchmarks.recording` runs three programs with it and without.

Each program runs in a process of its own, a round with and a round without in turn, the first of a pair now the one and
now the other; the figures are medians of rounds, in milliseconds of CPU time, so that what else the machine does counts
little. With recording a round pays for all of it: taking the places over, notes, files, the YAML at the end is apart.
"""

import contextlib
import gc
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from eagerdiff import record

PROGRAMS = ("serving", "training", "kernels")
ROUNDS = 11
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
        ended = pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:eagerdiff", str(HERE / "kernels.py")])
    assert ended == 0, ended
    return 14


def measure(program: str, rounds: int = ROUNDS) -> dict[str, Any]:
    """Return the calls of a round, and the milliseconds of each round without recording and with it."""
    go = prepared(program)
    calls = go()
    off, on = list[float](), list[float]()
    with tempfile.TemporaryDirectory() as folder:
        for at in range(rounds):
            for recording in (True, False) if at % 2 else (False, True):
                (on if recording else off).append(_round(go, Path(folder) / "shapes.yaml" if recording else None))
    return {"program": program, "calls": calls, "off": off, "on": on}


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


def overhead(measured: dict[str, Any]) -> float:
    """Return by which share a round takes longer with recording: the median of the pairs' quotients, less 1."""
    return statistics.median(on / off for on, off in zip(measured["on"], measured["off"], strict=True)) - 1


def line(measured: dict[str, Any]) -> str:
    """Return a row of the table."""
    off, on = statistics.median(measured["off"]), statistics.median(measured["on"])
    calls = measured["calls"]
    return (
        f"{measured['program']:10}{calls:7}{off:12.1f}{on:12.1f}{1000 * (on - off) / calls:12.1f}"
        f"{100 * overhead(measured):9.2f} %"
    )


def main() -> None:
    """Print a row a program."""
    print(f"{'program':10}{'calls':>7}{'without ms':>12}{'with ms':>12}{'µs a call':>12}{'overhead':>11}")
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
