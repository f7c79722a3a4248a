"""Claims of GPUs, measured on one: CUDA graphs, tuning, and sizes unbacked against backed.

`python -m eagerdiff.suites.claims.on_gpu` prints a Markdown table of them.
"""

import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence

import torch
from torch import Tensor, nn

from eagerdiff import CudaGraphs, Metric
from eagerdiff.harness.internals.dynamo_config import DYNAMO, patched
from eagerdiff.harness.internals.dynamo_metrics import counted, forget_counts
from eagerdiff.harness.internals.graph_caches import fresh
from eagerdiff.suites.claims.claim import microseconds
from eagerdiff.suites.claims.compiling import LIMIT
from eagerdiff.suites.claims.running import KEYS, doubling, unbacked_against_backed

MODES = ("default", "reduce-overhead", "max-autotune")
SIZES = (128, 512, 1024)
WIDTH, LAYERS = 1024, 4


def tuned(on: str, sizes: Sequence[int] = SIZES, width: int = WIDTH) -> Iterator[Metric]:
    """Serve a sweep of sizes in each mode: seconds until all are fast, tunings, graphs, time of the sweep."""
    layers = nn.Sequential(*(part for _ in range(LAYERS) for part in (nn.Linear(width, width), nn.GELU())))
    layers.to(on, torch.bfloat16 if on == "cuda" else torch.float32).eval()
    given = [torch.randn(size, width, device=on, dtype=next(layers.parameters()).dtype) for size in sizes]
    what, clock = f"{len(sizes)} sizes", clock_of(on)
    with torch.no_grad(), patched(DYNAMO, LIMIT):
        torch.compile(layers)(given[0])  # to warm up
        for dynamic in (False, True):
            sweeps: dict[str, Callable[[], object]] = {}
            for mode in MODES:
                torch.compiler.reset()
                forget_counts()
                compiled = torch.compile(layers, mode=mode, dynamic=dynamic)

                def sweep(compiled: Callable[..., Tensor] = compiled) -> None:
                    for x in given:
                        compiled(x)

                by = f"{mode}, {'one graph' if dynamic else 'a graph a size'}"
                with fresh():
                    started = clock()
                    for _ in range(3):  # Inductor records a CUDA graph at the second call of a size
                        sweep()
                    seconds = clock() - started
                tunings = counted("inductor", "select_algorithm_autotune")
                with CudaGraphs() as graphs:
                    sweep()
                sweeps[by] = sweep
                yield Metric(what=f"{what}: until all are fast", by=by, value=seconds, unit="s")
                yield Metric(what=f"{what}: choices tuned", by=by, value=tunings, unit="products")
                yield Metric(what=f"{what}: CUDA graphs in use", by=by, value=graphs.recorded, unit="graphs")
            for by, value in zip(sweeps, microseconds(*sweeps.values(), clock=clock), strict=True):
                yield Metric(what=f"{what}: a sweep", by=by, value=value, unit="µs")


def unbacked(on: str, sizes: Sequence[int] = (16, 4096, 65536), width: int = WIDTH) -> Iterator[Metric]:
    """Take the time of a call with unbacked sizes as a share of that with backed ones, the two in turns."""
    return unbacked_against_backed(sizes, width, on, clock_of(on))


def retuned(on: str, count: int = 24) -> Iterator[Metric]:
    """Take the time of the first calls over a sweep of sizes, which tune, by what the autotune key says of the size."""
    given = [torch.ones(size, device=on) for size in random.Random(1).sample(range(1, 1 << 20), count)]
    clock = clock_of(on)
    for name, (key, told) in KEYS.items():
        double = doubling((256, 1024, 4096), key)
        started = clock()
        for x in given:
            double(x, told(x.numel()))
        yield Metric(what=f"{count} sizes: first calls", by=f"key: {name}", value=clock() - started, unit="s")


def clock_of(on: str) -> Callable[[], float]:
    """Return a clock of seconds which, on a GPU, waits first for what was launched."""

    def clock() -> float:
        if on == "cuda":
            torch.cuda.synchronize()
        return time.perf_counter()

    return clock


def table(metrics: Iterator[Metric]) -> Iterator[str]:
    """Write figures as rows of Markdown, as they come."""
    for one in metrics:
        yield f"| {one.what} | {one.by} | {one.value:,.4g} {one.unit} |"


def main() -> int:
    """Print them all; return the exit code: 2 where there is no GPU."""
    if not torch.cuda.is_available():
        print("claims: no NVIDIA GPU here: python -m eagerdiff.suites.claims needs none", file=sys.stderr)
        return 2
    print(f"torch {torch.__version__}, {torch.cuda.get_device_name()}\n\n| what | by | |\n|---|---|---:|")
    for measure in (unbacked, tuned, retuned):
        for row in table(measure("cuda")):
            print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
