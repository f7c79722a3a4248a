"""Claims on what compiling costs: symbols from data, repeated blocks, breaks inside calls, one artifact for all."""

import math
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from eagerdiff import Metric
from eagerdiff.harness.internals.dynamo_config import DYNAMO, patched
from eagerdiff.harness.internals.dynamo_marks import mark_unbacked
from eagerdiff.harness.internals.graph_caches import fresh
from eagerdiff.harness.internals.inductor_options import compile_and_package
from eagerdiff.harness.internals.torch_tables import op_db
from eagerdiff.suites.claims.claim import Claim, microseconds, seconds_of

SYMBOLS = (1, 4, 16, 64, 128, 256)
ENOUGH = 45.0
"""CPU seconds: no larger number of symbols is tried after one that took as long."""
BLOCKS, WIDTH = 12, 64
FROM_DATA = {"capture_scalar_outputs": True, "capture_dynamic_output_shape_ops": True}
LIMIT = {"recompile_limit": 64}
"""More compilations of one function than any claim needs."""
SIZES = (3, 17, 40, 64)


def of_symbols(counts: Tensor) -> Tensor:
    """Allocate as many parts as there are counts, each as long as its count says, and join them."""
    parts: list[Tensor] = []
    for count in counts.unbind():
        size: Any = count.item()  # as `int` it would become a constant
        torch._check(size >= 0)
        parts.append(torch.ones(size))
    return torch.cat(parts) * 2


def _compile(count: int) -> None:
    torch.compiler.reset()
    with patched(DYNAMO, FROM_DATA):
        torch.compile(of_symbols, backend="aot_eager", fullgraph=True)(torch.full((count,), 3))


def _export(count: int) -> None:
    class Joined(nn.Module):
        def forward(self, counts: Tensor) -> Tensor:
            return of_symbols(counts)

    torch.export.export(Joined(), (torch.full((count,), 3),), strict=False)


