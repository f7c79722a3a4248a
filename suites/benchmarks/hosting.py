"""What a kernel's case costs on `host`, against the interpreter: CPU time of the same drawn workloads.

`python -m eagerdiff.suites.benchmarks.hosting [operator/implementation ...]` draws workloads once, and runs them in a
process on `interpreted`, in one on `host` whose cache folder is empty, and in one more on what that left there; round
after round, each round with a seed of its own. It prints the rounds' medians: CPU milliseconds a judged case (all but
drawing: inputs, eager, float64, the judge) and a call alone, with the watch that the device keeps over it.
"""

import json
import os
import signal
import statistics
import sys
import tempfile
import time
from collections import defaultdict

from eagerdiff import Batch, Outcome, Workload, execute, parse_device

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


def run_all(subject: str, seed: int) -> dict[str, float]:
    """Run the workloads of a seed in this process; return CPU seconds in all and of calls, and the cases judged."""
    operator, implementation, device = activated(subject)
    drawn: list[Workload] = []

    def draw(workload: Workload) -> Outcome:
        drawn.append(workload)
        return Outcome(verdicts=[])

    def going() -> bool:
        return len(drawn) < WORKLOADS

    search(operator, implementation, parse_device("host"), draw, going, seed)
    Batch(operator, implementation, device.name, index=1 << 20, examples=1).explore(
        lambda workload: execute(operator, implementation, workload, device)
    )  # what comes once a process
    spent: defaultdict[str, float] = defaultdict(float)
    began, cases = time.process_time(), 0
    with looking(counting(spent, lambda: True), signal.ITIMER_PROF, PERIOD):
        for workload in drawn:
            outcome = execute(operator, implementation, workload, device)
            cases += sum(verdict.status.judged for verdict in outcome.verdicts)
    return {"all": time.process_time() - began, "calls": spent["call"], "cases": cases}


def figures(subject: str, seed: int) -> dict[str, tuple[float, float]]:
    """Return CPU milliseconds a case, and of its calls alone, by column."""
    found: dict[str, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory() as cache:
        for column in COLUMNS:
            on = "interpreted" if column == "interpreted" else "host"
            said = alone("hosting", f"{subject}@{on}", str(seed), EAGERDIFF_CACHE=cache)
            found[column] = (1000 * said["all"] / said["cases"], 1000 * said["calls"] / said["cases"])
    return found


def main(subjects: list[str]) -> None:
    """Print a line a subject, and the medians of their ratios."""
    print(f"{'CPU ms a case':36} {'interpreted':>11} {'cold':>7} {'warm':>7}   {'calls':>7} {'warm':>7}   ratios")
    ratios: list[list[float]] = []
    for subject in subjects:
        rounds = [figures(subject, seed) for seed in range(ROUNDS)]
        before, cold, warm = (
            [statistics.median(one[column][kind] for one in rounds) for kind in (0, 1)] for column in COLUMNS
        )
        ratios.append([before[0] / cold[0], before[0] / warm[0], before[1] / warm[1]])
        line = f"{subject:36} {before[0]:11.1f} {cold[0]:7.1f} {warm[0]:7.1f}   {before[1]:7.1f} {warm[1]:7.2f}   "
        print(line + " ".join(f"{one:.1f}x" for one in ratios[-1]), flush=True)
    medians = " ".join(f"{statistics.median(column):.1f}x" for column in zip(*ratios, strict=True))
    print(f"median: cold, warm, calls alone {medians}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(run_all(sys.argv[2], int(sys.argv[3]))))
    else:
        main(sys.argv[1:] or list(SUBJECTS))
