"""What several programs in one graph would save: CPU milliseconds to compile 1 to 16 statements, by back end.

`python -m eagerdiff.suites.benchmarks.grouping` compiles independent statements together and fits `fixed + n * each` by
least squares. The fixed part is the most that group testing can save: all but one of the programs that share a graph
are spared it. Dynamo's timing of new guards, which workers leave out, is in it: some 20 ms.
"""

import random
import resource
import statistics
import time
from typing import Any

import torch

from eagerdiff import parse_device

BACK_ENDS = {"eager": 9, "aot_eager": 9, "inductor": 5}
"""How `torch.compile` calls it → rounds."""
COUNTS = (1, 2, 4, 8, 16)


def program(count: int) -> Any:
    """Return a function of x [N, M] that gives so many reductions of it, each with a constant that was never there."""
    names = [f"y{number}" for number in range(count)]
    lines = [f"    {name} = torch.sin(x * {1 + random.random():.9f}).sum(-1) + 1" for name in names]
    namespace: dict[str, Any] = {"torch": torch}
    exec("\n".join(["def program(x):", *lines, f"    return {', '.join(names)}"]), namespace)
    return namespace["program"]


def _spent() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def milliseconds(backend: str, count: int) -> float:
    """Return the CPU time of one compilation, with that of the C++ compiler."""
    torch.compiler.reset()
    compiled, x = torch.compile(program(count), backend=backend, dynamic=True), torch.randn(7, 9)
    before = _spent()
    compiled(x)
    return 1000 * (_spent() - before)


def main() -> None:
    """Print a line a back end."""
    torch.set_num_threads(1)
    parse_device("cpu").activate()
    print(f"{'back end':10}" + "".join(f"{count:>8}" for count in COUNTS) + f"{'fixed':>8}{'each':>8}")
    for backend, rounds in BACK_ENDS.items():
        milliseconds(backend, 1)  # what comes once a process
        taken = [[milliseconds(backend, count) for _ in range(rounds)] for count in COUNTS]
        medians = [statistics.median(some) for some in taken]
        each, fixed = statistics.linear_regression(COUNTS, medians)
        print(f"{backend:10}" + "".join(f"{one:8.0f}" for one in medians) + f"{fixed:8.0f}{each:8.1f}", flush=True)


if __name__ == "__main__":
    main()
