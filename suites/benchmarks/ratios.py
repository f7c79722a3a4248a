"""Grouped products on a GPU as shares: of a dense product's rate, of torch's own grouped product, of copy bandwidth.

`python -m eagerdiff.suites.benchmarks.ratios out.json [model ...]` times all of them in turn in one process, round
after round, and prints medians: what the machine does meanwhile it does to all. asv keeps the history of whole calls
(`steady_state`).
"""

import json
import statistics
import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import grouped_mm

from eagerdiff import Inputs, measure_roofline, timing_of
from eagerdiff.compiled.moe import grouped_gemm
from eagerdiff.compiled.moe.align import group_routes
from eagerdiff.compiled.moe.routing import route
from eagerdiff.strategies.cases.moe import MoeCase
from eagerdiff.strategies.moe import routing
from eagerdiff.suites.moe import OPERATOR, WORKLOADS, batches, cost

from .subjects import catalog

MODELS = ("mixtral", "deepseek", "qwen3")
"""Workloads `serving_<model>_prefill` and `serving_<model>_decode`."""
FEW = (1, 2, 4, 8, 16, 32, 64)
"""Tokens of a decoding step."""
WHOLE = ("triton.grouped_gemm", "triton.scatter_add", "torch.grouped_mm")
ROUNDS, SAMPLES = 5, 5
OFF = 2e-2
"""Relative error in bfloat16 from which on an answer counts as wrong, and is not timed."""

Call = Callable[[], Any]
KERNELS = ("gate_up_kernel", "down_kernel")


class Kept:
    """Stand in for a kernel: launch it, and keep the launch."""

    def __init__(self, kernel: Any) -> None:
        self.kernel = kernel
        self.launches: list[Call] = []

    def __getitem__(self, grid: Any) -> Callable[..., Any]:
        """Return what launches over a grid."""

        def launch(*args: Any, **options: Any) -> Any:
            self.launches.append(lambda: self.kernel[grid](*args, **options))
            return self.launches[-1]()

        return launch


@contextmanager
def kept() -> Generator[Mapping[str, Kept]]:
    """Keep the launches of the grouped products inside the block."""
    found = {name: Kept(getattr(grouped_gemm, name)) for name in KERNELS}
    for name, one in found.items():
        setattr(grouped_gemm, name, one)
    try:
        yield found
    finally:
        for name, one in found.items():
            setattr(grouped_gemm, name, one.kernel)


def medians(calls: Mapping[str, Call]) -> dict[str, float]:
    """Return the seconds of each call, the median over rounds in which all have their turn."""
    samples: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(ROUNDS):
        for name, call in calls.items():
            samples[name] += timing_of([call], "cuda", rounds=SAMPLES).samples
    return {name: statistics.median(found) for name, found in samples.items()}


def whole_calls(case: MoeCase, given: Inputs) -> dict[str, Call]:
    """Return a call of each implementation, and its replay as a CUDA graph; raise ValueError where one is wrong."""
    right = OPERATOR.reference(*given.args, **given.options).double()
    calls: dict[str, Call] = {}
    for name in WHOLE:
        built = catalog().implementations["moe"][name].build(case)
        calls[name] = call = _bound(built, given)
        off = float((call().double() - right).norm() / right.norm())
        if not off < OFF:
            raise ValueError(f"{name} is wrong by {off:.1e}")
        calls[f"{name}, graph"] = _graph(call).replay
    return calls


def _bound(built: Callable[..., Any], given: Inputs) -> Call:
    return lambda: built(*given.args, **given.options)


def _graph(call: Call) -> torch.cuda.CUDAGraph:
    """Capture a call that ran before."""
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        call()
    return graph


def product_calls(case: MoeCase, given: Inputs) -> dict[str, Call]:
    """Return the two products alone: our kernels, torch's grouped product, and one dense product of as many rows."""
    x, logits, w_gate_up, w_down = given.args
    built = catalog().implementations["moe"]["triton.grouped_gemm"].build(case)
    with kept() as kernels:
        built(*given.args, **given.options)
    choice: dict[str, Any] = {
        name: one.to(x.device) if isinstance(one, Tensor) else one for name, one in routing(case).items()
    }
    _, topk_ids = route(logits, **choice)
    groups = group_routes(topk_ids, len(w_down))
    offsets = groups.expert_offsets[1:].to(torch.int32)
    rows = x[groups.sorted_routes[: int(offsets[-1])] // case.top_k]
    act = torch.randn(len(rows), case.intermediate, device=x.device).to(x.dtype)
    return {
        "gate_up, kernel": kernels["gate_up_kernel"].launches[0],
        "gate_up, grouped_mm": lambda: grouped_mm(rows, w_gate_up.mT, offs=offsets),
        "gate_up, dense": lambda: rows @ w_gate_up[0].T,
        "down, kernel": kernels["down_kernel"].launches[0],
        "down, grouped_mm": lambda: grouped_mm(act, w_down.mT, offs=offsets),
        "down, dense": lambda: act @ w_down[0].T,
    }


def rows_of(model: str, tokens: tuple[int, ...], which: str) -> Iterator[dict[str, Any]]:
    """Yield a row of figures for each number of tokens of a model."""
    first = WORKLOADS[f"serving_{model}_{which}"].cases[0]
    fields = {name: value for name, value in dict(first.static_key).items() if name != "num_experts"}
    shares = tuple((expert + 1.0) ** -0.5 for expert in range(first.num_experts))
    ceilings = measure_roofline("cuda", torch.bfloat16)
    for case in batches(tokens, shares, **fields).cases:
        given, work = OPERATOR.inputs(case, "cuda"), cost(case)
        seconds = medians({**whole_calls(case, given), **product_calls(case, given)})
        yield {
            "model": model,
            "tokens": case.tokens,
            "flops": work.flops,
            "routed_flops": cost(case.model_copy(update={"shared_intermediate": 0})).flops,
            "bytes": work.bytes,
            "dense_flops_per_second": ceilings.flops,
            "copied_bytes_per_second": ceilings.bandwidth,
            "microseconds": {name: 1e6 * one for name, one in seconds.items()},
        }
        del given
        torch.cuda.empty_cache()


def main(out: str, *models: str) -> None:
    """Take the figures of some models, or of all, print each row as it comes, and write them to a file as JSON."""
    found: list[dict[str, Any]] = []
    for model in models or MODELS:
        for which, tokens in (("prefill", (4096,)), ("decode", FEW)):
            for row in rows_of(model, tokens, which):
                found.append(row)
                print(json.dumps(row), flush=True)
                Path(out).write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
