"""conch's kernels other than attention (github.com/stackav-oss/conch)."""

# pyright: basic, reportCallIssue=false, reportArgumentType=false, reportAttributeAccessIssue=false
from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import torch
import torch.nn.functional as F
from hypothesis import strategies as st
from torch import Tensor

from eagerdiff import sizes, tensor
from eagerdiff.reference.cache_write import cache_write
from eagerdiff.reference.catalog import gemm, norms, quantisation, vision
from eagerdiff.strategies.cases.own_code import OwnCase
from eagerdiff.suites.third_party.package import Package

PACKAGE = Package("conch", "conch-triton-kernels==1.3")
_ON_NVIDIA = replace(
    PACKAGE,
    stand_ins={"conch.platforms": {"current_platform": SimpleNamespace(is_amd=bool, is_nvidia=lambda: True)}},
)
_NORMS = "ops.normalization"
_QUANTISATION = "ops.quantization"
_BITS = f"{_QUANTISATION}.bitsandbytes.functional"


def _words(sizes: Mapping[str, int], generator: torch.Generator) -> Tensor:
    """Return 4-bit weights [128 · groups, 64 · tiles], packed."""
    weights = torch.randint(0, 16, (128 * sizes["groups"], 64 * sizes["tiles"]), generator=generator)
    return quantisation.pack(weights)


def _bytes(sizes: Mapping[str, int], generator: torch.Generator) -> Tensor:
    return torch.randint(0, 256, (sizes["bytes"],), generator=generator).to(torch.uint8)


