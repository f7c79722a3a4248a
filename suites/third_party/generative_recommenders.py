"""Meta's generative recommenders: kernels of jagged tensors (github.com/meta-recsys/generative-recommenders)."""

import torch
import torch.nn.functional as F

from eagerdiff import sizes, tensor
from eagerdiff.reference.catalog import jagged, norms
from eagerdiff.suites.third_party.package import Package

PACKAGE = Package("generative_recommenders", "github.com/meta-recsys/generative-recommenders db1bf8f2")
OFFSETS = tensor("sequences+1", dtype=torch.int64, values="offsets", below="total")
OFFSETS_A = tensor("sequences+1", dtype=torch.int64, values="offsets", below="total_a")
OFFSETS_B = tensor("sequences+1", dtype=torch.int64, values="offsets", below="total_b")
TOTALS = {"total_a": sizes(1, 100), "total_b": sizes(1, 100), "sequences": sizes(1, 5), "width": sizes(1, 140)}
ROWS = {"x": ("rows", "width"), "rows": sizes(1, 70), "width": sizes(1, 600)}
# Gradients of inputs whose columns do not lie side by side are wrong in most of these (findings/): layouts=False.
KERNELS = (
    PACKAGE.kernel(
        "ops.triton.triton_jagged",
        lambda ops, offsets, x, dense, bias:
            ops.triton_jagged_dense_bmm_add(int(offsets.diff().max()), offsets, x, dense, bias),
        jagged.dense_bmm_add, name="jagged_dense_bmm_add", offsets=OFFSETS, x=("total", "k"),
        dense=("sequences", "k", "n"), bias=("sequences", "n"), layouts=False, gradients=True,
        total=sizes(1, 200), sequences=sizes(1, 5), k=sizes(1, 140), n=sizes(1, 140),
    ),
    PACKAGE.kernel(
        "ops.triton.triton_jagged",
        lambda ops, offsets, x, dense:
            ops.triton_jagged_dense_broadcast_add(int(offsets.diff().max()), offsets, x, dense),
        jagged.broadcast_add, name="jagged_dense_broadcast_add", offsets=OFFSETS, x=("total", "width"),
        dense=("sequences", "width"), layouts=False, gradients=True,
        total=sizes(1, 200), sequences=sizes(1, 5), width=sizes(1, 140),
    ),
    PACKAGE.kernel(
        "ops.triton.triton_jagged",
        lambda ops, a, b, offsets_a, offsets_b: ops.triton_concat_2D_jagged(
            int((offsets_a + offsets_b).diff().max()), a, b, offsets_a, offsets_b),
        jagged.concat, name="concat_2D_jagged", a=("total_a", "width"), b=("total_b", "width"), offsets_a=OFFSETS_A,
        offsets_b=OFFSETS_B, layouts=False, gradients=True, **TOTALS,
    ),
    PACKAGE.kernel(
        "ops.triton.triton_jagged_tensors",
        lambda ops, a, b, offsets_a, offsets_b: ops.triton_concat_2D_jagged(
            int((offsets_a + offsets_b).diff().max()), a, b, None, None, offsets_a, offsets_b),
        jagged.concat, name="concat_2D_jagged_of_tensors", a=("total_a", "width"), b=("total_b", "width"),
        offsets_a=OFFSETS_A, offsets_b=OFFSETS_B, layouts=False, gradients=True, **TOTALS,
    ),
    PACKAGE.kernel(
        "ops.triton.triton_jagged",
        lambda ops, values, offsets_a, offsets_b: ops.triton_split_2D_jagged(
            values, int((offsets_a + offsets_b).diff().max()), offsets_a, offsets_b),
        jagged.split, name="split_2D_jagged", values=("total_a+total_b", "width"), offsets_a=OFFSETS_A,
        offsets_b=OFFSETS_B, layouts=False, gradients=True, **TOTALS,
    ),
    PACKAGE.kernel(
        "ops.triton.triton_layer_norm", lambda ops, x, weight, bias: ops.triton_layer_norm(x, weight, bias, 1e-5),
        norms.layer_norm, name="layer_norm", weight=("width",), bias=("width",), layouts=False, gradients=True, **ROWS,
    ),
    PACKAGE.kernel(
        "ops.triton.triton_layer_norm", lambda ops, x, weight: ops.triton_rms_norm(x, weight, 1e-6, silu=True),
        lambda x, weight: F.silu(norms.rms_norm(x, weight)), name="silu_rms_norm", weight=("width",),
        layouts=False, gradients=True, **ROWS,
    ),
    PACKAGE.kernel(
        "ops.triton.triton_layer_norm",
        lambda ops, x, weight, bias: ops.triton_swish_layer_norm(x, [x.shape[-1]], weight, bias, 1e-5),
        lambda x, weight, bias: x * torch.sigmoid(norms.layer_norm(x, weight, bias)), name="swish_layer_norm",
        weight=("width",), bias=("width",), layouts=False, gradients=True, **ROWS,
    ),
    PACKAGE.kernel(
        "ops.triton.triton_addmm", lambda ops, x, a, b: ops.triton_addmm(x, a, b), torch.addmm, name="addmm",
        x=("m", "n"), a=("m", "k"), b=("k", "n"), layouts=False, gradients=True,
        m=sizes(1, 140), n=sizes(1, 140), k=sizes(1, 140),
    ),
    PACKAGE.kernel(
        "ops.triton.triton_hstu_linear",
        lambda ops, x, u, weight, bias: ops.triton_norm_mul_dropout(x, u, weight, bias, 1e-5, 0.0, training=True),
        lambda x, u, weight, bias: u * norms.layer_norm(x, weight, bias), name="norm_mul_dropout",
        u=("rows", "width"), weight=("width",), bias=("width",), layouts=False, gradients=True, **ROWS,
    ),
    PACKAGE.kernel(
        "ops.triton.triton_hstu_attention",
        lambda ops, q, k, v, offsets: ops.triton_hstu_mha(int(offsets.diff().max()), 1.0, q, k, v, offsets),
        lambda q, k, v, offsets: jagged.hstu_attention(q, k, v, offsets, int(offsets.diff().max())),
        name="hstu_attention", q=("total", "heads", 32), k=("total", "heads", 32), v=("total", "heads", 16),
        offsets=OFFSETS, total=sizes(1, 150), heads=sizes(1, 3), sequences=sizes(1, 4), layouts=False, gradients=True,
    ),
)  # fmt: skip
