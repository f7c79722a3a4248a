"""lmdeploy's kernels other than attention and experts (github.com/InternLM/lmdeploy)."""

import logging
from collections.abc import Mapping
from typing import Any

import torch
import torch.nn.functional as F
from hypothesis import strategies as st
from torch import Tensor

from eagerdiff import sizes, tensor
from eagerdiff.reference.catalog import gemm, norms, quantisation, sampling, sorting
from eagerdiff.suites.third_party.package import Package

_DEVICE = {"multi_processor_count": 4, "warps_per_sm": 64, "blocks_per_sm": 32, "compute_capability": (8, 0)}
PACKAGE = Package(
    "lmdeploy",
    "lmdeploy==0.18.0",
    {
        "lmdeploy.pytorch.kernels.cuda.utils": {
            "get_device_props": lambda index: _DEVICE,
            "supports_pdl": bool,
            "supports_tma": lambda index=None: False,
        },
        "lmdeploy.utils": {"get_logger": logging.getLogger},
        "lmdeploy.pytorch.backends.rejection_sampling": {"PLACEHOLDER_TOKEN_ID": -1},
    },
)
_KERNELS = "pytorch.kernels.cuda"
_W8A8 = f"{_KERNELS}.w8a8_triton_kernels"
_NORM = {
    "x": ("rows", "width"),
    "weight": ("width",),
    "rows": sizes(0, 12),
    "width": sizes(1, 1100),
    "supports": lambda call: call.sizes["width"].bit_count() == 1,  # lanes that are masked are summed up too
}


def _one_hot(sizes: Mapping[str, int], generator: torch.Generator) -> Tensor:
    """Return probabilities of which one is 1: [rows, vocabulary]."""
    chosen = torch.randint(0, sizes["vocabulary"], (sizes["rows"],), generator=generator)
    return F.one_hot(chosen, sizes["vocabulary"]).float()


def _ids(sizes: Mapping[str, int], generator: torch.Generator) -> Tensor:
    """Return which token each column is: int64 [rows, vocabulary]."""
    return torch.rand(sizes["rows"], sizes["vocabulary"], generator=generator).argsort(-1)


def _chosen(ops: Any, probs: Tensor, ids: Tensor, seeds: Tensor) -> Tensor:
    return ops.multinomial_sampling(probs, seeds, seeds, ids)


def _lengths(sizes: Mapping[str, int], generator: torch.Generator) -> Tensor:
    return torch.randint(1, sizes["width"] + 1, (sizes["rows"],), generator=generator)


def _found(ops: Any, scores: Tensor, lengths: Tensor, k: int, descending: bool) -> Tensor:
    ids = ops.bitonic_topk(scores, torch.ones_like(lengths), lengths, k, descending=descending).long()
    return scores.gather(1, ids.clamp(0)).masked_fill(ids < 0, float("nan"))


def _verified(ops: Any, draft: Tensor, target: Tensor, bonus: Tensor) -> Tensor:
    found = draft.new_empty(draft.shape[0], draft.shape[1] + 1)
    ops.greedy_rejection_sample(found, bonus[:, 0].clone(), bonus[:, 0].clone(), draft, target, bonus[:, 0], None)
    return found.int()


def _ends(draft: Tensor) -> Tensor:
    return torch.arange(1, draft.shape[0] + 1) * draft.shape[1]


