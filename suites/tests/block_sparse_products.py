# pyright: basic
"""Block-sparse products against dense ones, in a process of the interpreter: `test_moe_block_sparse.py` calls this."""

from typing import Any

import torch
from torch import Tensor

from eagerdiff.compiled.moe.block_sparse import Experts
from eagerdiff.compiled.moe.block_sparse.dsd import dsd, dsd_transposed
from eagerdiff.compiled.moe.block_sparse.layout import Layout, lay_out
from eagerdiff.compiled.moe.block_sparse.sdd import sdd, sdd_backward
from eagerdiff.compiled.moe.block_sparse.topology import transpose
from eagerdiff.harness.devices import parse

HIDDEN, EXPERTS = 33, 5
SIZES = (31, 32, 33, 65)
"""Intermediate sizes about one and two blocks."""


def draw(tokens: int, intermediate: int) -> dict[str, Any]:
    """Draw a mixture whose first, middle and last expert get nothing, and some of whose routes are dropped."""
    generator = torch.Generator().manual_seed(tokens + intermediate)
    ids = torch.tensor([1, 3, -1])[torch.randint(3, (tokens, 2), generator=generator)]

    def normal(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator)

    return {
        "x": normal(tokens, HIDDEN),
        "topk_weights": torch.rand(tokens, 2, generator=generator).where(ids >= 0, 0.0),
        "w_gate_up": normal(EXPERTS, 2 * intermediate, HIDDEN),
        "w_down": normal(EXPERTS, HIDDEN, intermediate),
        "topk_ids": ids,
        "layout": lay_out(ids, EXPERTS, HIDDEN, intermediate, "swiglu"),
    }


def densely(values: Tensor, half: int, layout: Layout) -> Tensor:
    """Return the routes' rows [R, E, I] of a half of the sparse values, 0 where there is no block."""
    topology, (rows, columns) = layout.topology, (layout.block_m, layout.block_n)
    dense = torch.zeros(layout.num_routes + rows, layout.num_experts, layout.column_blocks * columns)
    for block, column in enumerate(topology.column_indices.tolist()):
        if column < layout.num_columns:
            row = topology.row_indices[block]
            first, end = int(topology.block_start[row]), int(topology.block_end[row])
            expert, part = divmod(column, layout.column_blocks)
            found = values[block, half, : end - first]
            dense[topology.sorted_routes[first:end], expert, part * columns : (part + 1) * columns] = found
    return dense[: layout.num_routes, :, : layout.intermediate]


def chosen(given: dict[str, Any]) -> Tensor:
    """Return which expert each route [R, E] goes to, as 0 and 1."""
    return (given["topk_ids"].flatten()[:, None] == torch.arange(EXPERTS)).float()


def largest(found: Tensor, wanted: Tensor) -> float:
    return float((found - wanted).abs().max()) if found.numel() else 0.0


def products(tokens: int, intermediate: int) -> dict[str, float]:
    """Return the largest difference of each product from a dense one."""
    given = draw(tokens, intermediate)
    layout, x, w_down, w_gate_up = (given[name] for name in ("layout", "x", "w_down", "w_gate_up"))
    route, rows = chosen(given), x.repeat_interleave(2, dim=0)
    saved = layout.new_values(x, 2)
    act = sdd(x, w_gate_up, None, None, layout, "swiglu", saved)
    gate_up = torch.einsum("rh,ejh->rej", rows, w_gate_up) * route[..., None]
    gate, up = gate_up.chunk(2, dim=-1)
    dense_act = torch.nn.functional.silu(gate) * up
    kept = route.any(dim=1)
    down = dsd(act, w_down.mT, None, layout)[kept]
    grad = torch.randn(tokens, HIDDEN, generator=torch.Generator().manual_seed(1))
    grad_saved = sdd_backward(grad, w_down, None, saved, layout, "swiglu")
    grad_act = torch.einsum("rh,ehi->rei", grad.repeat_interleave(2, dim=0), w_down) * route[..., None]
    sigmoid = gate.sigmoid()
    out = torch.empty(EXPERTS, 2 * intermediate, HIDDEN)
    dsd_transposed(grad_saved, x, None, out, transpose(layout.topology, layout.num_columns), layout)
    dense_saved = torch.cat([densely(grad_saved, half, layout) for half in (0, 1)], dim=-1)
    return {
        "SDD, gate": largest(densely(saved, 0, layout), gate),
        "SDD, up": largest(densely(saved, 1, layout), up),
        "SDD, activated": largest(densely(act, 0, layout), dense_act),
        "DSD": largest(down, torch.einsum("rei,ehi->rh", dense_act, w_down)[kept]),
        "SDD of gradients, up": largest(densely(grad_saved, 1, layout), grad_act * gate * sigmoid),
        "DSD of gradients": largest(
            dsd(grad_saved, w_gate_up, None, layout)[kept], torch.einsum("rej,ejh->rh", dense_saved, w_gate_up)[kept]
        ),
        "DSD, transposed": largest(out, torch.einsum("rej,rh->ejh", dense_saved, rows)),
    }


def padding_is_zero(tokens: int, intermediate: int) -> bool:
    """Whether what pads the blocks of the activations holds 0, which products rely on."""
    given = draw(tokens, intermediate)
    layout = given["layout"]
    bias = torch.ones(EXPERTS, 2 * intermediate)
    act = sdd(given["x"], given["w_gate_up"], bias, None, layout, "swiglu")
    there = layout.topology.column_indices < layout.num_columns
    total = densely(act, 0, layout).double().square().sum()
    return bool(torch.isclose(act[there].double().square().sum(), total))


def launches(experts: int) -> dict[str, int]:
    """Count the launches of a forward and backward pass, by kernel."""
    ids = torch.arange(14).view(7, 2) % experts
    with parse("interpreted").watch() as watch:
        tensors = [torch.randn(*size) for size in ((7, 16), (7, 2), (experts, 64, 16), (experts, 16, 32))]
        output: Any = Experts.apply(*(one.requires_grad_() for one in tensors), None, None, ids, "swiglu", False)
        output.sum().backward()
    return dict(watch.kernels)


def compared() -> dict[str, Any]:
    """Return all products' differences by sizes, and whether padding holds 0."""
    sizes = [(tokens, intermediate) for tokens in (0, 1, 19) for intermediate in SIZES]
    return {
        "products": {f"{tokens} tokens, {columns} columns": products(tokens, columns) for tokens, columns in sizes},
        "padding": all(padding_is_zero(*size) for size in sizes),
    }
