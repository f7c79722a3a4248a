"""torchao's Triton kernels (github.com/pytorch/ao)."""

import torch

from eagerdiff import sizes, tensor
from eagerdiff.reference.catalog import gemm
from eagerdiff.suites.third_party.package import Package

PACKAGE = Package("torchao", "torchao==0.18.0")
KERNELS = (
    PACKAGE.kernel(
        "prototype.quantized_training.int8_mm",
        lambda ops, a, b, scale_a, scale_b: ops.scaled_int8_mm_cuda(a, b, scale_a, scale_b),
        gemm.scaled_mm, name="scaled_int8_mm", a=tensor("rows", "inner", dtype=torch.int8),
        b=tensor("inner", "columns", dtype=torch.int8), scale_a=("rows", 1), scale_b=("columns", 1),
        rows=sizes(1, 150), inner=sizes(1, 150), columns=sizes(1, 150),
        supports=lambda call: not {"scale_a", "scale_b"} & {
            name for name, layout in call.layouts.items() if layout != "contiguous"
        },
    ),
)  # fmt: skip