def _rotated(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotate the first columns of x [length, heads, width] by cos and sin [length, part]; the rest stay."""
    part = cos.shape[-1]
    head, tail = x[..., :part], x[..., part:]
    low, high = head.chunk(2, -1)
    turned = head * cos[:, None] + torch.cat((-high, low), -1) * sin[:, None]
    return torch.cat((turned, tail), -1)


KERNELS = (
    PACKAGE.kernel(
        f"{_KERNELS}.rms_norm", lambda ops, x, weight: ops.rms_norm(x, weight), norms.rms_norm, name="rms_norm",
        **_NORM,
    ),
    PACKAGE.kernel(
        f"{_KERNELS}.rms_norm", lambda ops, x, weight, residual: ops.rms_norm(x, weight, residual=residual),
        lambda x, weight, residual: (norms.rms_norm(x + residual, weight), x + residual), name="add_rms_norm",
        residual=("rows", "width"), **_NORM,
    ),
    PACKAGE.kernel(
        f"{_KERNELS}.activation", lambda ops, x: ops.silu_and_mul(x),
        lambda x: F.silu(x.chunk(2, -1)[0]) * x.chunk(2, -1)[1], name="silu_and_mul", x=("rows", "2*width"),
        rows=sizes(0, 300), width=sizes(1, 1100),
    ),
    PACKAGE.kernel(
        f"{_KERNELS}.multinomial_sampling", _chosen,
        lambda probs, ids, seeds: ids.gather(1, probs.argmax(1)[:, None])[:, 0],
        name="multinomial_sampling", probs=_one_hot, ids=_ids, seeds=tensor("rows", dtype=torch.int64),
        rows=sizes(1, 12), vocabulary=sizes(2, 400),
    ),
    PACKAGE.kernel(
        f"{_KERNELS}.apply_rotary_pos_emb", lambda ops, q, k, cos, sin: ops.apply_rotary_pos_emb(q, k, cos, sin),
        lambda q, k, cos, sin: (_rotated(q, cos, sin), _rotated(k, cos, sin)), name="apply_rotary_pos_emb",
        q=("length", "heads", "2*half"), k=("length", "groups", "2*half"), cos=("length", "2*half"),
        sin=("length", "2*half"), length=sizes(1, 40), heads=sizes(1, 5), groups=sizes(1, 3), half=sizes(1, 80),
    ),
    PACKAGE.kernel(
        f"{_KERNELS}.apply_rotary_pos_emb", lambda ops, q, k, cos, sin: ops.apply_rotary_pos_emb(q, k, cos, sin),
        lambda q, k, cos, sin: (_rotated(q, cos, sin), _rotated(k, cos, sin)), name="apply_rotary_to_a_part",
        q=("length", "heads", "2*half+more"), k=("length", "groups", "2*half+more"), cos=("length", "2*half"),
        sin=("length", "2*half"), length=sizes(1, 40), heads=sizes(1, 5), groups=sizes(1, 3), half=sizes(1, 80),
        more=sizes(0, 80),
    ),
    PACKAGE.kernel(
        _W8A8,
        lambda ops, a, b, scale_a, scale_b: ops.matmul_kernel_dynamic_quant(
            a, b, scale_a, scale_b, output_dtype=scale_a.dtype
        ),
        gemm.scaled_mm_t, name="matmul_kernel_dynamic_quant", a=tensor("rows", "128*inner", dtype=torch.int8),
        b=tensor("columns", "128*inner", dtype=torch.int8), scale_a=("rows", 1), scale_b=("columns", 1),
        rows=sizes(1, 200), inner=sizes(1, 4), columns=sizes(1, 200), layouts=False,
    ),
    PACKAGE.kernel(
        _W8A8, lambda ops, x: quantisation.judged(x, *ops.per_token_quant_int8(x, 1e-10)), quantisation.int8_rows,
        name="per_token_quant_int8", x=("rows", "width"), width=sizes(1, 1100), rows=sizes(0, 64), layouts=False,
    ),
    PACKAGE.kernel(
        _W8A8,
        lambda ops, x, weight: quantisation.judged(
            quantisation.rms_norm_rows(x, weight), *ops.rms_norm_dynamic_quant(x, weight, 1e-6)
        )[1],
        lambda x, weight: torch.zeros(len(x), dtype=torch.int64), name="rms_norm_dynamic_quant",
        dtypes=(torch.float32,), layouts=False, **_NORM,
    ),
    PACKAGE.kernel(
        _W8A8,
        lambda ops, x, weight: quantisation.judged_fp8(
            quantisation.rms_norm_rows(x, weight),
            *ops.rms_norm_dynamic_quant(x, weight, 1e-6, quant_dtype=torch.float8_e4m3fn),
        ),
        lambda x, weight: torch.zeros(len(x), dtype=torch.int64), name="rms_norm_dynamic_quant_fp8",
        dtypes=(torch.float32,), layouts=False, **_NORM,
    ),
    PACKAGE.kernel(
        f"{_KERNELS}.blocked_gemm_fp8",
        lambda ops, x: quantisation.judged_fp8(x, *ops.quant_fp8(x, x.shape[1])),
        lambda x: torch.zeros(len(x), dtype=torch.int64),
        name="quant_fp8", x=("rows", 128), rows=sizes(1, 64),
    ),
    PACKAGE.kernel(
        f"{_KERNELS}.bitonic_topk", _found, sorting.topk_ids, name="bitonic_topk",
        scores=tensor("rows", "width", dtype=torch.float32), lengths=_lengths, k=st.sampled_from((16, 4, 64)),
        descending=True, rows=sizes(1, 9), width=sizes(1, 300), layouts=False,
    ),
    PACKAGE.kernel(
        f"{_KERNELS}.bitonic_topk", _found, sorting.topk_ids, name="bitonic_topk_ascending",
        scores=tensor("rows", "width", dtype=torch.float32), lengths=_lengths, k=st.sampled_from((16, 4, 64)),
        descending=False, rows=sizes(1, 9), width=sizes(1, 300), layouts=False,
    ),
    PACKAGE.kernel(
        f"{_KERNELS}.rejection_sampling", _verified,
        lambda draft, target, bonus: sampling.accepted(
            draft.flatten(), target.flatten(), bonus, _ends(draft), draft.shape[1]
        ),
        name="greedy_rejection_sample", draft=tensor("rows", "count", dtype=torch.int64, below=2),
        target=tensor("rows", "count", dtype=torch.int64, below=2), bonus=tensor("rows", 1, dtype=torch.int64, below=9),
        rows=sizes(1, 20), count=sizes(0, 8),
    ),
)  # fmt: skip
