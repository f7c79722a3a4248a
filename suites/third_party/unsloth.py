"""unsloth's kernels for fine-tuning (github.com/unslothai/unsloth)."""

# pyright: basic, reportCallIssue=false, reportArgumentType=false, reportAttributeAccessIssue=false, reportReturnType=false
from collections.abc import Mapping
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import torch
import triton
import triton.language as tl
from hypothesis import strategies as st
from packaging.version import Version
from triton.language.extra import libdevice

from eagerdiff.reference.catalog import activations, losses, norms, rotary
from eagerdiff.strategies.own_code.argument import sizes, tensor
from eagerdiff.suites.third_party.package import Package


def settings(width: int) -> tuple[int, int]:
    """Return the block and the warps that its `calculate_settings` gives a width."""
    block = int(triton.next_power_of_2(width))
    return block, 32 if block >= 32768 else 16 if block >= 8192 else 8 if block >= 2048 else 4


STAND_INS: Mapping[str, Mapping[str, Any]] = {
    "unsloth.device_type": {"DEVICE_COUNT": 1},
    "unsloth.kernels.utils": {
        "MAX_FUSED_SIZE": 65536,
        "calculate_settings": settings,
        "is_cdna": lambda: False,
        "torch_device_stream": lambda _: SimpleNamespace(synchronize=lambda: None),
        "torch_gpu_device": lambda _: nullcontext(),
        "triton_cast": tl.cast,
        "triton_tanh": libdevice.tanh,
    },
    "transformers.models.llama.modeling_llama": {"LlamaRMSNorm": torch.nn.Module, "logger": None},
    "unsloth_zoo.loss_utils": {"patch_loss_functions": None, "post_patch_loss_function": None},
    "unsloth_zoo.utils": {"Version": Version},
    "unsloth_zoo.patching_utils": {"patch_layernorm": None},
}
"""Its utilities import bitsandbytes and ask for a GPU; the rest patches transformers."""
# Strides of columns are noted among the findings, and not drawn: behind them nothing else would be seen.
PACKAGE = Package("unsloth", "github.com/unslothai/unsloth@015bdef0d94a241bcd94eec7a405b1700632180d", STAND_INS)
ROWS = {"x": (..., "width"), "width": sizes(1, 1100), "gradients": True, "layouts": False}
GATED = {"gate": ("batch", "length", "width"), "up": ("batch", "length", "width"), "layouts": False}


def frozen(x: torch.Tensor, weight: torch.Tensor, eps: float, offset: float) -> torch.Tensor:
    """Return rms_norm whose weight is no parameter of training: x [..., width], weight [width]."""
    return norms.rms_norm(x, weight.detach(), eps, offset)


def frozen_layer_norm(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """Return layer_norm whose weight and bias are no parameters of training: x [..., width], weight, bias [width]."""
    return norms.layer_norm(x, weight.detach(), bias.detach())


KERNELS = (
    PACKAGE.kernel(
        "kernels.rms_layernorm", lambda ops, x, weight, eps, offset: ops.Fast_RMS_Layernorm.apply(x, weight, eps,
            False),
        frozen, name="rms_layernorm", weight=("width",), eps=1e-6, offset=0.0, **ROWS,
    ),
    PACKAGE.kernel(
        "kernels.rms_layernorm", lambda ops, x, weight, eps, offset: ops.Fast_RMS_Layernorm.apply(x, weight, eps, True),
        frozen, name="rms_layernorm_gemma", weight=("width",), eps=1e-6, offset=1.0, **ROWS,
    ),
    PACKAGE.kernel(
        "kernels.layernorm", lambda ops, x, weight, bias: ops.Fast_Layernorm.apply(x, weight, bias, 1e-5),
        frozen_layer_norm, name="layernorm", weight=("width",), bias=("width",), **ROWS,
    ),
    PACKAGE.kernel(
        "kernels.swiglu", lambda ops, gate, up: ops.swiglu_fg_kernel(gate, up), activations.swiglu, name="swiglu",
        **GATED
    ),
    PACKAGE.kernel(
        "kernels.swiglu", lambda ops, grad, gate, up: ops.swiglu_DWf_DW_dfg_kernel(grad.clone(), gate.clone(),
            up.clone()),
        activations.swiglu_backward, name="swiglu_backward", grad=("rows", "width"), gate=("rows", "width"),
        up=("rows", "width"), layouts=False,
    ),
    PACKAGE.kernel(
        "kernels.geglu", lambda ops, gate, up: ops.geglu_exact_forward_kernel(gate, up), activations.geglu,
        name="geglu",
        **GATED,
    ),
    PACKAGE.kernel(
        "kernels.geglu", lambda ops, gate, up: ops.geglu_approx_forward_kernel(gate, up), activations.geglu_tanh,
        name="geglu_approx", **GATED,
    ),
    PACKAGE.kernel(
        "kernels.geglu",
        lambda ops, grad, gate, up: ops.geglu_exact_backward_kernel(grad.clone(), gate.clone(), up.clone()),
        activations.geglu_backward, name="geglu_backward", grad=("rows", "width"), gate=("rows", "width"),
        up=("rows", "width"), layouts=False,
    ),
    PACKAGE.kernel(
        "kernels.geglu",
        lambda ops, grad, gate, up: ops.geglu_approx_backward_kernel(grad.clone(), gate.clone(), up.clone()),
        activations.geglu_tanh_backward, name="geglu_approx_backward", grad=("rows", "width"), gate=("rows", "width"),
        up=("rows", "width"), layouts=False,
    ),
    PACKAGE.kernel(
        "kernels.rope_embedding",
        lambda ops, q, cos, sin: ops.Fast_RoPE_Embedding.apply(q * 1, cos.repeat(1, 2), sin.repeat(1, 2)),
        rotary.rotate_heads, name="rope", q=("batch", "length", "heads", "2*half"), cos=("length", "half"),
        sin=("length", "half"), batch=sizes(0, 3), heads=sizes(1, 9), half=sizes(1, 70), length=sizes(2, 40),
    ),
    PACKAGE.kernel(
        "kernels.rope_embedding",
        lambda ops, q, k, cos, sin, positions: ops.Fast_RoPE_Embedding_QK.apply(
            q * 1, k * 1, cos.repeat(1, 2), sin.repeat(1, 2), positions),
        rotary.rope_at, name="rope_of_positions", q=("batch", "heads", "length", "2*half"),
        k=("batch", "kv_heads", "length", "2*half"), cos=("longest", "half"), sin=("longest", "half"),
        positions=tensor("batch", "length", below="longest", dtype=torch.int32), batch=sizes(0, 3), heads=sizes(1, 9),
        kv_heads=sizes(1, "heads"), half=sizes(1, 70), length=sizes(0, 40), longest=sizes(2, 50), layouts=False,
    ),
    PACKAGE.kernel(
        "kernels.cross_entropy_loss",
        lambda ops, x, labels, weight, smoothing, softcap: ops.Fast_CrossEntropyLoss.apply(x * 1, labels,
            softcap or 0, 0)
        .to(x.dtype),
        losses.cross_entropy_of_rows, name="cross_entropy", x=("rows", "classes"),
        labels=tensor("rows", below="classes", dtype=torch.int64), weight=None, smoothing=0.0,
        softcap=st.sampled_from((None, 30.0)), classes=sizes(1, 4200), gradients=True, layouts=False,
    ),
)  # fmt: skip
