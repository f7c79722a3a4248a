"""Claims on the speed of what was compiled: unbacked against backed, one graph for all sizes against other policies."""

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from eagerdiff import Metric
from eagerdiff.harness.internals.dynamo_config import DYNAMO, INDUCTOR, patched
from eagerdiff.harness.internals.dynamo_marks import mark_dynamic, mark_unbacked
from eagerdiff.harness.internals.dynamo_metrics import counted, forget_counts
from eagerdiff.harness.internals.graph_caches import fresh
from eagerdiff.suites.claims.claim import Claim, microseconds, seconds_of
from eagerdiff.suites.claims.compiling import DEVLOGS, LIMIT

WIDTH, MOST = 64, 512
ROWS = (16, 256, 4096)
KEYS: Mapping[str, tuple[list[str], Callable[[int], int]]] = {
    "the size": (["told"], lambda n: n),
    "the next power of two": (["told"], lambda n: 1 << (n - 1).bit_length()),
    "nothing": ([], lambda n: n),
}
"""Autotune keys, and what is told of a size by each."""
TUNED = "max-autotune-no-cudagraphs"


def program(x: Tensor, w: Tensor) -> Tensor:
    """Scale, multiply, and take the softmax: what a layer does to (rows, WIDTH)."""
    return torch.softmax(nn.functional.gelu(x * 2 + 1) @ w, -1).sum(0)


def unbacked() -> Iterator[Metric]:
    """Take the time of a call with unbacked sizes as a share of that with backed ones, the two in turns."""
    return unbacked_against_backed(ROWS, WIDTH, "cpu", time.process_time)


def unbacked_against_backed(sizes: Sequence[int], width: int, on: str, clock: Callable[[], float]) -> Iterator[Metric]:
    """Take it of a number of rows after another, on a device, by a clock."""
    w = torch.randn(width, width, device=on)
    for rows in sizes:
        calls: list[Callable[[], object]] = []
        for mark in (mark_dynamic, mark_unbacked):
            torch.compiler.reset()
            x = torch.randn(rows, width, device=on)
            mark(x, 0)
            compiled = torch.compile(program, fullgraph=True)
            compiled(x, w)
            calls.append(lambda compiled=compiled, x=x: compiled(x, w))
        backed, free = microseconds(*calls, clock=clock)
        yield Metric(
            what="unbacked against backed: time of a call", by=f"{rows} rows", value=100 * free / backed, unit="%"
        )


def policies() -> Iterator[Metric]:
    """Serve a sweep of lengths by each policy: seconds to compile, time of the sweep once compiled, and waste."""
    with patched(DYNAMO, LIMIT):
        yield from _by_policy()


def _by_policy() -> Iterator[Metric]:
    lengths = random.Random(0).choices(range(1, MOST + 1), k=12)
    w = torch.randn(WIDTH, WIDTH)
    inputs = [torch.randn(length, WIDTH) for length in lengths]
    pads: dict[str, Callable[[int], int]] = {
        "static, a graph a length": lambda n: n,
        "automatic": lambda n: n,
        "dynamic, one graph": lambda n: n,
        "buckets, powers of two": lambda n: 1 << (n - 1).bit_length(),
        f"padded to {MOST}": lambda n: MOST,
    }
    sweeps: dict[str, Callable[[], object]] = {}
    torch.compile(program)(inputs[0], w)  # to warm up
    for name, pad in pads.items():
        torch.compiler.reset()
        forget_counts()
        dynamic = {"automatic": None, "dynamic, one graph": True}.get(name, False)
        compiled = torch.compile(_masked, dynamic=dynamic, fullgraph=True)

        def sweep(compiled: Callable[..., Tensor] = compiled, pad: Callable[[int], int] = pad) -> None:
            for x in inputs:
                rows = pad(x.shape[0])
                compiled(nn.functional.pad(x, (0, 0, 0, rows - x.shape[0])), w, torch.tensor(x.shape[0]))

        with fresh():
            seconds = seconds_of(sweep)
            graphs = counted("stats", "unique_graphs")
        sweeps[name] = sweep
        waste = 100 * (1 - sum(lengths) / sum(map(pad, lengths)))
        yield Metric(what=f"{len(lengths)} lengths: compiling", by=name, value=seconds, unit="CPU s")
        yield Metric(what=f"{len(lengths)} lengths: graphs", by=name, value=graphs, unit="graphs")
        yield Metric(what=f"{len(lengths)} lengths: rows that are padding", by=name, value=waste, unit="%")
    for name, value in zip(sweeps, microseconds(*sweeps.values(), passes=3), strict=True):
        yield Metric(what=f"{len(lengths)} lengths: a sweep, compiled", by=name, value=value, unit="µs")


