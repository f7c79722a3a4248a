"""What a judged call costs, against a loop that compiles anew for each: CPU time over the same drawn programs.

The loop is what one would write with Hypothesis and `torch.compile`: for each example build the inputs, compile, call,
run eager, compare by `torch.testing.assert_close`.

`python -m eagerdiff.suites.benchmarks.anew [operator/implementation@device ...]` draws workloads, and runs each both
ways in turn in one process: as a worker does (one build, then every call, float64, mutants, relations), and by that
loop, over the workload's calls. It prints CPU milliseconds a call, and their ratio. Drawing is in neither; what
compilers start (g++) is. Workloads of which a call is excused are left out.
"""

import json
import os
import sys

import torch

from eagerdiff import Batch, Case, Implementation, Operator, Outcome, Workload, execute

from .sampling import activated, alone, search

SECONDS = float(os.environ.get("EAGERDIFF_SECONDS", "60"))
"""Of CPU time, that each subject is searched."""
SEED = int(os.environ.get("EAGERDIFF_SEED", "0"))
SUBJECTS = (
    "programs/dynamo.dynamic@cpu",
    "programs/aot_eager.dynamic@cpu",
    "programs/inductor.dynamic@cpu",
    "programs/inductor_triton.dynamic@interpreted",
    "torch_api/dynamo.dynamic@cpu",
    "torch_api/aot_eager.dynamic@cpu",
)


def check_anew(operator: Operator, implementation: Implementation, case: Case) -> None:
    """Compile for one example, call, and compare with eager; a mismatch or an exception is swallowed: time counts."""
    torch.compiler.reset()
    given, again = (operator.inputs(case, "cpu") for _ in range(2))
    try:
        actual = implementation.build(case)(*given.args, **given.options)
        expected = operator.reference(*again.args, **again.options)
        torch.testing.assert_close(actual, expected, equal_nan=True)
    except Exception:  # noqa: BLE001  the loop would report it, and go on
        return


def cpu_time() -> float:
    """Return the CPU seconds of this process and of what it started and waited for."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def measure(subject: str) -> dict[str, float]:
    """Search in this process; return the calls judged, and the CPU seconds of both ways."""
    operator, implementation, device = activated(subject)
    spent = {"here": 0.0, "anew": 0.0, "calls": 0.0, "workloads": 0.0}

    def run(workload: Workload) -> Outcome:
        began = cpu_time()
        outcome = execute(operator, implementation, workload, device)
        between = cpu_time()
        if not all(verdict.status.judged for verdict in outcome.verdicts):
            return outcome  # what is excused has no call to compare
        for case in workload.cases:
            check_anew(operator, implementation, case)
        spent["here"] += between - began
        spent["anew"] += cpu_time() - between
        spent["calls"] += len(workload.cases)
        spent["workloads"] += 1
        return outcome

    Batch(operator, implementation, device.name, index=1 << 20, examples=1).explore(run)  # what comes once a process
    spent.update(dict.fromkeys(spent, 0.0))
    search(operator, implementation, device, run, lambda: spent["here"] + spent["anew"] < SECONDS, SEED)
    return spent


def main(subjects: list[str]) -> None:
    """Print a line a subject."""
    print(f"{'subject':46} {'workloads':>9} {'calls':>6} {'here':>8} {'anew':>8}  ratio")
    for subject in subjects:
        found = alone("anew", subject)
        here, anew = (1000 * found[way] / found["calls"] for way in ("here", "anew"))
        line = f"{subject:46} {found['workloads']:9.0f} {found['calls']:6.0f} {here:8.1f} {anew:8.1f}"
        print(f"{line}  {anew / here:.1f}x", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(measure(sys.argv[2])))
    else:
        main(sys.argv[1:] or list(SUBJECTS))
