"""What the search itself costs: time a call by back end, what is not the compiler's, faults missed. More is worse."""

import json
import math
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
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
FAULTS = Path(__file__).parents[1] / "faults"
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

    def track_milliseconds_per_call(self, implementation: str) -> float:
        """Metric the time of a campaign on all cores by the calls that it judges; NaN where it judges none."""
        campaign = Campaign(
            catalog(),
            operators=["programs"],
            implementations=[f"programs/{implementation}"],
            devices=[BACK_ENDS[implementation]],
            budget=SECONDS,
            shrink_seconds=0.0,
        )
        results = campaign.run()
        return 1000 * results.elapsed / results.totals.cases if results.totals.cases else math.nan

    track_milliseconds_per_call.unit = "ms"  # type: ignore[attr-defined]

    def track_overhead_percent(self, implementation: str) -> float:
        """Sample the stack while programs are drawn, run and judged in one process; what is not torch's is ours.

        In a process of its own: the interpreter must be chosen before Triton is imported.
        """
        command = [sys.executable, "-m", "eagerdiff.suites.benchmarks.searching", implementation, str(SECONDS)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        looks = Counter[str](json.loads(done.stdout.splitlines()[-1]))
        return 100 * (1 - looks["compiler"] / max(1, looks.total()))

    track_overhead_percent.unit = "%"  # type: ignore[attr-defined]


class SearchingFaults:
    """Search for the faults that are planted in an operator's implementations, each for a time."""

    version = "1"
    timeout = 7200
    params = (sorted(path.name for path in FAULTS.iterdir() if any(path.glob("*.yaml"))),)
    param_names = ("operator",)

    def setup_cache(self) -> dict[str, dict[str, Any]]:
        """Return what `eagerdiff selfcheck` tells of each operator, one after the other."""
        return {operator: selfchecked(operator) for operator in self.params[0]}

    def track_missed_percent(self, told: dict[str, dict[str, Any]], operator: str) -> float:
        """Count the faults that are not found, by those that are planted."""
        return 100 - 100 * told[operator]["found"] / told[operator]["faults"]

    track_missed_percent.unit = "%"  # type: ignore[attr-defined]

    def track_cases(self, told: dict[str, dict[str, Any]], operator: str) -> float:
        """Take the median of the calls that are judged until a fault is found; NaN where none is."""
        return told[operator]["cases"].get("median", math.nan)

    track_cases.unit = "calls"  # type: ignore[attr-defined]


def selfchecked(operator: str) -> dict[str, Any]:
    """Run `eagerdiff selfcheck` of one operator in a process of its own; raise CalledProcessError where it breaks."""
    with TemporaryDirectory() as folder:
        target = Path(folder, "figures.json")
        run = "from eagerdiff.harness.cli import main; main()"
        options = ["selfcheck", "--operator", operator, "--budget", f"{SECONDS:g}s", "--json", str(target)]
        done = subprocess.run([sys.executable, "-c", run, *options], stdout=subprocess.DEVNULL, check=False)
        if done.returncode not in (0, 1):
            raise subprocess.CalledProcessError(done.returncode, options)
        return json.loads(target.read_bytes())


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
