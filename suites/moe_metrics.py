"""Ways of computing a mixture of experts side by side: kernels launched, work that comes to nothing, compilations.

What the figures are taken of runs on the interpreter, in a process of its own: it must be chosen before Triton loads.
"""

import functools
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from eagerdiff import Implementation, Inputs, Metric, python_command, run_fresh, telling_line
from eagerdiff.strategies.cases.moe import MoeCase
from eagerdiff.strategies.moe import apportion, inputs

MODULE = __name__
"""Whose `main` takes the figures."""
SECONDS = 55.0
EXPERTS = (4, 16, 64)
"""Numbers of experts over which launches are counted."""
SWEEP = (1, 2, 3, 8, 17, 64, 100, 128, 257)
"""Numbers of tokens over which compilations are counted, in this order."""
ROUTINGS: dict[str, Callable[[int], float]] = {
    "balanced": lambda expert: 1.0,
    "Zipf": lambda expert: (expert + 1.0) ** -1.2,
    "all on one": lambda expert: float(expert == 0),
}
"""What share of the tokens each expert gets."""
WAYS = {
    "work-list": "worklist.dynamo.unbacked",
    "padded bmm": "torch.padded_bmm",
    "GShard dispatch": "torch.dispatch",
    "torch.grouped_mm": "torch.grouped_mm",
    "grouped GEMM": "triton.grouped_gemm",
    "block-sparse": "triton.block_sparse",
}
"""What is compared, and the implementation that stands for it where there is one."""
MODES = ("static", "automatic", "mark_dynamic", "unbacked")
"""Ways of compiling the work-list for many numbers of tokens."""
LAUNCHED = "mixtures of experts: kernels launched a call"
PRODUCTS = "mixtures of experts: of them matrix products"
WASTED = "mixtures of experts: multiplications that come to nothing"
COMPILED = f"mixtures of experts: compilations over {len(SWEEP)} numbers of tokens, 1 to {SWEEP[-1]}"
_MATRIX_PRODUCTS = ("mm", "bmm", "addmm", "baddbmm", "_grouped_mm")
_ALLOCATIONS = ("empty", "new_empty", "detach", "_local_scalar_dense", "_unsafe_view", "lift_fresh")
"""Beginnings of the names of operations that launch no kernel and are no views."""


class Operations(TorchDispatchMode):
    """Count what a GPU would launch: torch operations that compute, one kernel each at least, and their products."""

    def __init__(self) -> None:
        super().__init__()
        self.launches = self.products = self.multiplications = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        output = func(*args, **(kwargs or {}))
        name = func._schema.name.removeprefix("aten::")
        if not (func.is_view or name.startswith(_ALLOCATIONS)):
            self.launches += 1
        if name in _MATRIX_PRODUCTS:
            self.products += 1
            self.multiplications += _multiplications(name, args, kwargs or {})
        return output


def _multiplications(name: str, args: Any, kwargs: Any) -> int:
    """Count a product's multiply-adds: rows · inner · columns, of each of a batch; of groups, rows up to the last."""
    left, right, *rest = args[1:] if name in ("addmm", "baddbmm") else args
    if name == "_grouped_mm":
        offsets = kwargs["offs"] if "offs" in kwargs else rest[0]
        return int(offsets[-1]) * left.shape[-1] * right.shape[-1]
    return left.numel() * right.shape[-1]


