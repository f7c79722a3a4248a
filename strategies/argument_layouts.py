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
_EVEN = 12
"""What numbers of layouts are made alike by, as near as can be."""
_PADDING = 3
_FAR_DIM = {"far": 0, "far_heads": -2, "far_columns": -1}


def layouts(
    arguments: Mapping[str, tuple[ArgumentLayout, ...]], far: Sequence[tuple[str, ArgumentLayout]] = ()
) -> st.SearchStrategy[Layouts]:
    """Draw layouts: none, of one to three arguments, one for all that take it, or one far tensor.

    `arguments` are those that a call may have, with the layouts that their contract allows. Shrinks to none.
    """
    # An argument that may lie in few ways is drawn as often as one that may lie in many.
    even: list[tuple[str, ArgumentLayout]] = [
        (name, layout) for name, allowed in arguments.items() for layout in allowed * (_EVEN // len(allowed))
    ]
    few: st.SearchStrategy[Layouts] = st.lists(
        st.sampled_from(even), min_size=1, max_size=3, unique_by=lambda pair: pair[0]
    ).map(tuple)
    kinds = dict.fromkeys(layout for _, layout in even)
    alike: list[Layouts] = [
        tuple((name, kind) for name, allowed in arguments.items() if kind in allowed) for kind in kinds
    ]
    apart: list[Layouts] = [(pair,) for pair in far]
    none: st.SearchStrategy[Layouts] = st.just(())
    shares = [none] * 3 + [few] * 3 + [st.sampled_from(alike)]
    shares += [st.sampled_from(apart)] * 2 if far else []
    return st.sampled_from(shares).flatmap(lambda share: share)


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


def layout_of(features: Mapping[str, str], argument: str) -> str:
    """Return how an argument lies by the features of a call."""
    return features.get(_feature(argument), USUAL)


def is_absent(two: Mapping[str, str], argument: str, feature: str, values: Collection[str]) -> bool:
    """Return whether an argument is to lie in some way in a call that does not have it, for `feature` says so."""
    return layout_of(two, argument) != USUAL and feature in two and two[feature] not in values


def lies_twice(two: Mapping[str, str], argument: str, feature: str, usual: str) -> bool:
    """Return whether an argument is to lie in some way, and in another by a feature of the operator's own."""
    return layout_of(two, argument) != USUAL and two.get(feature, usual) != usual


def _feature(argument: str) -> str:
    return f"layout of {argument}"


def lay_out_arguments(given: Inputs, names: Sequence[str], asked: Layouts, free: Collection[str] = ()) -> Inputs:
    """Return the call with each tensor laid out as is asked of its name; `names` are those of the positional ones.

    Values stay, but for what is `free` to have its first row in all rows where it is to be expanded.
    """
    by_name = dict(asked)

    def lay(name: str, value: Any) -> Any:
        layout = by_name.get(name)
        if layout is None or not isinstance(value, torch.Tensor):
            return value
        repeats = name in free and layout == "expanded" and value.dim() > 0 and len(value) > 0
        return lay_out_argument(value[:1].expand_as(value) if repeats else value, layout)

    args = tuple(lay(name, value) for name, value in zip(names, given.args, strict=True))
    return Inputs(args, {name: lay(name, value) for name, value in given.options.items()})


def lay_out_argument(values: Tensor, layout: ArgumentLayout) -> Tensor:
    """Return the values, of any shape and dtype, under other strides; NaN or a wild number lies between them.

    A layout that the dims do not allow leaves them dense.
    """
    if layout in _FAR_DIM:
        return _lay_far(values, max(_FAR_DIM[layout], -values.dim())) if values.dim() else values
    strides = _strides(values, layout)
    once = values[tuple(slice(0, 1) if stride == 0 else slice(None) for stride in strides)]
    last = sum((size - 1) * stride for size, stride in zip(values.shape, strides, strict=True))
    buffer = torch.empty(max(0, last) + 2, dtype=values.dtype, device=values.device).fill_(_wild(values.dtype))
    offset = int(layout in ("offset", "padded"))
    buffer.as_strided(once.shape, strides, offset).copy_(once)
    return buffer.as_strided(values.shape, strides, offset)


def _lay_far(values: Tensor, dim: int) -> Tensor:
    """Return the values with what lies along a dim far apart; the other dims stay in their order."""
    moved = values.movedim(dim, 0).contiguous()
    if moved.numel() == 0:
        return moved.as_strided(moved.shape, (64, *moved.stride()[1:])).movedim(0, dim)
    return spread(moved)[0].movedim(0, dim)


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
