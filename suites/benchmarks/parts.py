"""Where a search's CPU time goes: drawing, inputs, eager, float64, copies, compilation, the call, the judge, …

`python -m eagerdiff.suites.benchmarks.parts [operator/implementation@device ...]` draws and runs workloads in one
process a subject, looks at its stack every few milliseconds of CPU time, and prints a line each: CPU milliseconds a
case that was judged, and the share of each part. What a part calls is its own, but for what a part of its own is: the
call that a relation makes counts as a call. A worker's fork and its pipes are not in it. On `cuda` it is the time of
the clock, in which GPU and `ptxas` are waited for.
"""

import json
import os
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from types import FrameType, MappingProxyType

from eagerdiff import Batch, Outcome, Workload, execute

from .sampling import activated, alone, looking, search

SECONDS = float(os.environ.get("EAGERDIFF_SECONDS", "20"))
"""That each subject is searched."""
SEED = int(os.environ.get("EAGERDIFF_SEED", "0"))
PERIOD = 0.002
"""Seconds between two looks at the stack."""
SUBJECTS = (
    "programs/dynamo.dynamic@cpu",
    "programs/aot_eager.dynamic@cpu",
    "programs/inductor.dynamic@cpu",
    "programs/inductor_triton.dynamic@interpreted",
    "torch_api/dynamo.dynamic@cpu",
    "torch_api/aot_eager.dynamic@cpu",
    "torch_api/export.dynamic@cpu",
    "symbolic/inductor.dynamic@cpu",
    "paged_attention/triton.split_kv@host",
    "cascade_merge/triton.merge@host",
    "cache_write/triton.write@host",
    "block_copy/triton.copy@host",
    "moe/triton.grouped_gemm@host",
    "moe_gradients/triton.block_sparse@host",
    "moe_permute/triton.permute@host",
    "moe_routing/triton.routing@host",
)
_PARTS: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("judge/reference.py", "run_eager"): "eager",
        ("judge/reference.py", "widened"): "float64",
        ("judge/reference.py", "run_exact"): "float64",
        ("judge/reference.py", "run_magnitude"): "float64",
        ("memory/guards.py", "guard"): "copies",
        ("memory/guards.py", "GuardedInputs.changed"): "copies",
        ("memory/guards.py", "GuardedInputs.overrun"): "copies",
        ("execution/calls.py", "copied"): "copies",
        ("execution/calls.py", "Execution._build"): "compile",
        ("execution/calls.py", "Execution._invoke"): "call",
        ("_dynamo/convert_frame.py", "*"): "compile",
        ("runtime/jit.py", "JITFunction._do_compile"): "compile",
        ("judge/judge.py", "judge"): "judge",
        ("judge/truth.py", "tell_truth"): "judge",
        ("judge/mutants.py", "ask_mutants"): "mutants",
        ("execution/execution.py", "_relate"): "relations",
        ("ledger/ledger.py", "*"): "ledger",
        ("judge/compiles.py", "check_compiles"): "ledger",
        ("state/watch.py", "*"): "watch",
    }
)
"""Part by file and function; the innermost that is known decides. What strategies do of a workload is its inputs."""
NAMES = (
    *("drawing", "inputs", "eager", "float64", "copies", "compile", "call"),
    *("judge", "mutants", "relations", "ledger", "watch", "rest"),
)


def part_of(frame: FrameType | None, *, running: bool) -> str:
    """Return the part whose code runs in a stack; `running`: whether a workload is run."""
    if not running:
        return "drawing"
    while frame is not None:
        file, name = "/".join(frame.f_code.co_filename.split("/")[-2:]), frame.f_code.co_qualname
        part = _PARTS.get((file, name)) or _PARTS.get((file, "*"))
        if part is None and "/eagerdiff/strategies/" in frame.f_code.co_filename:
            part = "inputs"
        if part is not None:
            return part
        frame = frame.f_back
    return "rest"


def counting(
    spent: dict[str, float], running: Callable[[], bool], clock: Callable[[], float]
) -> Callable[[FrameType | None], None]:
    """Return what adds the time since it was last called, or made, to the part whose code runs."""
    at = clock()

    def look(frame: FrameType | None) -> None:
        nonlocal at
        before, at = at, clock()
        spent[part_of(frame, running=running())] += at - before

    return look


def profile(subject: str) -> dict[str, float]:
    """Search in this process; return seconds by part, and under `cases` how many were judged."""
    operator, implementation, device = activated(subject)
    waits = device.torch_device == "cuda"
    clock, timer = (time.perf_counter, signal.ITIMER_REAL) if waits else (time.process_time, signal.ITIMER_PROF)
    spent: defaultdict[str, float] = defaultdict(float)
    running = False

    def run(workload: Workload) -> Outcome:
        nonlocal running
        running = True
        try:
            outcome = execute(operator, implementation, workload, device)
        finally:
            running = False
        spent["cases"] += sum(verdict.status.judged for verdict in outcome.verdicts)
        return outcome

    Batch(operator, implementation, device.name, index=1 << 20, examples=1).explore(run)  # what comes once a process
    spent.clear()
    began = clock()
    with looking(counting(spent, lambda: running, clock), timer, PERIOD):
        search(operator, implementation, device, run, lambda: clock() - began < SECONDS, SEED)
    return dict(spent)


def main(subjects: list[str]) -> None:
    """Print a line a subject: milliseconds a case, and the share of each part in percent."""
    print(f"{'subject':46} {'cases':>6} {'ms':>7} " + " ".join(f"{name[:7]:>7}" for name in NAMES), flush=True)
    for subject in subjects:
        spent = alone("parts", subject)
        cases = spent.pop("cases", 0)
        whole = sum(spent.values())
        shares = " ".join(f"{100 * spent.get(name, 0.0) / whole:7.1f}" for name in NAMES)
        print(f"{subject:46} {cases:6.0f} {1000 * whole / max(cases, 1):7.1f} {shares}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(profile(sys.argv[2])))
    else:
        main(sys.argv[1:] or list(SUBJECTS))
