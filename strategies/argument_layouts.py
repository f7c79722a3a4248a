"""Arguments that do not lie as they usually do: drawn by name, and laid out without a change of their values."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, cast

import torch
from hypothesis import strategies as st
from torch import Tensor

from eagerdiff import Inputs
from eagerdiff.strategies.cases.layouts import ArgumentLayout, Layouts
from eagerdiff.strategies.layouts import spread

ANYHOW: tuple[ArgumentLayout, ...] = ("strided", "transposed", "padded")
"""Layouts of a tensor of several dims."""
FLAT: tuple[ArgumentLayout, ...] = ("strided", "offset")
"""Layouts of a tensor of one dim that no two rows of which need be alike."""
REPEATED: tuple[ArgumentLayout, ...] = (*FLAT, "expanded")
"""Layouts of a tensor of one dim, all rows of which may be alike."""
USUAL = "usual"
"""What a feature says of an argument that lies as it usually does."""
_PREFIX = "layout of "
"""What the feature of an argument is called, before the argument's name."""
FAR_ROWS: tuple[ArgumentLayout, ...] = ("far", "far_heads", "far_columns")
"""Far layouts of a tensor of three dims, of 2 bytes an element at most: a worker may map no more."""
FAR_CACHE: tuple[ArgumentLayout, ...] = ("far", "far_slots", "far_heads", "far_columns")
"""Those of a cache."""
FAR_MATRIX: tuple[ArgumentLayout, ...] = ("far", "far_columns")
"""Those of a tensor of two dims."""
FAR_LATER: tuple[ArgumentLayout, ...] = ("far_heads", "far_columns")
"""Those of dims after the first, where an operator has a far layout of its own for that one."""
_EVEN = 12
"""What numbers of layouts are made alike by, as near as can be."""
_PADDING = 3
_FAR_DIM = {"far": 0, "far_slots": -3, "far_heads": -2, "far_columns": -1}


