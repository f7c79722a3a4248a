"""vLLM's fused experts in Triton, as of vLLM 0.33: `fused_experts`, aligned by block or one block a route.

Installed, or of a source tree: `EAGERDIFF_VLLM`, the folder that holds `vllm/`. Of a tree, what vLLM compiles from CUDA
(sorting routes into blocks, activations, the sum over a token's experts) is torch's here.
"""

import enum
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from eagerdiff import Implementation, Requirements
from eagerdiff.compiled.adapters.limits import first, unusual
from eagerdiff.compiled.adapters.moe.layer import Layer, routed
from eagerdiff.compiled.adapters.vllm import source_tree
from eagerdiff.compiled.moe.experts import act
from eagerdiff.strategies.cases.moe import MoeCase


class _Activation(enum.Enum):
    SILU = "silu"
    GELU = "gelu"
    RELU2_NO_MUL = "relu2_no_mul"

    @classmethod
    def from_str(cls, name: str) -> "_Activation":
        return cls(name)


_NAMES = {"swiglu": "silu", "geglu": "gelu", "relu2": "relu2_no_mul"}
_OURS = {name: ours for ours, name in _NAMES.items()}


def _apply_activation(activation: _Activation, output: Tensor, gate_up: Tensor) -> Tensor:
    return output.copy_(act(gate_up, _OURS[activation.value]))


def _align(
    topk_ids: Tensor, num_experts: int, block_size: int, sorted_ids: Tensor, expert_ids: Tensor, total: Tensor,
    expert_map: Tensor | None, scatter_idx: Tensor | None,
) -> None:  # fmt: skip
    """Do what `moe_align_sum_kernels.cu` does: an id that is no expert's here is in no block."""
    ids = topk_ids.flatten().long()
    ids = ids.where((ids >= 0) & (ids < num_experts), -1)
    if expert_map is not None:
        ids = expert_map.long()[ids.clamp_min(0)].where(ids >= 0, -1)
    sorted_ids.fill_(ids.numel())
    expert_ids.fill_(-1)
    start = 0
    for expert in range(num_experts):
        routes = torch.nonzero(ids == expert).flatten()
        end = start + -(-len(routes) // block_size) * block_size
        sorted_ids[start : start + len(routes)] = routes.int()
        expert_ids[start // block_size : end // block_size] = expert
        start = end
    total.fill_(start)


def _sum(routes: Tensor, output: Tensor) -> None:
    output.copy_(routes.float().sum(dim=1))


def _describe(dtype: torch.dtype, use_int4_w4a16: bool = False, **others: bool) -> str | None:
    """Return what a tuned configuration's file is named by."""
    return "int4_w4a16" if use_int4_w4a16 else "float32" if dtype == torch.float32 else None


_LAYERS = "vllm.model_executor.layers"
_MOE = f"{_LAYERS}.fused_moe"
TREE = source_tree(
    f"{_MOE}.fused_moe",
    {
        "vllm.model_executor": {"__path__": []},
        _LAYERS: {"__path__": []},
        _MOE: {"__path__": [], "get_config": lambda: None},
        "vllm._custom_ops": {"moe_align_block_size": _align, "moe_sum": _sum},
        f"{_MOE}.activation": {"MoEActivation": _Activation, "apply_moe_activation": _apply_activation},
        f"{_MOE}.config": {
            "FUSED_MOE_UNQUANTIZED_CONFIG": None,
            "FusedMoEQuantConfig": object,
            "_get_config_dtype_str": _describe,
        },
        f"{_MOE}.modular_kernel": {
            "FusedMoEExpertsModular": SimpleNamespace(
                adjust_N_for_activation=lambda columns, activation: (
                    columns if activation is _Activation.RELU2_NO_MUL else columns // 2
                )
            )
        },
        f"{_MOE}.utils": {
            "enable_swap_ab": lambda rows, columns: False,
            "moe_kernel_quantize_input": lambda A, A_scale, **others: (A, A_scale),
            "resolve_moe_use_td": lambda: False,
            "warn_if_moe_use_td_ineffective": lambda name, is_quantized: None,
        },
    },
)


def adapt(module: Any) -> Callable[..., Tensor]:
    """Return `moe` by vLLM's `fused_experts_impl`; its arguments and result [T, H] are as the reference's."""

    def experts(x: Tensor, topk_weights: Tensor, topk_ids: Tensor, layer: Layer) -> Tensor:
        expert_map = None if layer.expert_map is None else layer.expert_map.int()
        # Rows with a stride of 1, which torch does not promise of a tensor with no element.
        weights = torch.empty_like(topk_weights, memory_format=torch.contiguous_format).copy_(topk_weights)
        return module.fused_experts_impl(
            x, layer.w_gate_up, layer.w_down, weights, topk_ids.int(), activation=_NAMES[layer.activation],
            apply_router_weight_on_input=layer.weight_first, global_num_experts=layer.num_experts,
            expert_map=expert_map, w1_bias=layer.gate_up_bias, w2_bias=layer.down_bias, **_quantised(layer),
        )  # fmt: skip

    return routed(experts, maps=True)


def _quantised(layer: Layer) -> dict[str, Any]:
    """Return what int4 weights add."""
    if layer.gate_up_scale is None:
        return {}
    return {
        "use_int4_w4a16": True, "w1_scale": layer.gate_up_scale, "w2_scale": layer.down_scale,
        "block_shape": [0, layer.scale_block],
    }  # fmt: skip


def supports(case: MoeCase) -> str | None:
    """Return why `fused_experts` does not take a case: what it asserts, and what vLLM's layers never ask of it."""
    int4, group = case.weight_dtype == "int4", case.scale_block
    return first(
        {
            **unusual(case),
            "float32 is multiplied as TF32": case.dtype == "float32",
            "x that is not contiguous": case.x_layout != "contiguous",
            "weights whose rows are not": case.weight_layout == "transposed",
            "fp8 weights: x between the products is rounded to fp8": case.weight_dtype == "float8_e4m3fn",
            "weights before the experts multiply the first bias, too": case.weight_first and case.expert_bias,
            "no biases beside int4 weights": int4 and case.expert_bias,
            "int4 weights in groups of fewer than 32": int4 and group < 32,
            "sizes that int4's groups do not divide": int4 and (case.hidden % group or case.intermediate % group),
        }
    )


IMPLEMENTATIONS: Sequence[Implementation[MoeCase]] = (
    Implementation(
        operator="moe",
        name="vllm.fused_experts",
        build=lambda case: adapt(TREE.load()),
        supports=supports,
        requires=Requirements(source_tree=TREE),
        description="vLLM's fused experts, a Triton GEMM over routes aligned by expert",
    ),
)