def _masked(x: Tensor, w: Tensor, length: Tensor) -> Tensor:
    kept = (torch.arange(x.shape[0]) < length)[:, None]
    return (torch.softmax(nn.functional.gelu(x * 2 + 1) @ w, -1) * kept).sum(0)


def tuned() -> Iterator[Metric]:
    """Compile products for a sweep of sizes by default and with max-autotune; count choices, seconds, and a call."""
    layers = nn.Sequential(*(nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(2))).eval()
    sizes = (16, 32, 48, 64, 96, 128)
    with patched(INDUCTOR, {"freezing": True}):  # what is tuned on a CPU are products with constants
        torch.compile(program)(torch.randn(3, WIDTH), torch.randn(WIDTH, WIDTH))  # to warm up
        for dynamic in (False, True):
            runs: dict[str, Callable[[], object]] = {}
            name = "one graph" if dynamic else "a graph a size"
            for mode in ("default", TUNED):
                torch.compiler.reset()
                forget_counts()
                compiled = torch.compile(layers, mode=mode, dynamic=dynamic)
                given = [torch.randn(size, WIDTH) for size in sizes]

                def sweep(compiled: Callable[..., Tensor] = compiled, given: list[Tensor] = given) -> None:
                    for x in given:
                        compiled(x)

                with torch.no_grad(), fresh():
                    seconds = seconds_of(sweep)
                    tunings = counted("inductor", "select_algorithm_autotune")
                by = f"{mode}, {name}"
                runs[by] = torch.no_grad()(sweep)
                yield Metric(what=f"{len(sizes)} sizes: choices tuned", by=by, value=tunings, unit="products")
                yield Metric(what=f"{len(sizes)} sizes: compiling with tuning", by=by, value=seconds, unit="CPU s")
            for by, value in zip(runs, microseconds(*runs.values(), passes=5), strict=True):
                yield Metric(what=f"{len(sizes)} sizes: a sweep", by=by, value=value, unit="µs")
    yield Metric(
        what=f"{len(sizes)} sizes: CUDA graphs recorded", by="any mode, each size anew", value=len(sizes), unit="graphs"
    )


def retuned() -> Iterator[Metric]:
    """Count how often Triton tunes a kernel over a sweep of sizes, by what the autotune key says of the size."""
    drawn = random.Random(1)
    sizes = [drawn.randint(1, 4096) for _ in range(64)]
    for name, (key, told) in KEYS.items():
        benched: list[int] = []

        def bench(function: Callable[[], object], quantiles: object, benched: list[int] = benched) -> list[float]:
            benched.append(1)
            return [1.0, 1.0, 1.0]

        double = doubling((64, 128), key, do_bench=bench)
        for size in sizes:
            double(torch.ones(size), told(size))
        distinct = len(set(sizes))
        by = f"key: {name}"
        yield Metric(what=f"tunings over {distinct} sizes", by=by, value=len(benched) / 2, unit="tunings")


def doubling(blocks: Sequence[int], key: list[str], **options: Any) -> Callable[[Tensor, int], None]:
    """Return a kernel that doubles x [n], given what its autotune key is told, and is tuned over blocks."""
    import triton
    import triton.language as tl

    @triton.autotune([triton.Config({"BLOCK": block}) for block in blocks], key=key, **options)
    @triton.jit
    def double(x, o, n, told, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(o + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)

    def call(x: Tensor, told: int) -> None:
        n = x.numel()
        double[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, torch.empty_like(x), n, told)

    return call


CLAIMS = (
    Claim(
        "unbacked",
        "unbacked sizes are as fast as backed ones: 100 %",
        f"{DEVLOGS}/dynamic_shapes/",
        unbacked,
        tuple(f"{rows} rows" for rows in ROWS),
    ),
    Claim(
        "policies",
        "one dynamic graph spares the compilations of static ones, and the waste of padding",
        "https://docs.pytorch.org/docs/stable/torch.compiler_dynamic_shapes.html",
        policies,
        ("static, a graph a length", "dynamic, one graph"),
    ),
    Claim(
        "tuned",
        "max-autotune may be slower than the default under CUDA graphs, as sizes are recorded and tuned anew",
        "https://docs.pytorch.org/docs/stable/torch.compiler_cudagraph_trees.html",
        tuned,
        ("default, a graph a size", f"{TUNED}, a graph a size"),
        twin="tunings, and CUDA graphs that a sweep of sizes would record",
    ),
    Claim(
        "retuned",
        "a kernel is tuned anew for every value of its autotune key",
        "https://triton-lang.org/main/python-api/generated/triton.autotune.html",
        retuned,
        ("key: the size", "key: the next power of two"),
        twin="tunings counted in Triton's interpreter; no configuration is timed",
    ),
)