@functools.cache
def figures() -> tuple[Metric, ...]:
    """Take all figures; raise RuntimeError in one line where that fails."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "figures.json"
        code, said = run_fresh(python_command(MODULE, str(out)), SECONDS, folder=Path(folder))
        if code != 0:
            raise RuntimeError(f"took more than {SECONDS:g} s" if code is None else telling_line(said))
        return tuple(Metric(**found) for found in json.loads(out.read_bytes()))


def metrics() -> list[Metric]:
    """Take all of the above."""
    return list(figures())


def main(out: str) -> None:
    """Take the figures in this process, and write them to a file as JSON."""
    from eagerdiff import parse_device

    device = parse_device("interpreted")
    os.environ.update(device.environment())
    device.activate()
    taken = [*_launches(), *_waste(), *_compilations()]
    Path(out).write_text(json.dumps([asdict(one) for one in taken]), encoding="utf-8")


def present() -> dict[str, Implementation]:
    """Return what the catalog has of the ways."""
    from eagerdiff import load_catalog

    found = load_catalog(["moe"]).implementations["moe"]
    return {way: found[name] for way, name in WAYS.items() if name in found}


def _case(tokens: int, experts: int, top_k: int, routing: str, width: int) -> MoeCase:
    shares = [ROUTINGS[routing](expert) for expert in range(experts)]
    return MoeCase(
        num_experts=experts,
        top_k=top_k,
        hidden=width,
        intermediate=width,
        tokens=tokens,
        expert_tokens=apportion(shares, total=tokens * top_k, limit=tokens),
        poison=False,
    )


def bare(way: str, implementation: Implementation, case: MoeCase) -> Callable[..., Any]:
    """Return what is called; of the work-list the function that is given to the compiler."""
    if way == "work-list":
        from eagerdiff.compiled.moe.worklist import moe

        return moe
    return implementation.build(case)


def counted(function: Callable[..., Any], given: Inputs) -> tuple[int, int, int]:
    """Call once on the interpreter; return launches, those of matrix products, and multiply-adds."""
    from eagerdiff import parse_device

    with parse_device("interpreted").watch() as watch, Operations() as operations:
        function(*given.args, **given.options)
    return (
        operations.launches + watch.launches,
        operations.products + sum(watch.kernels[name] for name in watch.multiplications),
        operations.multiplications + watch.multiplications.total(),
    )


def _launches() -> Iterator[Metric]:
    taken = {
        (way, experts): launches(way, implementation, experts)
        for way, implementation in present().items()
        for experts in EXPERTS
    }
    for place, what in enumerate((LAUNCHED, PRODUCTS)):
        for (way, experts), count in taken.items():
            yield Metric(what=what, by=way, of=f"{experts} experts", value=count[place])


def launches(way: str, implementation: Implementation, experts: int) -> tuple[int, int]:
    """Return how many kernels a call with 64 tokens launches, and how many of them multiply matrices."""
    case = _case(64, experts, 2, "balanced", 16)
    return counted(bare(way, implementation, case), inputs(case, "cpu"))[:2]


def _waste() -> Iterator[Metric]:
    for way, implementation in present().items():
        for routing in ROUTINGS:
            share = waste(way, implementation, routing)
            yield Metric(what=WASTED, by=way, of=routing, value=share, unit="%")


def waste(way: str, implementation: Implementation, routing: str) -> float:
    """Return the share of multiply-adds that are of padding or of one-hot tensors, in percent; widths fill tiles."""
    from eagerdiff.suites.moe import cost

    case = _case(200, 16, 1, routing, 64)
    done = counted(bare(way, implementation, case), inputs(case, "cpu"))[2]
    return 100 * (1 - cost(case).flops / 2 / done)


def _compilations() -> Iterator[Metric]:
    from eagerdiff import load_catalog

    found = load_catalog(["moe"]).implementations["moe"]
    names = {f"work-list, {mode}": f"worklist.dynamo.{mode}" for mode in MODES}
    names |= {way: name for way, name in WAYS.items() if way != "work-list" and name in found}
    for by, name in names.items():
        count, fell_back = compilations(found[name], SWEEP)
        yield Metric(what=COMPILED, by=f"{by}, then eager" if fell_back else by, value=count, unit="compilations")


def compilations(implementation: Implementation, tokens: Iterable[int]) -> tuple[int, bool]:
    """Call with one number of tokens after another; return the ledger's count, and whether Dynamo gave up."""
    from eagerdiff import Ledger, parse_device

    torch.compiler.reset()
    cases = [_case(count, 2, 1, "balanced", 16) for count in tokens]
    with Ledger() as ledger:
        function = implementation.build(cases[0])
        for index, case in enumerate(cases):
            ledger.at(index)
            given = inputs(case, "cpu")
            with parse_device("interpreted").watch() as watch:
                function(*given.args, **given.options)
            ledger.launched(watch.kernels)
            if implementation.hand_written:
                ledger.note(watch.specialisations)
        return ledger.compile_count, bool(ledger.fell_back)
