"""Liger-Kernel's operators for training (github.com/linkedin/Liger-Kernel)."""

from eagerdiff.reference.catalog import norms
from eagerdiff.suites.third_party.package import Package

PACKAGE = Package("liger_kernel", "liger-kernel==0.8.5")
KERNELS = (
    PACKAGE.kernel(
        "ops.rms_norm", lambda ops, x, weight: ops.LigerRMSNormFunction.apply(x, weight, 1e-6, 0.0, "llama", False),
        norms.rms_norm, name="rms_norm", x=(..., "width"), weight=("width",), gradients=True,
    ),
    PACKAGE.kernel(
        "ops.layer_norm", lambda ops, x, weight, bias: ops.LigerLayerNormFunction.apply(x, weight, bias, 1e-5),
        norms.layer_norm, name="layer_norm", x=(..., "width"), weight=("width",), bias=("width",), gradients=True,
    ),
    PACKAGE.kernel(
        "ops.softmax", lambda ops, x: ops.LigerSoftmaxFunction.apply(x),
        norms.softmax, name="softmax", x=(..., "width"), gradients=True,
    ),
)  # fmt: skip
