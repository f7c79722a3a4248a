"""How fast the search itself is: calls a second by back end, and the share of time that is not the compiler's."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from types import FrameType
from typing import Any

from eagerdiff import Campaign, Outcome, Workload, execute

from .sampling import activated, looking, search
from .subjects import catalog

SECONDS = float(os.environ.get("EAGERDIFF_SECONDS", "20"))
"""Seconds that each figure takes; the published ones took 600."""
BACK_ENDS = {
    "dynamo.dynamic": "cpu",
    "aot_eager.dynamic": "cpu",
    "inductor_triton.dynamic": "interpreted",
    "inductor.dynamic": "cpu",
}
"""Implementations of `programs`, and their devices."""
PERIOD = 0.005
"""Seconds between two looks at the stack."""
OTHERS = ("/torch/", "/triton/", "/sympy/", "/numpy/", "<program ", "/torchinductor_")
"""Parts of file names of the compilers, of what they call, and of the code under test."""


class SearchingPrograms:
    """Search drawn programs under one way of compiling, failures left as they are."""

    version = "1"
    timeout = 3600
    params = (list(BACK_ENDS),)
    param_names = ("implementation",)

    def track_calls_per_second(self, implementation: str) -> float:
        """Count judged calls a second of a campaign on all cores."""
        campaign = Campaign(
            catalog(),
            operators=["programs"],
            implementations=[f"programs/{implementation}"],
            devices=[BACK_ENDS[implementation]],
            budget=SECONDS,
            shrink_seconds=0.0,
        )
        results = campaign.run()
        return results.totals.cases / results.elapsed

    track_calls_per_second.unit = "calls/s"  # type: ignore[attr-defined]

    def track_overhead_percent(self, implementation: str) -> float:
        """Sample the stack while programs are drawn, run and judged in one process; what is not torch's is ours.

        In a process of its own: the interpreter must be chosen before Triton is imported.
        """
        command = [sys.executable, "-m", "eagerdiff.suites.benchmarks.searching", implementation, str(SECONDS)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        looks = Counter[str](json.loads(done.stdout.splitlines()[-1]))
        return 100 * (1 - looks["compiler"] / max(1, looks.total()))

    track_overhead_percent.unit = "%"  # type: ignore[attr-defined]


def profile(implementation: str, seconds: float) -> Counter[str]:
    """Search in this process for a time; count looks at the stack as `compiler`, or by the file that ran.

    A torch operator that the judge calls counts as the judge's: the figure is an upper bound.
    """
    operator, under_test, device = activated(f"programs/{implementation}@{BACK_ENDS[implementation]}")
    looks = Counter[str]()

    def look(frame: FrameType | None) -> None:
        looks[_whose(frame)] += 1

    def run(workload: Workload) -> Outcome:
        return execute(operator, under_test, workload, device)

    ends = time.monotonic() + seconds
    with looking(look, signal.ITIMER_REAL, PERIOD):
        search(operator, under_test, device, run, lambda: time.monotonic() < ends)
    return looks


def _whose(frame: FrameType | None) -> str:
    """Return `compiler` where any frame of the stack is torch's, Triton's or the program's, else the innermost file."""
    innermost = frame.f_code.co_filename if frame is not None else "?"
    current: Any = frame
    while current is not None:
        if any(part in current.f_code.co_filename for part in OTHERS):
            return "compiler"
        current = current.f_back
    return "/".join(innermost.split("/")[-2:])


if __name__ == "__main__":
    print(json.dumps(profile(sys.argv[1], float(sys.argv[2]))))
