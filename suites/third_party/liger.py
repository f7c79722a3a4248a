"""Liger-Kernel's operators for training (github.com/linkedin/Liger-Kernel)."""

from typing import Any

import torch
from hypothesis import strategies as st

from eagerdiff.reference.catalog import activations, losses, norms, rotary
from eagerdiff.strategies.own_code.argument import sizes, tensor
from eagerdiff.suites.third_party.package import Package

PACKAGE = Package("liger_kernel", "liger-kernel==0.8.5")
BACKENDS = Package(
    "liger_kernel",
    "liger-kernel==0.8.5",
    {
        "liger_kernel.backends": {
            "Capability": lambda **_: None, "register_op": lambda *_, **__: lambda call: call, "dispatch": None
        },
        "liger_kernel.functional": {},
    },
)  # fmt: skip
"""Without its register of implementations, of which there is Triton's alone here."""
WIDTH = sizes(1, 1100)  # `view(-1, width)` knows no rows of an empty tensor whose width is 0
ROWS = {"x": (..., "width"), "width": WIDTH, "gradients": True}
GATED = {"gate": (..., "width"), "up": (..., "width"), "width": WIDTH, "gradients": True}
LOGITS = {"classes": sizes(1, 4100), "gradients": True}
LABELS = tensor("rows", below="classes", dtype=torch.int64)
REDUCTIONS = st.sampled_from(("mean", "sum", "none"))
BATCHED = st.sampled_from(("batchmean", "mean", "sum", "none"))


def ignored(sizes: Any, generator: torch.Generator) -> torch.Tensor:
    """Make labels [rows] of which a third says that its row does not count."""
    labels = torch.randint(0, sizes["classes"], (sizes["rows"],), generator=generator)
    return labels.where(torch.rand(sizes["rows"], generator=generator) > 1 / 3, -100)


def log_probs(sizes: Any, generator: torch.Generator) -> torch.Tensor:
    """Make logarithms of probabilities [rows, classes]."""
    return torch.randn(sizes["rows"], sizes["classes"], generator=generator).log_softmax(-1)


