"""flash-attn's Triton operators beside attention (github.com/Dao-AILab/flash-attention)."""

import torch
from hypothesis import strategies as st

from eagerdiff.reference.catalog import activations, losses, norms, rotary
from eagerdiff.strategies.own_code.argument import sizes, tensor
from eagerdiff.suites.third_party.package import Package

REVISION = "github.com/Dao-AILab/flash-attention@0251105a2fb19d2957484b7f023cd8c115286ced"
PACKAGE = Package("flash_attn", REVISION)
MATMUL = Package(
    "flash_attn",
    REVISION,
    {
        "triton.ops.matmul_perf_model": {
            "early_config_prune": lambda configs, *_, **__: configs,
            "estimate_matmul_time": lambda **_: 1.0,
        }
    },
)
"""Its matrix product asks a model of Triton 2 which configuration is fast: here each is as good."""
WIDTH = sizes(1, 1100)  # reshape(-1, width) knows no rows of an empty tensor whose width is 0
ROWS = {"x": (..., "width"), "width": WIDTH, "gradients": True}
LABELS = tensor("rows", below="classes", dtype=torch.int64)
ANGLES = {"cos": ("length", "half"), "sin": ("length", "half"), "half": sizes(1, 40), "length": sizes(1, 40)}
HEADS = {
    "x": ("batch", "length", "heads", "2*half+rest"),
    "batch": sizes(0, 3),
    "heads": sizes(0, 5),
    "rest": sizes(0, 9),
}


KERNELS = (
    PACKAGE.kernel(
        "ops.triton.layer_norm", lambda ops, x, weight, bias: ops.layer_norm_fn(x, weight, bias, eps=1e-5),
        norms.layer_norm, name="layer_norm", weight=("width",), bias=("width",), **ROWS,
    ),
    PACKAGE.kernel(
        "ops.triton.layer_norm", lambda ops, x, weight: ops.rms_norm_fn(x, weight, None, eps=1e-6),
        norms.rms_norm, name="rms_norm", weight=("width",), **ROWS,
    ),
    PACKAGE.kernel(
        "ops.triton.layer_norm",
        lambda ops, x, weight, eps, offset: ops.rms_norm_fn(x, weight, None, eps=eps,
            zero_centered_weight=bool(offset)),
        norms.rms_norm, name="rms_norm_zero_centered", weight=("width",), eps=1e-6, offset=1.0, **ROWS,
    ),
    PACKAGE.kernel(
        "ops.triton.layer_norm",
        lambda ops, x, residual, weight, bias: ops.layer_norm_fn(x, weight, bias, residual, eps=1e-5, prenorm=True),
        norms.add_layer_norm, name="add_layer_norm", residual=(..., "width"), weight=("width",), bias=("width",),
        **ROWS,
    ),
    PACKAGE.kernel(
        "ops.triton.layer_norm",
        lambda ops, x, residual, weight: ops.rms_norm_fn(x, weight, None, residual, eps=1e-6, prenorm=True),
        norms.add_rms_norm, name="add_rms_norm", residual=(..., "width"), weight=("width",), **ROWS,
    ),
    PACKAGE.kernel(
        "ops.triton.layer_norm",
        lambda ops, x, residual, weight, bias: ops.layer_norm_fn(
            x, weight, bias, residual, eps=1e-5, prenorm=True, residual_out=x.new_empty(x.shape)),
        norms.add_layer_norm, name="add_layer_norm_into", residual=(..., "width"), weight=("width",), bias=("width",),
        **ROWS,
    ),
    PACKAGE.kernel(
        "ops.triton.layer_norm",
        lambda ops, x, other, weight, bias, weight1, bias1: ops.layer_norm_fn(
            x, weight, bias, None, other, weight1, bias1, eps=1e-5),
        norms.parallel_layer_norm, name="parallel_layer_norm", other=(..., "width"), weight=("width",), bias=("width",),
        weight1=("width",), bias1=("width",), **ROWS,
    ),
    PACKAGE.kernel(
        "ops.triton.layer_norm",
        lambda ops, x, weight, bias, linear, linear_bias: ops.layer_norm_linear_fn(
            x, weight, bias, linear, linear_bias, eps=1e-5),
        norms.layer_norm_linear, name="layer_norm_linear", weight=("width",), bias=("width",), linear=("out", "width"),
        linear_bias=("out",), **ROWS,
    ),
    PACKAGE.kernel(
        "ops.triton.cross_entropy",
        lambda ops, x, labels, weight, smoothing, softcap, z: ops.cross_entropy_loss(
            x, labels, label_smoothing=smoothing, lse_square_scale=z)[0].to(x.dtype),
        losses.cross_entropy_of_rows, name="cross_entropy", x=("rows", "classes"), labels=LABELS, weight=None,
        smoothing=st.sampled_from((0.0, 0.1)), softcap=None, z=st.sampled_from((0.0, 1e-4)), classes=sizes(1, 4200),
        gradients=True,
    ),
    PACKAGE.kernel(
        "ops.triton.rotary", lambda ops, x, cos, sin, interleaved: ops.apply_rotary(x, cos, sin,
            interleaved=interleaved),
        rotary.rotate_heads, name="rotary", interleaved=st.booleans(), **HEADS, **ANGLES,
    ),
    MATMUL.kernel(
        "ops.triton.linear", lambda ops, x, weight, bias: ops.triton_linear_act(x, weight, bias),
        activations.linear_transposed, name="linear", x=(..., "width"), weight=("out", "width"), bias=("out",),
        width=sizes(1, 140), out=sizes(1, 140),
    ),
)  # fmt: skip