def _largest(sizes: Mapping[str, int], generator: torch.Generator) -> Tensor:
    return torch.rand(-(-sizes["bytes"] * 2 // 64), generator=generator) + 0.1


def _boxes(sizes: Mapping[str, int], generator: torch.Generator) -> Tensor:
    """Return boxes [count, 4] with corners on a grid of 12 in order."""
    corner = torch.randint(0, 9, (sizes["count"], 2), generator=generator)
    return torch.cat((corner, corner + torch.randint(1, 4, corner.shape, generator=generator)), 1).float()


def _slots(sizes: Mapping[str, int], generator: torch.Generator) -> Tensor:
    """Return different slots, and -1 of tokens that are not written: int64 [tokens]."""
    found = torch.randperm(sizes["pages"] * 16, generator=generator)[: sizes["tokens"]]
    return found.masked_fill(torch.rand(len(found), generator=generator) < 0.2, -1)


def _coded(ops: Any, x: Tensor, kind: str) -> tuple[Tensor, Tensor]:
    """Return the greatest number of each 64, and which values [count] are wrong when they are read back."""
    packed, state = ops.quantize_4bit(x, quant_type=kind)
    codes = quantisation.NF4 if kind == "nf4" else quantisation.SIGNED_FP4
    values = quantisation.dequantize_4bit(packed.flatten(), state.absmax, 64, codes)
    return state.absmax, ~quantisation.is_nearest_code(x, values, state.absmax, 64, codes)


def _coded_right(x: Tensor, kind: str) -> tuple[Tensor, Tensor]:
    padded = F.pad(x, (0, -len(x) % 64)).unflatten(0, (-1, 64))
    return padded.abs().amax(-1).to(torch.promote_types(x.dtype, torch.float32)), torch.zeros_like(x, dtype=torch.bool)


def _power_of_two(call: OwnCase) -> bool:
    """Whether no lane is masked: those that are, the norms sum up too."""
    return call.sizes["width"].bit_count() == 1


KERNELS = (
    PACKAGE.kernel(
        "ops.activation.silu_and_mul", lambda ops, x: ops.silu_and_mul(x),
        lambda x: F.silu(x.chunk(2, -1)[0]) * x.chunk(2, -1)[1], name="silu_and_mul",
        x=(..., "rows", "2*width"), width=sizes(1, 1100), rows=sizes(0, 9), layouts=False,
    ),
    PACKAGE.kernel(
        "ops.activation.gelu_tanh_and_mul", lambda ops, x: ops.gelu_tanh_and_mul(x),
        lambda x: F.gelu(x.chunk(2, -1)[0], approximate="tanh") * x.chunk(2, -1)[1], name="gelu_tanh_and_mul",
        x=("rows", "2*width"), width=sizes(1, 600), rows=sizes(0, 9), dtypes=(torch.float32,), layouts=False,
    ),
    PACKAGE.kernel(
        f"{_NORMS}.rms_norm", lambda ops, x, weight: ops.rms_norm(x, weight, 1e-6), norms.rms_norm, name="rms_norm",
        x=(..., "rows", "width"), weight=("width",), width=sizes(1, 1100), layouts=False, supports=_power_of_two,
    ),
    PACKAGE.kernel(
        f"{_NORMS}.rms_norm",
        lambda ops, x, residual, weight: ops.fused_add_rms_norm(x, residual, weight, 1e-6),
        norms.add_rms_norm_, name="fused_add_rms_norm", x=("rows", "width"), residual=("rows", "width"),
        weight=("width",), width=sizes(1, 1100), rows=sizes(0, 9), layouts=False, supports=_power_of_two,
    ),
    PACKAGE.kernel(
        f"{_NORMS}.gemma_rms_norm", lambda ops, x, weight: ops.gemma_rms_norm(x, weight, 1e-6),
        norms.gemma_rms_norm_, name="gemma_rms_norm", x=("rows", "width"), weight=("width",), width=sizes(1, 1100),
        rows=sizes(0, 9), layouts=False, supports=_power_of_two,
    ),
    PACKAGE.kernel(
        f"{_QUANTISATION}.int8",
        lambda ops, x, scale: quantisation.judged(x, *ops.scaled_int8_quant(x, scale), step=1)[1],
        lambda x, scale: torch.zeros(len(x), dtype=torch.int64), name="scaled_int8_quant", x=("rows", "width"),
        scale=lambda sizes, generator: torch.tensor([0.5]), width=sizes(1, 1100), rows=sizes(0, 9), layouts=False,
    ),
    _ON_NVIDIA.kernel(
        f"{_QUANTISATION}.fp8",
        lambda ops, x, scale: quantisation.judged_fp8(x, *ops.scaled_fp8_quant(x, scale)),
        lambda x, scale: torch.zeros(len(x), dtype=torch.int64), name="scaled_fp8_quant", x=("rows", "width"),
        scale=lambda sizes, generator: torch.rand(1, generator=generator) + 0.01, width=sizes(1, 1100),
        rows=sizes(0, 9), layouts=False,
    ),
    _ON_NVIDIA.kernel(
        f"{_QUANTISATION}.gemm",
        lambda ops, a, b, scale_a, scale_b: ops.scaled_gemm(a, b, scale_a, scale_b, scale_a.dtype, strict=True),
        gemm.scaled_mm, name="scaled_gemm", a=tensor("rows", "64*inner", dtype=torch.int8),
        b=tensor("64*inner", "64*tiles", dtype=torch.int8), scale_a=("rows", 1), scale_b=("64*tiles", 1),
        rows=sizes(1, 200), inner=sizes(1, 4), tiles=sizes(1, 4), layouts=False,
    ),
    _ON_NVIDIA.kernel(
        f"{_QUANTISATION}.gemm",
        lambda ops, a, packed, scales: ops.mixed_precision_gemm(a, packed, scales, None, 4, 8, 128, strict=True),
        quantisation.gemm_int4, name="mixed_precision_gemm", a=("rows", "128*groups"), packed=_words,
        scales=("groups", "64*tiles"), rows=sizes(1, 140), groups=sizes(1, 4), tiles=sizes(1, 3),
        dtypes=(torch.float16, torch.bfloat16), layouts=False,
    ),
    PACKAGE.kernel(
        _BITS,
        lambda ops, packed, absmax, kind: ops.dequantize_4bit(
            packed, absmax=absmax, out=absmax.new_empty(2 * len(packed)), quant_type=kind
        ),
        lambda packed, absmax, kind: quantisation.dequantize_4bit(
            packed, absmax, 64, quantisation.NF4 if kind == "nf4" else quantisation.SIGNED_FP4
        ),
        name="dequantize_4bit", packed=_bytes, absmax=_largest, kind=st.sampled_from(("nf4", "fp4")),
        bytes=sizes(1, 200),
    ),
    PACKAGE.kernel(
        _BITS, _coded, _coded_right, name="quantize_4bit", x=("2*pairs",), kind=st.sampled_from(("nf4", "fp4")),
        pairs=sizes(1, 200), layouts=False,
    ),
    PACKAGE.kernel(
        "ops.vision.nms", lambda ops, boxes, scores, threshold: ops.nms(boxes, scores, threshold), vision.nms,
        name="nms", boxes=_boxes, scores=("count",), threshold=st.sampled_from((0.5, 0.25, 0.75)),
        count=sizes(0, 300), dtypes=(torch.float32,), layouts=False,
    ),
    PACKAGE.kernel(
        "ops.vllm.reshape_and_cache",
        lambda ops, key, value, keys, values, slots: ops.reshape_and_cache(key, value, keys, values, slots),
        cache_write, name="reshape_and_cache", key=("tokens", "heads", "width"), value=("tokens", "heads", "width"),
        keys=("pages", 16, "heads", "width"), values=("pages", 16, "heads", "width"), slots=_slots,
        tokens=sizes(0, "16*pages"), pages=sizes(1, 3), heads=sizes(1, 5), width=sizes(1, 100), layouts=False,
    ),
)  # fmt: skip
