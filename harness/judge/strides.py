"""Strides: how an output lies in memory, where it must lie as eager's does."""

from collections.abc import Sequence
from enum import StrEnum

import torch

from eagerdiff.harness.memory.copies import is_thin
from eagerdiff.harness.memory.leaves import tensors
from eagerdiff.harness.model.operator import Inputs
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict


class Promise(StrEnum):
    """Say why an output lies in memory as eager's does (docs/judge.md#strides)."""

    DEMANDED = "the operator demands eager's"
    VIEW = "it is a view of an argument"
    IN_PLACE = "it is an argument that was written to"
    FORMAT = "it keeps the memory format of an argument"


def promise_of(value: torch.Tensor, after: Inputs, *, mutated: bool) -> Promise | None:
    """Return why torch promises the strides of one of eager's outputs, or None where it promises none.

    `after` are the arguments as the same run left them; `mutated` says that the value is one of these. A view lies as
    its operation says. What is new keeps the memory format of an argument where both are dense, and the order of the
    dims in memory is the argument's (docs.pytorch.org/docs/stable/tensor_attributes.html#torch.memory_format).
    """
    given = [named.tensor for named in tensors(after) if named.tensor.layout == torch.strided]
    # Eager runs on dense copies of what is thin.
    if value.layout != torch.strided or value.numel() == 0 or any(map(is_thin, given)):
        return None
    if mutated:
        return Promise.IN_PLACE
    start = value.untyped_storage().data_ptr()
    if any(one.untyped_storage().data_ptr() == start for one in given):
        return Promise.VIEW
    order = _order(value)
    kept = order is not None and any(one.dim() == value.dim() and _order(one) == order for one in given)
    return Promise.FORMAT if kept else None


def check_strides(path: str, output: torch.Tensor, expected: torch.Tensor, why: Promise) -> Verdict | None:
    """Refuse other strides than eager's, of tensors of one shape; None where they agree."""
    if same_strides(output, expected):
        return None
    return Verdict(
        status=Status.WRONG_STRIDES,
        reason=f"other strides than eager's, and {why.value}",
        oracle=Oracle.STRIDES,
        output=path,
        got=_text(output.stride()),
        expected=_text(expected.stride()),
    )


def same_strides(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors of one shape lie alike; strides of dims of one element, or of none at all, say nothing."""
    if one.layout != torch.strided or other.layout != torch.strided:
        return one.layout == other.layout
    return one.numel() == 0 or _significant(one) == _significant(other)


def _significant(tensor: torch.Tensor) -> list[int]:
    return [stride for stride, size in zip(tensor.stride(), tensor.shape, strict=True) if size > 1]


def _order(tensor: torch.Tensor) -> tuple[int, ...] | None:
    """Return the dims of more than one element, those that lie farthest apart first; None where it is not dense."""
    dims = sorted((dim for dim, size in enumerate(tensor.shape) if size > 1), key=lambda dim: -tensor.stride(dim))
    apart = tensor.numel()
    for dim in dims:
        apart //= tensor.shape[dim]
        if tensor.stride(dim) != apart:
            return None
    return tuple(dims) if tensor.numel() else None


def _text(strides: Sequence[int]) -> str:
    return str(list(strides))
