"""Reductions and scans over whole blocks, for any combine function."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
import triton.language as tl

from eagerdiff.harness.devices.interpreted.values import Array, Value, is_narrow, settle, value_dtype
from eagerdiff.harness.internals.triton_combines import (
    argmax_combine,
    argmin_combine,
    elementwise_max,
    elementwise_min,
    prod_combine,
    sum_combine,
)
from eagerdiff.harness.internals.triton_interpreter import TensorHandle

T = TypeVar("T")

Combine = Callable[..., Value]
"""A user's combine function: it takes the items of two lanes, first the left one's, and returns those of one."""

Tensors = tl.tensor | tuple[tl.tensor, ...] | list[tl.tensor] | tl.tuple
"""One tensor, or several of one shape that are combined together."""


class AmbiguousTruth(Exception):
    """A combine function branched on a value; it has to be applied lane by lane."""


class BranchGuard:
    """Notice when a combine function asks a block for its truth."""

    active = False


def reduce(
    input: Tensors,
    axis: int | tl.constexpr | None,
    combine_fn: Combine,
    keep_dims: bool | tl.constexpr = False,
    **_: object,
) -> tl.tensor | tuple[tl.tensor, ...]:
    """Stand in for `tl.reduce`: combine neighbours pairwise along the axis, as a tree of warps would."""
    tensors = input if isinstance(input, (tuple, list, tl.tuple)) else (input,)
    axis, keep_dims = _plain(axis), bool(_plain(keep_dims))
    blocks = [tensor.handle.data for tensor in tensors]
    dtypes = [tensor.dtype for tensor in tensors]
    rank = blocks[0].ndim
    if axis is None:
        moved = [block.reshape(1, -1) for block in blocks]
    else:
        moved = [np.moveaxis(block, axis, -1) for block in blocks]
    folded = _fold(moved, dtypes, combine_fn)
    if axis is None:
        shape = (1,) * rank if keep_dims else ()
        folded = [data.reshape(shape) for data in folded]
    elif keep_dims:
        folded = [np.expand_dims(data, axis) for data in folded]
    results = tuple(_tensor(data, dtype) for data, dtype in zip(folded, dtypes, strict=True))
    return results if len(tensors) > 1 or isinstance(input, (tuple, list, tl.tuple)) else results[0]


def associative_scan(
    input: Tensors, axis: int | tl.constexpr, combine_fn: Combine, reverse: bool | tl.constexpr = False, **_: object
) -> tl.tensor | tuple[tl.tensor, ...]:
    """Stand in for `tl.associative_scan`: combine at doubling distances along the axis."""
    tensors = input if isinstance(input, (tuple, list, tl.tuple)) else (input,)
    axis, reverse = _plain(axis), bool(_plain(reverse))
    dtypes = [tensor.dtype for tensor in tensors]
    blocks = [np.moveaxis(tensor.handle.data, axis, -1) for tensor in tensors]
    if reverse:
        blocks = [block[..., ::-1] for block in blocks]
    blocks = _scan(blocks, dtypes, combine_fn)
    if reverse:
        blocks = [block[..., ::-1] for block in blocks]
    results = tuple(_tensor(np.moveaxis(block, -1, axis), dtype) for block, dtype in zip(blocks, dtypes, strict=True))
    return results if isinstance(input, (tuple, list, tl.tuple)) else results[0]


def _fold(blocks: list[Array], dtypes: list[tl.dtype], combine_fn: Combine) -> list[Array]:
    """Reduce the last axis."""
    if len(blocks) == 1 and not is_narrow(dtypes[0]) and blocks[0].dtype != np.float16:
        direct = {
            sum_combine: np.add,
            elementwise_max: np.fmax if blocks[0].dtype.kind == "f" else np.maximum,
            elementwise_min: np.fmin if blocks[0].dtype.kind == "f" else np.minimum,
        }.get(combine_fn)
        if direct is not None:
            return [settle(direct.reduce(blocks[0], axis=-1, dtype=blocks[0].dtype), dtypes[0])]
    extreme = {
        argmax_combine: np.argmax,
        argmin_combine: np.argmin,
    }.get(combine_fn)
    if extreme is not None and not (blocks[0].dtype.kind == "f" and np.isnan(blocks[0]).any()):
        place = np.expand_dims(extreme(blocks[0], axis=-1), -1)
        return [np.take_along_axis(block, place, axis=-1)[..., 0] for block in blocks]
    while blocks[0].shape[-1] > 1:
        pairs = [block[..., 0::2] for block in blocks], [block[..., 1::2] for block in blocks]
        blocks = _combine(*pairs, dtypes, combine_fn)
    return [block[..., 0] for block in blocks]


def _scan(blocks: list[Array], dtypes: list[tl.dtype], combine_fn: Combine) -> list[Array]:
    """Scan the last axis."""
    exact = blocks[0].dtype != np.float16 and not is_narrow(dtypes[0])
    if len(blocks) == 1 and exact and combine_fn in (sum_combine, prod_combine):
        ufunc = np.add if combine_fn is sum_combine else np.multiply
        return [ufunc.accumulate(blocks[0], axis=-1, dtype=blocks[0].dtype)]
    distance, length = 1, blocks[0].shape[-1]
    while distance < length:
        earlier = [np.roll(block, distance, axis=-1) for block in blocks]
        combined = _combine(earlier, blocks, dtypes, combine_fn)
        reached = np.arange(length) >= distance
        blocks = [np.where(reached, new, old) for new, old in zip(combined, blocks, strict=True)]
        distance *= 2
    return blocks


def _combine(left: list[Array], right: list[Array], dtypes: list[tl.dtype], combine_fn: Combine) -> list[Array]:
    """Apply a combine function to whole blocks, or lane by lane where it branches on its values."""
    shape = left[0].shape
    try:
        BranchGuard.active = True
        return _apply([block.reshape(-1) for block in (*left, *right)], dtypes, combine_fn, shape)
    except Exception as failure:
        if not _is_ambiguous(failure):
            raise
    finally:
        BranchGuard.active = False
    lanes = zip(*(block.reshape(-1) for block in (*left, *right)), strict=True)
    rows = [_apply([np.array([item]) for item in lane], dtypes, combine_fn, (1,)) for lane in lanes]
    return [np.concatenate(column).reshape(shape) for column in zip(*rows, strict=True)]


def _apply(flat: Sequence[Array], dtypes: list[tl.dtype], combine_fn: Combine, shape: tuple[int, ...]) -> list[Array]:
    arguments = [_tensor(data, dtype) for data, dtype in zip(flat, [*dtypes, *dtypes], strict=True)]
    result = combine_fn(*arguments)
    results = result if isinstance(result, (tuple, list, tl.tuple)) else (result,)
    return [_data(item, dtype, shape) for item, dtype in zip(results, dtypes, strict=True)]


def _data(item: Value, dtype: tl.dtype, shape: tuple[int, ...]) -> Array:
    data = item.handle.data if isinstance(item, tl.tensor) else np.asarray(_plain(item))
    count = int(np.prod(shape))
    return settle(np.broadcast_to(data.reshape(-1), (count,)), dtype).reshape(shape)


def _tensor(data: Array, dtype: tl.dtype) -> tl.tensor:
    """Wrap data; no axes make a scalar."""
    data = np.asarray(data, dtype=value_dtype(dtype))
    if data.size == 1 and data.ndim <= 1 and BranchGuard.active:
        return tl.tensor(TensorHandle(data.reshape(1), dtype.scalar), dtype.scalar)
    if data.ndim == 0:
        return tl.tensor(TensorHandle(data.reshape(1), dtype.scalar), dtype.scalar)
    return tl.tensor(TensorHandle(data, dtype.scalar), tl.block_type(dtype.scalar, list(data.shape)))


def _plain(value: T | tl.constexpr) -> T:
    if isinstance(value, tl.constexpr):
        return value.value
    return value


def _is_ambiguous(failure: BaseException | None) -> bool:
    while failure is not None:
        if isinstance(failure, AmbiguousTruth):
            return True
        failure = failure.__cause__
    return False
