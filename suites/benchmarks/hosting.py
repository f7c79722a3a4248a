"""What a kernel's case costs on `host`, against the interpreter: CPU time of the same drawn workloads.

`python -m eagerdiff.suites.benchmarks.hosting [operator/implementation ...]` draws workloads once, and runs them in a
process on `interpreted`, in one on `host` whose cache folder is empty, and in one more on what that left there; round
after round, each round with a seed of its own. It prints the rounds' medians: CPU milliseconds a judged case (all but
drawing: inputs, eager, float64, the judge) and a call alone, with the watch that the device keeps over it.

`… --against CHECKOUT [operator/implementation ...]` has the workloads drawn in another checkout, and interpreted there,
by its own judge: what a case cost then. Of calls alone it says nothing. `git worktree add CHECKOUT COMMIT` makes one.
"""

import json
import math
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from eagerdiff import Batch, Implementation, Operator, Outcome, Workload, execute, parse_device

from .parts import counting
from .sampling import activated, alone, looking, search

WORKLOADS = int(os.environ.get("EAGERDIFF_WORKLOADS", "12"))
"""Drawn for each subject in a round."""
ROUNDS = int(os.environ.get("EAGERDIFF_ROUNDS", "3"))
PERIOD = 0.001
"""CPU seconds between two looks at the stack."""
SUBJECTS = (
    "paged_attention/triton.split_kv",
    "paged_attention/triton.varlen",
    "cascade_merge/triton.merge",
    "cache_write/triton.write",
    "block_copy/triton.copy",
    "moe/triton.grouped_gemm",
    "moe/triton.block_sparse",
    "moe_gradients/triton.block_sparse",
    "moe_permute/triton.permute",
    "moe_routing/triton.routing",
)
COLUMNS = ("interpreted", "cold", "warm")
ELSEWHERE = """
import json, os, sys, time
from eagerdiff import Batch, Implementation, Operator, Outcome, Shrinking, execute, parse_device
from eagerdiff.suites.benchmarks.subjects import catalog
subject, seed, wanted = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
operator, _, name = subject.partition("/")
device = parse_device("interpreted")
os.environ.update(device.environment())
device.activate()
operator, implementation = catalog().operators[operator], catalog().implementations[operator][name]
drawn = []

def draw(workload):
    drawn.append(workload)
    return Outcome(verdicts=[])

def going():
    return len(drawn) < wanted

index = 0
while going():
    batch = Batch(operator, implementation, device.name, index=index, campaign_seed=seed)
    batch.explore(draw, lambda finding: False, going, Shrinking(runs=0))
    index += 1
first = Batch(operator, implementation, device.name, index=1 << 20, examples=1)
first.explore(lambda workload: execute(operator, implementation, workload, device))
began, cases = time.process_time(), 0
for workload in drawn:
    cases += sum(verdict.status.judged for verdict in execute(operator, implementation, workload, device).verdicts)
print(json.dumps({"all": time.process_time() - began, "cases": cases, "drawn": [one.to_data() for one in drawn]}))
"""
"""What another checkout draws and interprets: it has no such benchmark as this one."""


def workloads(operator: Operator, implementation: Implementation, seed: int) -> list[Workload]:
    """Return what is drawn of a seed."""
    drawn: list[Workload] = []

    def draw(workload: Workload) -> Outcome:
        drawn.append(workload)
        return Outcome(verdicts=[])

    def going() -> bool:
        return len(drawn) < WORKLOADS

    search(operator, implementation, parse_device("host"), draw, going, seed)
    return drawn


def run_all(subject: str, seed: int, given: str) -> dict[str, float]:
    """Run workloads in this process: those of a file, or where none is named those of a seed.

    Return CPU seconds in all and of calls, and the cases judged.
    """
    operator, implementation, device = activated(subject)
    if given:
        drawn = [Workload.from_data(operator.case, one) for one in json.loads(Path(given).read_text())]
    else:
        drawn = workloads(operator, implementation, seed)
    Batch(operator, implementation, device.name, index=1 << 20, examples=1).explore(
        lambda workload: execute(operator, implementation, workload, device)
    )  # what comes once a process
    spent: defaultdict[str, float] = defaultdict(float)
    began, cases = time.process_time(), 0
    with looking(counting(spent, lambda: True, time.process_time), signal.ITIMER_PROF, PERIOD):
        for workload in drawn:
            outcome = execute(operator, implementation, workload, device)
            cases += sum(verdict.status.judged for verdict in outcome.verdicts)
    return {"all": time.process_time() - began, "calls": spent["call"], "cases": cases}


def elsewhere(subject: str, seed: int, checkout: Path, into: Path) -> tuple[float, float]:
    """Have another checkout draw workloads, write them to a file, and interpret them; return CPU milliseconds a case.

    Of calls alone nothing is known (NaN).
    """
    command = [sys.executable, "-c", ELSEWHERE, subject, str(seed), str(WORKLOADS)]
    env = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(checkout)}
    done = subprocess.run(
        command, cwd=checkout, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True
    )
    said = json.loads(done.stdout.splitlines()[-1])
    into.write_text(json.dumps(said["drawn"]))
    return 1000 * said["all"] / said["cases"], math.nan


def figures(subject: str, seed: int, checkout: Path | None) -> dict[str, tuple[float, float]]:
    """Return CPU milliseconds a case, and of its calls alone, by column."""
    found: dict[str, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory() as cache:
        given = ""
        for column in COLUMNS:
            if column == "interpreted" and checkout is not None:
                given = f"{cache}/drawn.json"
                found[column] = elsewhere(subject, seed, checkout, Path(given))
                continue
            on = "interpreted" if column == "interpreted" else "host"
            said = alone("hosting", f"{subject}@{on}", str(seed), given, EAGERDIFF_CACHE=cache)
            found[column] = (1000 * said["all"] / said["cases"], 1000 * said["calls"] / said["cases"])
    return found


def main(subjects: list[str], checkout: Path | None) -> None:
    """Print a line a subject, and the medians of their ratios."""
    print(f"{'CPU ms a case':36} {'interpreted':>11} {'cold':>7} {'warm':>7}   {'calls':>7} {'warm':>7}   ratios")
    ratios: list[list[float]] = []
    for subject in subjects:
        rounds = [figures(subject, seed, checkout) for seed in range(ROUNDS)]
        before, cold, warm = (
            [statistics.median(one[column][kind] for one in rounds) for kind in (0, 1)] for column in COLUMNS
        )
        ratios.append([before[0] / cold[0], before[0] / warm[0], before[1] / warm[1]])
        line = f"{subject:36} {before[0]:11.1f} {cold[0]:7.1f} {warm[0]:7.1f}   {before[1]:7.1f} {warm[1]:7.2f}   "
        print(line + times(ratios[-1]), flush=True)
    medians = [statistics.median(column) for column in zip(*ratios, strict=True)]
    print(f"median: cold, warm, calls alone {times(medians)}")


def times(ratios: list[float]) -> str:
    """Return ratios as text, with a dash for what is not known."""
    return " ".join("-" if math.isnan(one) else f"{one:.1f}x" for one in ratios)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(run_all(sys.argv[2], int(sys.argv[3]), sys.argv[4])))
    elif sys.argv[1:2] == ["--against"]:
        main(sys.argv[3:] or list(SUBJECTS), Path(sys.argv[2]).resolve())
    else:
        main(sys.argv[1:] or list(SUBJECTS), None)