def symbols() -> Iterator[Metric]:
    """Take CPU seconds against the number of unbacked symbols, and the exponent by which they grow."""
    for name, way in (("torch.compile, aot_eager", _compile), ("torch.export", _export)):
        way(2)
        taken: dict[int, float] = {}
        for count in SYMBOLS:
            taken[count] = seconds_of(lambda way=way, count=count: way(count))
            if taken[count] > ENOUGH:
                break
        most = max(taken)
        few = max(count for count in taken if count <= most // 4)
        exponent = math.log(taken[most] / taken[few]) / math.log(most / few)
        yield Metric(what="unbacked symbols: exponent", by=name, of=f"{few} to {most}", value=exponent)
        for count, seconds in taken.items():
            yield Metric(
                what="unbacked symbols: compiling", by=name, of=f"{count} symbols", value=seconds, unit="CPU s"
            )


class Block(nn.Module):
    """A block as transformers repeat it: attention and a network, each behind a norm."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.into, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.network = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x: Tensor) -> Tensor:
        """Take and return (rows, tokens, WIDTH)."""
        parts = self.into(self.first(x)).unflatten(-1, (3, 4, WIDTH // 4)).permute(2, 0, 3, 1, 4)
        x = x + self.out(nn.functional.scaled_dot_product_attention(*parts).transpose(1, 2).flatten(2))
        return x + self.network(self.second(x))


class Marked(Block):
    """The same, as a region that is compiled once wherever it is called."""

    forward: Any = torch.compiler.nested_compile_region(Block.forward)


class Stack(nn.Module):
    """Blocks, one after another. `nn.Sequential.compile` would compile each on its own, `fullgraph` or not."""

    def __init__(self, blocks: Iterable[nn.Module]) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(blocks)

    def forward(self, x: Tensor) -> Tensor:
        """Take and return (rows, tokens, WIDTH)."""
        for block in self.blocks:
            x = block(x)
        return x


def regions() -> Iterator[Metric]:
    """Take CPU seconds of compiling a stack of equal blocks as a whole, block by block, and by marked regions."""
    x, runs = torch.randn(2, 32, WIDTH), dict[str, Callable[[], object]]()
    with torch.no_grad(), fresh():
        torch.compile(Block())(x)  # to warm up
    before = len((torch.compiler.save_cache_artifacts() or (b"",))[0])
    for name, kind in (("whole", Block), ("a block at a time", Block), ("nested_compile_region", Marked)):
        torch.compiler.reset()
        torch.manual_seed(0)
        model = Stack(kind() for _ in range(BLOCKS)).eval()
        if name == "a block at a time":
            for block in model.blocks:
                block.compile(fullgraph=True)
        else:
            model.compile(fullgraph=True)
        with torch.no_grad(), fresh():
            seconds = seconds_of(lambda model=model: model(x))
            found = torch.compiler.save_cache_artifacts()
        before, artifacts = (len(found[0]), len(found[0]) - before) if found else (before, 0)  # they add up
        runs[name] = torch.no_grad()(lambda model=model: model(x))
        yield Metric(what=f"{BLOCKS} equal blocks: compiling", by=name, value=seconds, unit="CPU s")
        yield Metric(what=f"{BLOCKS} equal blocks: artifacts", by=name, value=artifacts / 1024, unit="KiB")
    for name, value in zip(runs, microseconds(*runs.values()), strict=True):
        yield Metric(what=f"{BLOCKS} equal blocks: a call", by=name, value=value, unit="µs")


def _broken(x: Tensor) -> Tensor:
    x = x + 1
    torch._dynamo.graph_break()
    return x * 2


def _calling(function: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    def call(x: Tensor) -> Tensor:
        return function(x + 1) * 2

    return call


def breaks() -> Iterator[Metric]:
    """Count graphs of a break in the innermost of nested calls, and time a call, by `nested_graph_breaks`."""
    depth, x, runs = 8, torch.ones(64), dict[str, Callable[[], object]]()
    function = _broken
    for _ in range(depth):
        function = _calling(function)
    for name, nested in (("off", False), ("on", True)):
        torch.compiler.reset()
        with patched(DYNAMO, LIMIT | {"nested_graph_breaks": nested}):
            graphs: list[Any] = []

            def keep(graph: Any, _: Any, graphs: list[Any] = graphs) -> Any:
                graphs.append(graph)
                return graph.forward

            compiled = torch.compile(function, backend=keep)
            compiled(x)
        runs[name] = lambda compiled=compiled: compiled(x)
        what = f"a break inside {depth} calls: graphs"
        yield Metric(what=what, by=f"nested_graph_breaks {name}", value=len(graphs), unit="graphs")
    for name, value in zip(runs, microseconds(*runs.values(), passes=10), strict=True):
        yield Metric(
            what=f"a break inside {depth} calls: a call", by=f"nested_graph_breaks {name}", value=value, unit="µs"
        )


_FAMILIES = ("linalg", "fft", "nn.functional", "special", "masked", "signal")


def errors() -> Iterator[Metric]:
    """Count by family which operations of torch's table Dynamo refuses where each size depends on data."""
    tried, refused = Counter[str](), Counter[str]()
    for info in op_db():
        family = next((one for one in _FAMILIES if info.name.startswith(f"{one}.")), "others")
        with patched(DYNAMO, FROM_DATA):
            outcome = _traced(info)
        tried[family] += outcome is not None
        refused[family] += outcome is False
    what = "operations that data-dependent sizes stop"
    total = sum(tried.values())
    yield Metric(what=what, by="all", of=f"{total} operations", value=100 * sum(refused.values()) / total, unit="%")
    for family in sorted(family for family, count in tried.items() if count):
        share = 100 * refused[family] / tried[family]
        yield Metric(what=what, by=family, of=f"{tried[family]} operations", value=share, unit="%")


def _traced(info: Any) -> bool | None:
    """Return whether an operation is traced with unbacked sizes; None without a float32 sample that eager takes."""
    try:
        sample = next(iter(info.sample_inputs("cpu", torch.float32, requires_grad=False)), None)
        if sample is None or not isinstance(sample.input, Tensor):
            return None
        info(sample.input, *sample.args, **sample.kwargs)
    except Exception:  # noqa: BLE001 - eager refuses: nothing is told of the compiler
        return None
    torch.compiler.reset()
    for dim, size in enumerate(sample.input.shape):
        if size > 1:
            mark_unbacked(sample.input, dim)
    function = torch.compile(lambda x: info(x, *sample.args, **sample.kwargs), backend="eager", fullgraph=True)
    try:
        function(sample.input)
    except Exception as error:  # noqa: BLE001 - whichever it is tells whether data stopped it
        text = str(error)
        return not any(said in text for said in ("data-dependent", "unbacked", "Data-dependent", "Data dependent"))
    return True


def artifacts() -> Iterator[Metric]:
    """Take bytes and CPU seconds of one AOTInductor package for all sizes, and of one for each."""
    torch.manual_seed(0)
    block = Block().eval()
    what_bytes, what_seconds = "ahead of time: packages", "ahead of time: compiling"
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():

        def package(name: str, size: int, shapes: Any) -> tuple[float, int]:
            path = str(Path(folder) / f"{name}.pt2")

            def make() -> None:
                exported = torch.export.export(block, (torch.randn(2, size, WIDTH),), dynamic_shapes=shapes)
                compile_and_package(exported, path, {})

            with fresh():
                return seconds_of(make), Path(path).stat().st_size

        package("to warm up", SIZES[0], None)
        one = package("all", SIZES[1], ({1: torch.export.Dim("tokens", min=2, max=512)},))
        each = [package(str(size), size, None) for size in SIZES]
    several = f"one for each of {len(SIZES)} sizes"
    yield Metric(what=what_seconds, by="one for all sizes", value=one[0], unit="CPU s")
    yield Metric(what=what_seconds, by=several, value=sum(seconds for seconds, _ in each), unit="CPU s")
    yield Metric(what=what_bytes, by="one for all sizes", value=one[1] / 1024, unit="KiB")
    yield Metric(what=what_bytes, by=several, value=sum(size for _, size in each) / 1024, unit="KiB")


DEVLOGS = "https://docs.pytorch.org/devlogs"
CLAIMS = (
    Claim(
        "symbols",
        "exporting a model with many unbacked symbols took 264 s, and takes 87 s",
        "https://dev-discuss.pytorch.org/t/reducing-compile-time-overhead-in-unbacked-symbol-heavy-torch-export-traces/3334",
        symbols,
        ("torch.compile, aot_eager", "torch.export"),
    ),
    Claim(
        "regions",
        "compiling the repeated blocks alone takes 9.6 s in place of 67 s, and a call is as fast",
        f"{DEVLOGS}/inductor/2026-05-11-torch-compile-and-diffusers/",
        regions,
        ("whole", "a block at a time"),
    ),
    Claim(
        "breaks",
        "a break inside nested calls makes graphs for every caller; with nested_graph_breaks it makes one more",
        "https://docs.pytorch.org/docs/stable/compile/programming_model.nested_graph_breaks.html",
        breaks,
        ("nested_graph_breaks off", "nested_graph_breaks on"),
    ),
    Claim(
        "errors", "unbacked sizes trace without data-dependent errors", f"{DEVLOGS}/dynamic_shapes/", errors, ("all",)
    ),
    Claim(
        "artifacts",
        "one artifact serves all shapes",
        "https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html",
        artifacts,
        ("one for all sizes", f"one for each of {len(SIZES)} sizes"),
    ),
)
