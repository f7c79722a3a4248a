"""xFormers' Triton kernels (github.com/facebookresearch/xformers)."""

from typing import Any
from unittest import mock

import torch

from eagerdiff import sizes
from eagerdiff.reference.catalog import jagged, norms
from eagerdiff.suites.third_party.package import Package

_STAND_INS = {
    "xformers": {"_is_triton_available": lambda: True, "__path__": []},
    "xformers.ops.common": {"BaseOperator": object, "register_operator": lambda operator: operator},
}
PACKAGE = Package("xformers", "xformers==0.0.35", _STAND_INS, inits=("xformers.ops._triton",))


def on_cuda(function: Any, *args: Any) -> Any:
    """Call what refuses tensors that are not on CUDA."""
    with mock.patch.object(torch.Tensor, "is_cuda", True):
        return function(*args)


KERNELS = (
    PACKAGE.kernel(
        "ops._triton.rmsnorm_kernels", lambda ops, x, weight: ops._rms_norm_forward(x, weight, 1e-6), norms.rms_norm,
        name="rms_norm", x=(..., "width"), weight=("width",), layouts=False, width=sizes(1, 9000),
    ),
    PACKAGE.kernel(
        "ops._triton.rmsnorm_kernels", lambda ops, x, y, weight: ops._rms_norm_add_forward(x, y, weight, 1e-6),
        lambda x, y, weight: norms.rms_norm(x.add_(y), weight), name="rms_norm_add", x=(..., "width"),
        y=(..., "width"), weight=("width",), layouts=False, width=sizes(1, 9000),
    ),
    PACKAGE.kernel(
        "ops.indexing", lambda ops, source, index: on_cuda(ops.index_select_cat, [source], [index]),
        jagged.index_select_cat, name="index_select_cat", source=("rows", "width"),
        index=lambda sizes, generator: torch.randperm(sizes["rows"], generator=generator)[: sizes["picked"]],
        rows=sizes(1, 40), picked=sizes(1, "rows"), width=sizes(1, 1100),
    ),
    PACKAGE.kernel(
        "ops.indexing",
        lambda ops, x, index, source, scaling: on_cuda(ops.scaled_index_add, x, index, source, scaling),
        jagged.scaled_index_add, name="scaled_index_add", x=("rows", "length", "width"),
        index=lambda sizes, generator: torch.randperm(sizes["rows"], generator=generator)[: sizes["picked"]],
        source=("picked", "length", "width"), scaling=("width",), layouts=False,
        rows=sizes(1, 20), picked=sizes(1, "rows"), length=sizes(1, 20), width=sizes(1, 1100),
    ),
)  # fmt: skip
