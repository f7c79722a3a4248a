"""attorch: layers of torch.nn in Triton (github.com/BobMcDear/attorch)."""

import re

import torch
from hypothesis import strategies as st

from eagerdiff.reference.catalog import activations, convolution, dropout, losses, norms
from eagerdiff.strategies.own_code.argument import sizes, tensor
from eagerdiff.suites.third_party.package import Package

PACKAGE = Package("attorch", "github.com/BobMcDear/attorch@67c2772baf33913ef51c2d1064f746ca17b63749")
SMOOTH = ("sigmoid", "logsigmoid", "tanh", "gelu", "silu", "selu", "mish", "softplus", "tanhshrink", "elu_1", "celu_1")
PIECEWISE = (
    "relu", "relu6", "hardsigmoid", "hardtanh", "hardswish", "softsign", "leaky_relu_0.01", "hardshrink_0.5",
    "softshrink_0.5",
)  # fmt: skip
WIDTH = sizes(1, 1100)
# Strides that it does not know are noted among the findings, and not drawn: behind them nothing else would be seen.
ROWS = {"x": (..., "width"), "width": WIDTH, "gradients": True, "layouts": False}
REDUCTIONS = st.sampled_from(("mean", "sum", "none"))
LABELS = {
    "labels": tensor("rows", below="classes", dtype=torch.int64),
    "rows": sizes(1, 2100),
    "classes": sizes(1, 70),
    "layouts": False,
}


def activated(x: torch.Tensor, activation: str) -> torch.Tensor:
    """Apply an activation by attorch's name, whose parameter is torch's default, to x of any shape."""
    return activations.apply(x, re.sub(r"_[0-9.]+$", "", activation))


KERNELS = (
    PACKAGE.kernel(
        "act_layers", lambda ops, x, activation: ops.ActFuncAutoGrad.apply(x, activation, 0.0, False), activated,
        name="smooth_activations", **ROWS | {"activation": st.sampled_from(SMOOTH)},
    ),
    PACKAGE.kernel(
        "act_layers", lambda ops, x, activation: ops.ActFuncAutoGrad.apply(x, activation, 0.0, False), activated,
        name="piecewise_activations", **ROWS | {"activation": st.sampled_from(PIECEWISE)},
    ),
    PACKAGE.kernel(
        "dropout_layer", lambda ops, x, p: dropout.completed(ops.DropoutAutoGrad.apply(x, p, True), x, p), dropout.kept,
        name="dropout", p=st.sampled_from((0.1, 0.5, 0.9)), **ROWS,
    ),
    PACKAGE.kernel(
        "glu_layer", lambda ops, x, activation: ops.GLUAutoGrad.apply(x, -1, activation), activations.glu,
        name="glu",
        **ROWS | {"x": (..., "2*width"), "activation": st.sampled_from(("sigmoid", "relu", "gelu", "silu"))},
    ),
    PACKAGE.kernel(
        "layer_norm_layer", lambda ops, x, weight, bias: ops.LayerNormAutoGrad.apply(x, weight, bias, 1e-5),
        norms.layer_norm, name="layer_norm", weight=("width",), bias=("width",), **ROWS,
    ),
    PACKAGE.kernel(
        "rms_norm_layer", lambda ops, x, weight: ops.RMSNormAutoGrad.apply(x, weight, 1e-6),
        norms.rms_norm, name="rms_norm", weight=("width",), **ROWS,
    ),
    PACKAGE.kernel(
        "batch_norm_layer",
        lambda ops, x, weight, bias: ops.BatchNormAutoGrad.apply(
            x, True, weight, bias, None, None, 0.1, 1e-5, False, torch.zeros_like(x)),
        norms.batch_norm, name="batch_norm", x=("batch", "channels", "width"), weight=("channels",), bias=("channels",),
        batch=sizes(2, 70), channels=sizes(1, 9), width=sizes(1, 300), gradients=True,
    ),
    PACKAGE.kernel(
        "softmax_layers", lambda ops, x: ops.SoftmaxAutoGrad.apply(x, False, False), norms.softmax, name="softmax",
        **ROWS
    ),
    PACKAGE.kernel(
        "softmax_layers", lambda ops, x: ops.SoftmaxAutoGrad.apply(x, False, True), norms.log_softmax,
        name="log_softmax", **ROWS,
    ),
    PACKAGE.kernel(
        "softmax_layers", lambda ops, x: ops.SoftmaxAutoGrad.apply(x, True, False), norms.softmin, name="softmin",
        **ROWS
    ),
    PACKAGE.kernel(
        "p_loss_layers",
        lambda ops, x, target, kind, reduction, beta: ops.PLossAutoGrad.apply(x, target, kind, reduction, beta),
        losses.pointwise, name="p_loss", target=(..., "width"), kind=st.sampled_from((0, 1, 2, 3)),
        reduction=REDUCTIONS,
        beta=st.sampled_from((1.0, 0.25)), **ROWS,
    ),
    PACKAGE.kernel(
        "nll_loss_layer", lambda ops, x, labels, reduction, weight: ops.NLLLossAutoGrad.apply(x, labels, reduction,
            weight),
        losses.nll, name="nll_loss", x=("rows", "classes"), reduction=REDUCTIONS,
        weight=tensor("classes", values="unit"),
        gradients=True, **LABELS,
    ),
    PACKAGE.kernel(
        "cross_entropy_loss_layer", lambda ops, x, labels: ops.CrossEntropyLossAutoGrad.apply(x, labels),
        losses.cross_entropy, name="cross_entropy", x=("rows", "classes"), gradients=True, **LABELS,
    ),
    PACKAGE.kernel(
        "cross_entropy_loss_layer", lambda ops, x, labels, weight: ops.CrossEntropyLossAutoGrad.apply(x, labels,
            weight),
        losses.cross_entropy, name="cross_entropy_weighted", x=("rows", "classes"), gradients=True,
        weight=tensor("classes", values="unit"), **LABELS,
    ),
    PACKAGE.kernel(
        "linear_layer", lambda ops, x, weight, bias, activation: ops.LinearAutoGrad.apply(x, weight, bias, activation),
        activations.linear, name="linear", x=(..., "width"), weight=("width", "out"), bias=("out",),
        activation=st.sampled_from((None, "relu", "gelu")), width=sizes(1, 140), out=sizes(1, 140), gradients=True,
    ),
    PACKAGE.kernel(
        "conv_layer",
        lambda ops, x, weight, bias, stride, padding, groups: ops.Conv2dAutoGrad.apply(
            x, weight, bias, stride, stride, padding, padding, groups),
        convolution.conv2d, name="conv2d", x=("batch", "2*channels", "height", "width"),
        weight=("2*out", "channels", "h", "w"), bias=("2*out",), stride=st.sampled_from((1, 2)),
        padding=st.sampled_from((0, 1)), groups=2, batch=sizes(1, 3), channels=sizes(1, 20), out=sizes(1, 20),
        height=sizes("h", 20), width=sizes("w", 20), h=sizes(1, 3), w=sizes(1, 3), gradients=True,
    ),
)  # fmt: skip
