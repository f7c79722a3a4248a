"""FlagGems' operations of torch (github.com/FlagOpen/FlagGems), as it has them for NVIDIA."""

# pyright: basic, reportCallIssue=false, reportArgumentType=false, reportAttributeAccessIssue=false
import contextlib
import importlib
from collections.abc import Sequence
from itertools import product
from types import SimpleNamespace
from typing import Any

import torch
import torch.nn.functional as F
import triton
from hypothesis import strategies as st
from torch import Tensor
from triton.language.extra import libdevice

from eagerdiff import sizes, tensor
from eagerdiff.reference.catalog import indexing, sorting
from eagerdiff.suites.third_party.package import Package

_WIDE = {"BLOCK_M": (1, 2, 4, 8), "BLOCK_N": (1024, 2048)}
_TUNED = {
    "kron": _WIDE,
    "var_mean": _WIDE,
    "naive_reduction": {"BLOCK_M": (1, 2, 4, 8), "BLOCK_N": (1024,)},
    "triu": {"M_BLOCK_SIZE": (1,), "N_BLOCK_SIZE": (2048,)},
    "triu_batch": {"BATCH_BLOCK_SIZE": (1,), "MN_BLOCK_SIZE": (512,)},
    "upsample_nearest2d": {"BLOCK_SIZE": (1024, 2048)},
}
"""Blocks of its tune_configs.yaml; warps make no difference here."""


def _tuned(name: str) -> Sequence[triton.Config]:
    blocks = _TUNED[name]
    return [triton.Config(dict(zip(blocks, one, strict=True))) for one in product(*blocks.values())]


def _heuristic(name: str) -> Any:
    return importlib.import_module("flag_gems.runtime.backend._nvidia.heuristics_config_utils").HEURISTICS_CONFIGS[name]


def _of_shapes(name: str) -> Any:
    """Return what `flag_gems.utils` has of its shape_utils."""
    if name.startswith("_") or name in ("triton_lang_extension", "shape_utils", "limits"):
        raise AttributeError(name)
    return getattr(importlib.import_module("flag_gems.utils.shape_utils"), name)


_LIBRARY = {
    "libentry": lambda: lambda kernel: kernel,
    "libtuner": lambda configs, key, **options: triton.autotune(configs, key),
}
_PROPERTIES = SimpleNamespace(multi_processor_count=8)
PACKAGE = Package(
    "flag_gems",
    "flag-gems==5.0.2",
    {
        "flag_gems.runtime": {
            "__path__": [],
            "device": SimpleNamespace(name="cpu"),
            "torch_device_fn": SimpleNamespace(
                device=lambda device: contextlib.nullcontext(), get_device_properties=lambda device: _PROPERTIES
            ),
            "get_tuned_config": _tuned,
            "get_heuristic_config": _heuristic,
        },
        "flag_gems.utils": {
            "__path__": [],
            "__getattr__": _of_shapes,
            "get_device_properties": lambda index: _PROPERTIES,
            "tl_extra_shim": libdevice,
            **_LIBRARY,
        },
        "flag_gems.utils.codegen_config_utils": {"get_heuristics_for_num_warps": lambda size: 4},
        "flag_gems.utils.libentry": _LIBRARY,
        "flag_gems.utils.triton_lang_helper": {"use_tl_extra": lambda function: function, "tl_extra_shim": libdevice},
        "flag_gems.utils.triton_version_utils": {"HAS_TLE": False},
    },
)
_PLANES = {"images": sizes(1, 3), "channels": sizes(1, 3), "height": sizes(1, 20), "width": sizes(1, 20)}
_REDUCTIONS = ("none", "mean", "sum")
_POOLED = ("220", "311", "320", "231")
"""Sizes of windows, their strides and what is padded, a digit each."""


def _pooled(window: str) -> dict[str, Any]:
    """Return the options of a pool whose size, stride and padding are three digits."""
    return dict(zip(("kernel_size", "stride", "padding"), map(int, window), strict=True))


def _kron(a: Tensor, b: Tensor) -> Tensor:
    """Call torch.kron with what it does not refuse for its strides."""
    return torch.kron(a.contiguous(), b.contiguous())


def _losses(sizes: Any, generator: torch.Generator) -> Tensor:
    return torch.randint(0, sizes["classes"], (sizes["rows"],), generator=generator)