KERNELS = (
    PACKAGE.kernel(
        "ops.rms_norm", lambda ops, x, weight, eps, offset: ops.LigerRMSNormFunction.apply(x, weight, eps, offset,
            "llama", False),
        norms.rms_norm, name="rms_norm", weight=("width",), eps=1e-6, offset=st.sampled_from((0.0, 1.0)), **ROWS,
    ),
    PACKAGE.kernel(
        "ops.rms_norm", lambda ops, x, weight, eps, offset: ops.LigerRMSNormFunction.apply(x, weight, eps, offset,
            "gemma", True),
        norms.rms_norm, name="rms_norm_gemma", weight=("width",), eps=1e-6, offset=st.sampled_from((0.0, 1.0)), **ROWS,
    ),
    PACKAGE.kernel(
        "ops.layer_norm", lambda ops, x, weight, bias: ops.LigerLayerNormFunction.apply(x, weight, bias, 1e-5),
        norms.layer_norm, name="layer_norm", weight=("width",), bias=("width",), **ROWS,
    ),
    PACKAGE.kernel(
        "ops.group_norm", lambda ops, x, weight, bias, groups: ops.LigerGroupNormFunction.apply(x, weight, bias,
            x.shape[1], groups, 1e-5),
        norms.group_norm, name="group_norm", x=("batch", "3*count", "width"), weight=("3*count",), bias=("3*count",),
        groups="count", count=sizes(1, 5), batch=sizes(1, 5), width=WIDTH, gradients=True,
    ),
    PACKAGE.kernel(
        "ops.fused_add_rms_norm", lambda ops, x, residual, weight: ops.LigerFusedAddRMSNormFunction.apply(x, residual,
            weight, 1e-6),
        norms.add_rms_norm, name="fused_add_rms_norm", residual=(..., "width"), weight=("width",), **ROWS,
    ),
    PACKAGE.kernel(
        "ops.modulated_rms_norm",
        lambda ops, x, weight, scale, shift: ops.LigerModulatedRMSNormFunction.apply(x, weight, scale, shift, 1e-6),
        norms.modulated_rms_norm, name="modulated_rms_norm", weight=("width",), scale=("width",), shift=("width",),
        **ROWS,
    ),
    PACKAGE.kernel(
        "ops.poly_norm", lambda ops, x, weight, bias: ops.LigerPolyNormFunction.apply(x, weight, bias),
        norms.poly_norm, name="poly_norm", weight=tensor(3), bias=tensor(), **ROWS,
    ),
    PACKAGE.kernel(
        "ops.dyt", lambda ops, x, alpha, weight, bias: ops.LigerDyTFunction.apply(x, alpha, weight, bias),
        norms.dynamic_tanh, name="dyt", x=(..., "width"), alpha=tensor(1), weight=("width",), bias=("width",),
        width=WIDTH,
    ),
    PACKAGE.kernel("ops.softmax", lambda ops, x: ops.LigerSoftmaxFunction.apply(x), norms.softmax, name="softmax",
        **ROWS),
    PACKAGE.kernel(
        "ops.sparsemax", lambda ops, x: ops.LigerSparsemaxFunction.apply(x, -1), norms.sparsemax, name="sparsemax",
        **ROWS
    ),
    PACKAGE.kernel(
        "ops.geglu", lambda ops, gate, up: ops.LigerGELUMulFunction.apply(gate * 1, up * 1),
        activations.geglu_tanh, name="geglu", **GATED,
    ),
    PACKAGE.kernel(
        "ops.swiglu", lambda ops, gate, up, gate_scale, scale: ops.LigerSiLUMulFunction.apply(gate * 1, up * 1,
            gate_scale, scale),
        activations.swiglu_scaled, name="swiglu", gate_scale=st.sampled_from((1.0, 0.5)),
        scale=st.sampled_from((1.0, 3.0)), **GATED,
    ),
    PACKAGE.kernel(
        "ops.swiglu", lambda ops, x: ops.LigerFusedGateUpSiLUMulFunction.apply(x),
        activations.swiglu_halves, name="swiglu_halves", x=("rows", "2*width"), width=WIDTH, gradients=True,
    ),
    PACKAGE.kernel(
        "ops.relu_squared", lambda ops, x: ops.LigerReLUSquaredFunction.apply(x),
        activations.relu_squared, name="relu_squared", **ROWS,
    ),
    PACKAGE.kernel(
        "ops.cross_entropy",
        lambda ops, x, labels, weight, smoothing, softcap, z, reduction: ops.LigerCrossEntropyFunction.apply(
            x * 1, labels, weight, -100, z, smoothing, reduction, softcap)[0],
        losses.cross_entropy, name="cross_entropy", x=("rows", "classes"), labels=ignored, weight=None,
        smoothing=st.sampled_from((0.0, 0.1)), softcap=st.sampled_from((None, 30.0)), z=st.sampled_from((0.0, 1e-4)),
        reduction=REDUCTIONS, rows=sizes(1, 64), **LOGITS,
    ),
    PACKAGE.kernel(
        "ops.cross_entropy",
        lambda ops, x, labels, weight, smoothing: ops.LigerCrossEntropyFunction.apply(x * 1, labels, weight, -100,
            0.0, smoothing)[0],
        losses.cross_entropy, name="cross_entropy_weighted", x=("rows", "classes"), labels=LABELS,
        weight=tensor("classes", values="unit"), smoothing=st.sampled_from((0.0, 0.1)), rows=sizes(1, 64), **LOGITS,
    ),
    PACKAGE.kernel(
        "ops.fused_linear_cross_entropy",
        lambda ops, x, weight, labels, bias, smoothing, reduction: ops.LigerFusedLinearCrossEntropyFunction.apply(
            x, weight, labels, bias, None, -100, 0.0, smoothing, reduction)[0].to(x.dtype),
        losses.linear_cross_entropy, name="fused_linear_cross_entropy", x=("rows", "width"),
        weight=("classes", "width"),
        labels=LABELS, bias=("classes",), smoothing=st.sampled_from((0.0, 0.1)), reduction=REDUCTIONS,
        rows=sizes(1, 64), width=sizes(1, 64), classes=sizes(1, 300), gradients=True,
    ),
    PACKAGE.kernel(
        "ops.kl_div",
        lambda ops, x, target, reduction, log: ops.LigerKLDivLossFunction.apply(x, target, reduction, log).to(x.dtype),
        losses.kl_div, name="kl_div", x=("rows", "classes"), target=tensor("rows", "classes", values="unit"),
        reduction=BATCHED, log=st.booleans(), rows=sizes(1, 64), **LOGITS,
    ),
    BACKENDS.kernel(
        "ops.backends._triton.jsd",
        lambda ops, x, target, beta: ops.jsd_loss_and_grad_triton(x.clone(), target, None, beta, -100, float(len(x))),
        losses.jsd_of_elements, name="jsd", x=log_probs, target=log_probs,
        beta=st.sampled_from((0.5, 0.0, 1.0, 0.1)), classes=sizes(1, 4100), rows=sizes(1, 64),
    ),
    PACKAGE.kernel(
        "ops.tvd", lambda ops, p, q, reduction: ops.LigerTVDLossFunction.apply(p, q, None, reduction).to(p.dtype),
        losses.total_variation, name="tvd", p=tensor("rows", "classes", values="unit"),
        q=tensor("rows", "classes", values="unit"), reduction=BATCHED, rows=sizes(1, 64), **LOGITS,
    ),
    PACKAGE.kernel(
        "ops.fused_ce_tvd", lambda ops, x, teacher, labels: tuple(
            one.to(x.dtype) for one in ops.LigerFusedCETVDFunction.apply(x, teacher, labels)),
        losses.cross_entropy_and_variation, name="fused_ce_tvd", x=("rows", "classes"), teacher=("rows", "classes"),
        labels=LABELS, **LOGITS,
    ),
    PACKAGE.kernel(
        "ops.rope",
        lambda ops, q, k, cos, sin: ops.LigerRopeFunction.apply(q * 1, k * 1, cos, sin, None, 1, 2 * cos.shape[-1]),
        rotary.rope, name="rope", q=("batch", "heads", "length", "2*half"), k=("batch", "kv_heads", "length", "2*half"),
        cos=("length", "half"), sin=("length", "half"), batch=sizes(0, 3), heads=sizes(1, 9), kv_heads=sizes(1, 4),
        half=sizes(1, 70), length=sizes(0, 40), gradients=True,
    ),
)  # fmt: skip
