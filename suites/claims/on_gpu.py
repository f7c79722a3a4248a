"""Claims of GPUs, measured on one: CUDA graphs, tuning, and sizes unbacked against backed.

`python -m eagerdiff.suites.claims.on_gpu` prints a Markdown table of them.
"""

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from eagerdiff import CudaGraphs, Metric
from eagerdiff.harness.internals.dynamo_config import DYNAMO, patched
from eagerdiff.harness.internals.dynamo_marks import mark_dynamic, mark_unbacked
from eagerdiff.harness.internals.dynamo_metrics import counted, forget_counts
from eagerdiff.harness.internals.graph_caches import fresh
from eagerdiff.suites.claims.compiling import LIMIT
from eagerdiff.suites.claims.running import program

MODES = ("default", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune")
SIZES = (128, 192, 256, 512, 768, 1024)
WIDTH, LAYERS = 1024, 4
ROUNDS = 15


def tuned(on: str, sizes: Sequence[int] = SIZES, width: int = WIDTH) -> Iterator[Metric]:
    """Serve a sweep of sizes in each mode: seconds until all are fast, tunings, graphs, time of the sweep."""
    layers = nn.Sequential(*(part for _ in range(LAYERS) for part in (nn.Linear(width, width), nn.GELU())))
    layers.to(on, torch.bfloat16 if on == "cuda" else torch.float32).eval()
    given = [torch.randn(size, width, device=on, dtype=next(layers.parameters()).dtype) for size in sizes]
    what = f"{len(sizes)} sizes"
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
                    started = time.perf_counter()
                    for _ in range(3):  # Inductor records a CUDA graph at the second call of a size
                        sweep()
                    _settle(on)
                    seconds = time.perf_counter() - started
                tunings = counted("inductor", "select_algorithm_autotune")
                with CudaGraphs() as graphs:
                    sweep()
                sweeps[by] = sweep
                yield Metric(what=f"{what}: until all are fast", by=by, value=seconds, unit="s")
                yield Metric(what=f"{what}: choices tuned", by=by, value=tunings, unit="products")
                yield Metric(what=f"{what}: CUDA graphs in use", by=by, value=graphs.recorded, unit="graphs")
            for by, value in in_turns(sweeps, on).items():
                yield Metric(what=f"{what}: a sweep", by=by, value=value, unit="µs")


def unbacked(on: str, sizes: Sequence[int] = (16, 4096, 65536), width: int = WIDTH) -> Iterator[Metric]:
    """Take the time of a call with unbacked sizes as a share of that with backed ones, the two in turns."""
    w = torch.randn(width, width, device=on)
    for rows in sizes:
        calls: dict[str, Callable[[], object]] = {}
        for name, mark in (("backed", mark_dynamic), ("unbacked", mark_unbacked)):
            torch.compiler.reset()
            x = torch.randn(rows, width, device=on)
            mark(x, 0)
            compiled = torch.compile(program, fullgraph=True)
            compiled(x, w)
            calls[name] = lambda compiled=compiled, x=x: compiled(x, w)
        taken = in_turns(calls, on)
        share = 100 * taken["unbacked"] / taken["backed"]
        yield Metric(what="unbacked against backed: time of a call", by=f"{rows} rows", value=share, unit="%")


def retuned(on: str, count: int = 24) -> Iterator[Metric]:
    """Take the time of the first calls over a sweep of sizes, which tune, by what the autotune key says of the size."""
    import triton
    import triton.language as tl

    sizes = random.Random(1).sample(range(1, 1 << 20), count)
    keys: dict[str, tuple[list[str], Callable[[int], int]]] = {
        "the size": (["told"], lambda n: n),
        "the next power of two": (["told"], lambda n: 1 << (n - 1).bit_length()),
        "nothing": ([], lambda n: n),
    }
    given = [torch.ones(size, device=on) for size in sizes]
    for name, (key, told) in keys.items():

        @triton.autotune([triton.Config({"BLOCK": block}) for block in (256, 1024, 4096)], key=key)
        @triton.jit
        def double(x, o, n, told, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
            at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
            tl.store(o + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)

        def sweep(double: Any = double, told: Callable[[int], int] = told) -> None:
            for x in given:
                n = x.numel()
                double[lambda meta, n=n: (triton.cdiv(n, meta["BLOCK"]),)](x, torch.empty_like(x), n, told(n))

        started = time.perf_counter()
        sweep()
        _settle(on)
        by = f"key: {name}"
        yield Metric(what=f"{count} sizes: first calls", by=by, value=time.perf_counter() - started, unit="s")
        yield Metric(what=f"{count} sizes: tunings", by=by, value=len(double.cache), unit="tunings")


def in_turns(ways: Mapping[str, Callable[[], object]], on: str) -> dict[str, float]:
    """Return the microseconds of a call of each way at the median of rounds in turns, by the clock.

    On a GPU a call lasts until the GPU is done; what a launch costs is in it.
    """
    taken = {name: list[float]() for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            taken[name].append(1e6 * _seconds(way, on))
    return {name: sorted(times)[len(times) // 2] for name, times in taken.items()}


def _seconds(way: Callable[[], object], on: str, passes: int = 10) -> float:
    way()
    _settle(on)
    started = time.perf_counter()
    for _ in range(passes):
        way()
    _settle(on)
    return (time.perf_counter() - started) / passes


def _settle(on: str) -> None:
    if on == "cuda":
        torch.cuda.synchronize()


def table(metrics: Iterator[Metric]) -> Iterator[str]:
    """Write figures as rows of Markdown, as they come."""
    for one in metrics:
        yield f"| {one.what} | {one.by} | {one.value:,.4g} {one.unit} |"


if __name__ == "__main__":
    print(f"torch {torch.__version__}, {torch.cuda.get_device_name()}\n\n| what | by | |\n|---|---|---:|")
    for measure in (unbacked, tuned, retuned):
        for row in table(measure("cuda")):
            print(row, flush=True)