KERNELS = (
    PACKAGE.kernel(
        "ops.cumsum", lambda ops, x: ops.cumsum(x, 1), lambda x: x.cumsum(1), name="cumsum",
        x=("before", "length", "after"), length=sizes(0, 2100), before=sizes(0, 5), after=sizes(0, 5),
    ),
    PACKAGE.kernel(
        "ops.cummax", lambda ops, x: ops.cummax(x, -1)[0], sorting.cummax, name="cummax", x=("rows", "width"),
        rows=sizes(1, 9), width=sizes(1, 2100),
    ),
    PACKAGE.kernel(
        "ops.topk", lambda ops, x, k: ops.topk(x, k)[0], sorting.topk, name="topk", x=("rows", "width"), k="most",
        rows=sizes(0, 9), width=sizes(1, 2100), most=sizes(0, "width"), layouts=False,
    ),
    PACKAGE.kernel(
        "ops.sort", lambda ops, x, descending: ops.sort_stable(x, stable=True, descending=descending), sorting.sort,
        name="sort", x=("rows", "width"), descending=st.booleans(), rows=sizes(0, 9), width=sizes(0, 2100),
    ),
    PACKAGE.kernel(
        "ops.index_select", lambda ops, x, index: ops.index_select(x, 1, index), indexing.index_select,
        name="index_select", x=("rows", "columns"), index=tensor("count", dtype=torch.int64, below="columns"),
        columns=sizes(1, 300),
    ),
    PACKAGE.kernel(
        "ops.embedding", lambda ops, weight, ids: ops.embedding(weight, ids), indexing.embedding, name="embedding",
        weight=("count", "width"), ids=tensor("rows", "length", dtype=torch.int64, below="count"), count=sizes(1, 99),
        rows=sizes(0, 9), length=sizes(0, 9),
    ),
    PACKAGE.kernel(
        "ops.isin", lambda ops, x, among: ops.isin(x, among), indexing.isin, name="isin",
        x=tensor("rows", "width", dtype=torch.int64), among=tensor("count", dtype=torch.int64), rows=sizes(0, 9),
    ),
    PACKAGE.kernel(
        "ops.unique", lambda ops, x: ops._unique2(x, True, True, True), sorting.unique, name="unique",
        x=tensor("count", dtype=torch.int64), count=sizes(0, 2100),
    ),
    PACKAGE.kernel(
        "ops.triu", lambda ops, x, offset: ops.triu(x, offset), lambda x, offset: x.triu(offset), name="triu",
        x=(..., "rows", "columns"), offset=st.integers(-3, 3),
    ),
    PACKAGE.kernel(
        "ops.var_mean", lambda ops, x: ops.var_mean(x, [1]), lambda x: torch.var_mean(x, 1), name="var_mean",
        x=("before", "length", "after"), length=sizes(2, 2100), before=sizes(0, 5), after=sizes(0, 5),
    ),
    PACKAGE.kernel(
        "ops.var_mean", lambda ops, x: ops.var_mean(x), lambda x: torch.var_mean(x), name="var_mean_of_all",
        x=("rows", "width"), rows=sizes(1, 50), width=sizes(2, 300), layouts=False,
    ),
    PACKAGE.kernel(
        "ops.masked_select", lambda ops, x, mask: ops.masked_select(x, mask), indexing.masked_select,
        name="masked_select", x=("rows", "width"), mask=tensor("rows", "width", dtype=torch.bool), rows=sizes(0, 9),
        width=sizes(0, 2100),
    ),
    PACKAGE.kernel(
        "ops.nonzero", lambda ops, x: ops.nonzero(x), indexing.nonzero, name="nonzero",
        x=tensor("rows", "width", dtype=torch.int64), rows=sizes(1, 9), width=sizes(1, 2100),
    ),
    PACKAGE.kernel(
        "ops.upsample_nearest2d", lambda ops, x, tall, wide: ops.upsample_nearest2d(x, (tall, wide)),
        lambda x, tall, wide: F.interpolate(x, (tall, wide)), name="upsample_nearest2d",
        x=("images", "channels", "height", "width"), tall=st.integers(1, 50), wide=st.integers(1, 50), layouts=False,
        **_PLANES,
    ),
    PACKAGE.kernel(
        "ops.max_pool2d_with_indices",
        lambda ops, x, window: ops.max_pool2d_with_indices(x, **_pooled(window)),
        lambda x, window: F.max_pool2d(x, return_indices=True, **_pooled(window)), name="max_pool2d",
        x=("images", "channels", "height", "width"), window=st.sampled_from(_POOLED), **_PLANES,
    ),
    PACKAGE.kernel(
        "ops.avg_pool2d",
        lambda ops, x, window, ceil, padded: ops.avg_pool2d(
            x, ceil_mode=ceil, count_include_pad=padded, **_pooled(window)
        ),
        lambda x, window, ceil, padded: F.avg_pool2d(x, ceil_mode=ceil, count_include_pad=padded, **_pooled(window)),
        name="avg_pool2d",
        x=("images", "channels", "height", "width"), window=st.sampled_from(_POOLED), ceil=st.booleans(),
        padded=st.booleans(), **_PLANES,
    ),
    PACKAGE.kernel(
        "ops.roll", lambda ops, x, shift: ops.roll(x, shift, 1), indexing.roll, name="roll", x=("rows", "columns"),
        shift=st.integers(-5, 5),
    ),
    PACKAGE.kernel(
        "ops.diag", lambda ops, x, offset: ops.diag(x, offset), indexing.diag, name="diag", x=("rows", "columns"),
        offset=st.integers(-3, 3), rows=sizes(1, 300), columns=sizes(1, 300),
    ),
    PACKAGE.kernel(
        "ops.kron", lambda ops, a, b: ops.kron(a, b), _kron, name="kron",
        a=("count", "rows", "columns"), b=("least", "high", "wide"), count=sizes(1, 3), rows=sizes(1, 9),
        columns=sizes(1, 9), least=sizes(1, 3), high=sizes(1, 9), wide=sizes(1, 9),
    ),
    PACKAGE.kernel(
        "ops.kron", lambda ops, a, b: ops.kron(a[None], b[None]), lambda a, b: _kron(a[None], b[None]),
        name="kron_of_four_dims", a=("count", "rows", "columns"), b=("least", "high", "wide"), count=sizes(1, 3),
        rows=sizes(1, 9), columns=sizes(1, 9), least=sizes(1, 3), high=sizes(1, 9), wide=sizes(1, 9),
    ),
    PACKAGE.kernel(
        "ops.nllloss",
        lambda ops, x, target, weight, reduction: ops.nll_loss_forward(x, target, weight, reduction)[0],
        lambda x, target, weight, reduction: F.nll_loss(x, target, weight, reduction=_REDUCTIONS[reduction]),
        name="nll_loss", x=("rows", "classes"), target=_losses, weight=("classes",),
        reduction=st.sampled_from((0, 2)), rows=sizes(1, 300), classes=sizes(1, 50),
    ),
)  # fmt: skip
