"""DeepGEMM on Hopper and Blackwell: bf16 grouped GEMMs, contiguous layout, each expert's rows aligned to a tile."""

import importlib
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from eagerdiff import Implementation, Requirements
from eagerdiff.compiled.adapters.limits import first, unusual
from eagerdiff.compiled.adapters.moe.layer import Layer, at_no_weight, routed
from eagerdiff.compiled.moe.experts import act
from eagerdiff.strategies.cases.moe import MoeCase


def adapt(module: Any) -> Callable[..., Tensor]:
    """Return `moe` by two of DeepGEMM's `m_grouped_bf16_gemm_nt_contiguous`.

    Its arguments and result [T, H] are as the reference's, bfloat16; it raises Declined as `at_no_weight` does.
    """

    def experts(x: Tensor, topk_weights: Tensor, topk_ids: Tensor, layer: Layer) -> Tensor:
        ids, routes = at_no_weight(x, topk_ids).flatten().sort(stable=True)
        at, expert_of_row = _align(ids, layer.num_experts, module.get_mk_alignment_for_contiguous_layout())
        rows = x.new_zeros(len(expert_of_row), x.shape[1])
        rows[at] = x[routes // topk_ids.shape[1]]
        hidden = act(_multiply(module, rows, layer.w_gate_up, expert_of_row), layer.activation)
        found = _multiply(module, hidden, layer.w_down, expert_of_row)
        weighted = found[at].float() * topk_weights.flatten()[routes, None]
        output = torch.empty_like(weighted)
        output[routes] = weighted
        return output.view(*topk_ids.shape, x.shape[1]).sum(dim=1).to(x.dtype)

    return routed(experts)


def _align(ids: Tensor, num_experts: int, alignment: int) -> tuple[Tensor, Tensor]:
    """Return where sorted routes go, and each row's expert (int32, -1 for padding), experts aligned to a tile."""
    counts = ids.bincount(minlength=num_experts)
    ends = (counts + alignment - 1).div(alignment, rounding_mode="floor").mul(alignment).cumsum(0)
    shift = torch.cat((ends.new_zeros(1), ends[:-1])) - (counts.cumsum(0) - counts)
    at = torch.arange(len(ids), device=ids.device) + shift[ids]
    expert_of_row = torch.full((int(ends[-1]),), -1, dtype=torch.int32, device=ids.device)
    expert_of_row[at] = ids.int()
    return at, expert_of_row


def _multiply(module: Any, rows_MK: Tensor, weights_ENK: Tensor, expert_of_row: Tensor) -> Tensor:
    output = rows_MK.new_empty(len(rows_MK), weights_ENK.shape[1])
    module.m_grouped_bf16_gemm_nt_contiguous(rows_MK, weights_ENK, output, expert_of_row)
    return output


def supports(case: MoeCase) -> str | None:
    """Return why DeepGEMM does not take a case."""
    return first(
        {
            **unusual(case),
            "bfloat16 alone": case.dtype != "bfloat16",
            f"weights of {case.weight_dtype}": case.weight_dtype != "as_x",
            "rows of other than a multiple of 16 bytes, as TMA has them": case.hidden % 8 or case.intermediate % 8,
            "weights whose rows are not contiguous": case.weight_layout == "transposed",
            "no biases": case.expert_bias,
            "no weights before the experts": case.weight_first,
            "no experts on other ranks": case.experts_elsewhere,
        }
    )


IMPLEMENTATIONS: Sequence[Implementation[MoeCase]] = (
    Implementation(
        operator="moe",
        name="deep_gemm.grouped",
        build=lambda case: adapt(importlib.import_module("deep_gemm")),
        supports=supports,
        devices=("cuda",),
        requires=Requirements(packages=("deep_gemm",), compute_capability=(9, 0)),
        description="DeepGEMM's grouped GEMMs, contiguous layout",
    ),
)
