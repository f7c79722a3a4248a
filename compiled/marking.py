"""Marks: which dims of an input change, said to Dynamo before the call."""

from collections.abc import Collection, Mapping
from typing import Any

from torch import Tensor

from eagerdiff import Mode
from eagerdiff.compiled.variant import PLAIN, Variant
from eagerdiff.harness.internals.dynamo_marks import mark_dynamic, mark_unbacked, takes_shape_id

__eagerdiff_glue__ = True
"""What this module raises itself is a harness error, not a finding about the compiler (docs/judge.md)."""


def mark(tensor: Tensor, dims: Collection[int], mode: Mode, variant: Variant = PLAIN) -> None:
    """Mark the changing dims of an input of any shape as the mode asks; does nothing for modes without marks.

    Bounds of a variant are declared where the size keeps to them; what a spec declares is not marked.
    """
    if variant.spec:
        return
    if mode.policy == "mark_dynamic":
        for dim in dims:
            mark_dynamic(tensor, dim, **_bounds(tensor.size(dim), variant.marks))
    elif mode.unbacked:
        for dim in dims:
            mark_unbacked(tensor, dim, **_shape_id(dims, dim, variant), **variant.marks)


def marking_source(dims: Mapping[Any, Mapping[int, str | None]], mode: Mode, variant: Variant) -> str:
    """Return source of `implementation`, which marks its arguments and calls `compiled`."""
    extra = "".join(f", {name}={value!r}" for name, value in variant.marks.items())
    if mode.unbacked:
        named = ", shape_id=name" if variant.shape_ids and takes_shape_id() else ""
        call = f"torch._dynamo.decorators.mark_unbacked(tensor, dim{named}{extra})"
    elif variant.marks:
        call = f"torch._dynamo.mark_dynamic(tensor, dim, **(dict({extra[2:]}) if {_inside(variant)} else {{}}))"
    else:
        call = "torch._dynamo.mark_dynamic(tensor, dim)"
    return _MARKING.format(dims=dims, call=call)


def _bounds(size: int, marks: Mapping[str, Any]) -> Mapping[str, Any]:
    return marks if marks and marks["min"] <= size <= marks["max"] else {}


def _inside(variant: Variant) -> str:
    return f"{variant.marks['min']} <= tensor.size(dim) <= {variant.marks['max']}"


def _shape_id(dims: Collection[int], dim: int, variant: Variant) -> dict[str, Any]:
    if isinstance(dims, Mapping) and variant.shape_ids and takes_shape_id():
        return {"shape_id": dims[dim]}
    return {}


_MARKING = """
MARKED = {dims}


def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            {call}
    return compiled(*args, **options)
"""