def layouts(
    arguments: Mapping[str, tuple[ArgumentLayout, ...]], far: Sequence[tuple[str, ArgumentLayout]] = ()
) -> st.SearchStrategy[Layouts]:
    """Draw layouts: none, of one to three arguments, one for all that take it, one far tensor, or all far alike.

    `arguments` are those that a call may have, with the layouts that their contract allows. Shrinks to none.
    """
    # An argument that may lie in few ways is drawn as often as one that may lie in many.
    even: list[tuple[str, ArgumentLayout]] = [
        (name, layout) for name, allowed in arguments.items() for layout in allowed * (_EVEN // len(allowed))
    ]
    few: st.SearchStrategy[Layouts] = st.lists(
        st.sampled_from(even), min_size=1, max_size=3, unique_by=lambda pair: pair[0]
    ).map(tuple)
    none: st.SearchStrategy[Layouts] = st.just(())
    shares = [none] * 3 + [few] * 3 + [st.sampled_from(_alike(even))]
    if far:
        apart: list[Layouts] = [(pair,) for pair in far]
        shares += [st.sampled_from(apart)] + [st.sampled_from(_alike(far))] * 2  # all far alike show any one of them
    return st.sampled_from(shares).flatmap(lambda share: share)


def _alike(pairs: Iterable[tuple[str, ArgumentLayout]]) -> list[Layouts]:
    """Return for each layout the arguments that may have it."""
    named: dict[str, dict[tuple[str, ArgumentLayout], None]] = {}
    for pair in pairs:
        named.setdefault(pair[1], {})[pair] = None
    return [tuple(alike) for alike in named.values()]


def far_apart(arguments: Mapping[str, Sequence[ArgumentLayout]]) -> tuple[tuple[str, ArgumentLayout], ...]:
    """Return pairs of an argument and a far layout, from arguments with those that each may have."""
    return tuple((name, layout) for name, allowed in arguments.items() for layout in allowed)


def layout_features(
    arguments: Mapping[str, tuple[ArgumentLayout, ...]], far: Sequence[tuple[str, ArgumentLayout]] = ()
) -> dict[str, tuple[str, ...]]:
    """Return a feature an argument, `layout of x`, with the ways in which it may lie, the usual one first."""
    return {
        _feature(name): (USUAL, *allowed, *(layout for other, layout in far if other == name))
        for name, allowed in arguments.items()
    }


def layouts_of(arguments: Iterable[str], asked: Layouts, is_given: Callable[[str], bool]) -> dict[str, str]:
    """Return those features of a call that has the arguments of which `is_given` says so."""
    by_name = dict(asked)
    return {_feature(name): by_name.get(name, USUAL) if is_given(name) else USUAL for name in arguments}


def layouts_asked(arguments: Iterable[str], asked: Mapping[str, str]) -> Layouts:
    """Return the layouts that features ask for."""
    named = ((name, asked.get(_feature(name), USUAL)) for name in arguments)
    return tuple((name, cast(ArgumentLayout, layout)) for name, layout in named if layout != USUAL)


def laid_out(features: Mapping[str, str]) -> set[str]:
    """Return the arguments that are to lie in another than the usual way."""
    asked = {name for name, layout in features.items() if layout != USUAL and name.startswith(_PREFIX)}
    return {name.removeprefix(_PREFIX) for name in asked}


def is_absent(two: Mapping[str, str], feature: str, values: Collection[str]) -> bool:
    """Return whether a call does not have an argument that is to lie in some way, for `feature` says so."""
    return feature in two and two[feature] not in values


def lies_twice(two: Mapping[str, str], feature: str, usual: str) -> bool:
    """Return whether an argument that is to lie in some way is to lie in another by a feature of the operator's own."""
    return two.get(feature, usual) != usual


def _feature(argument: str) -> str:
    return f"{_PREFIX}{argument}"


def lay_out_arguments(given: Inputs, names: Sequence[str], asked: Layouts, free: Collection[str] = ()) -> Inputs:
    """Return the call with each tensor laid out as is asked of its name; `names` are those of the positional ones.

    Values stay, but for what is `free` to have its first row in all rows where it is to be expanded.
    """
    by_name = dict(asked)
    arguments: dict[str, Any] = {**dict(zip(names, given.args, strict=True)), **given.options}
    tensors = [name for name, value in arguments.items() if isinstance(value, Tensor)]
    named: dict[str, ArgumentLayout] = {name: by_name[name] for name in tensors if name in by_name}

    def lay(value: Tensor, layout: ArgumentLayout, is_free: bool) -> Tensor:
        repeats = is_free and layout == "expanded" and value.dim() > 0 and len(value) > 0
        return lay_out_argument(value[:1].expand_as(value) if repeats else value, layout)

    far = [name for name, layout in named.items() if layout in _FAR_DIM]
    apart = _lay_far([(arguments[name], named[name]) for name in far])
    near = {name: lay(arguments[name], layout, name in free) for name, layout in named.items() if name not in far}
    laid_out: dict[str, Any] = arguments | near | dict(zip(far, apart, strict=True))
    return Inputs(tuple(laid_out[name] for name in names), {name: laid_out[name] for name in given.options})


def lay_out_argument(values: Tensor, layout: ArgumentLayout) -> Tensor:
    """Return the values, of any shape and dtype, under other strides; NaN or a wild number lies between them.

    A layout that the dims do not allow leaves them dense.
    """
    if layout in _FAR_DIM:
        return _lay_far([(values, layout)])[0]
    strides = _strides(values, layout)
    once = values[tuple(slice(0, 1) if stride == 0 else slice(None) for stride in strides)]
    last = sum((size - 1) * stride for size, stride in zip(values.shape, strides, strict=True))
    buffer = torch.empty(max(0, last) + 2, dtype=values.dtype, device=values.device).fill_(_wild(values.dtype))
    offset = int(layout in ("offset", "padded"))
    buffer.as_strided(once.shape, strides, offset).copy_(once)
    return buffer.as_strided(values.shape, strides, offset)


def _lay_far(asked: Sequence[tuple[Tensor, ArgumentLayout]]) -> list[Tensor]:
    """Return tensors with what lies along a dim far apart, all in one buffer; the other dims stay in their order."""
    laid_out = [values for values, _ in asked]
    dims = {at: max(_FAR_DIM[layout], -values.dim()) for at, (values, layout) in enumerate(asked) if values.dim()}
    moved = {at: laid_out[at].movedim(dim, 0).contiguous() for at, dim in dims.items()}
    filled = [at for at, values in moved.items() if values.numel()]
    nothing = [at for at in moved if at not in filled]
    moved |= dict(zip(filled, spread(*(moved[at] for at in filled)), strict=True))
    moved |= {at: moved[at].as_strided(moved[at].shape, (64, *moved[at].stride()[1:])) for at in nothing}
    for at, dim in dims.items():
        laid_out[at] = moved[at].movedim(0, dim)
    return laid_out


def _strides(values: Tensor, layout: ArgumentLayout) -> tuple[int, ...]:
    shape = values.shape
    if layout == "transposed":
        return _dense(shape[::-1])[::-1]
    if layout == "strided":
        return tuple(2 * stride for stride in _dense(shape))
    if layout == "padded":
        return _dense((*shape[:-1], *(width + _PADDING for width in shape[-1:])))
    if layout == "expanded" and shape and _repeats(values):
        return 0, *_dense(shape)[1:]
    return _dense(shape)


def _dense(shape: Sequence[int]) -> tuple[int, ...]:
    return torch.empty(tuple(shape), device="meta").stride()


def _repeats(values: Tensor) -> bool:
    """Return whether all rows are alike, NaN too."""
    exact = values.double() if values.is_floating_point() else values
    return bool(((exact == exact[:1]) | ((exact != exact) & (exact[:1] != exact[:1]))).all())


def _wild(dtype: torch.dtype) -> float:
    """Return what shows where it is read: NaN, a number that is no index, or True."""
    if dtype.is_floating_point:
        return float("nan")
    return 1 if dtype == torch.bool else min(torch.iinfo(dtype).max, 2**31 - 1)
