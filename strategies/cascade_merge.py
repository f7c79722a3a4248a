"""Calls of cascade merge: partial states of attention, some of which saw nothing."""

import functools
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from eagerdiff import Inputs
from eagerdiff.strategies.argument_layouts import ANYHOW, FAR_CACHE, far_apart, lay_out_arguments, layouts
from eagerdiff.strategies.cases.cascade_merge import CascadeMergeCase
from eagerdiff.strategies.cases.layouts import is_far
from eagerdiff.strategies.layouts import place_together
from eagerdiff.strategies.sizes import sizes

_LARGE = 256.0
"""Of states that cancel."""
_MANY_PARTS = (33, 130)
"""Parts past what a kernel may take at once."""
ARGUMENTS = ("outputs", "lses")
"""Names of the arguments, in order."""
_ALONE = layouts(
    {"outputs": ANYHOW, "lses": (*ANYHOW, "expanded")},
    far=far_apart(("outputs", FAR_CACHE)),
)


def cases() -> st.SearchStrategy[CascadeMergeCase]:
    """Draw any call; shrinks to two states of one token."""
    return _statics().map(lambda fields: CascadeMergeCase(**fields)).flatmap(cases_like)


def cases_like(case: CascadeMergeCase) -> st.SearchStrategy[CascadeMergeCase]:
    """Draw a call with the static fields of `case`."""
    dynamics = _dynamics(case.dtype != "float32" and ("lses", "expanded") not in case.layouts)
    return dynamics.map(lambda fields: CascadeMergeCase(**dict(case.static_key), **fields))


@functools.cache
def _statics() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "dtype": st.sampled_from(("float32", "float16", "bfloat16")),
            "head_dim": st.sampled_from((16, 1, 24, 64, 80, 128, 512)),
            "num_heads": st.sampled_from((1, 2, 3, 5, 17, 48)),
            "layout": st.sampled_from(("parts_first", "tokens_first", "wide_rows")),
            "layouts": _ALONE,
        }
    ).map(_reconcile)


def _reconcile(fields: dict[str, Any]) -> dict[str, Any]:
    """Make elements narrow and heads many where they lie far apart: a worker may map 2**31 elements of 2 bytes."""
    if is_far(fields["layouts"]):
        narrow = "bfloat16" if fields["dtype"] == "float32" else fields["dtype"]
        fields |= {"dtype": narrow} | {name: max(3, fields[name]) for name in ("num_heads", "head_dim")}
    return fields


@functools.cache
def _dynamics(may_be_narrow: bool) -> st.SearchStrategy[dict[str, Any]]:
    """Draw the rest; `may_be_narrow`: a kernel might sum in fewer bits than are promised, and states may cancel."""
    return st.fixed_dictionaries(
        {
            "num_parts": st.sampled_from((2, 1, 3, 2, 4, 9, 17, 0) * 4 + _MANY_PARTS),
            "num_tokens": sizes(min_value=0, max_value=9),
            "empty": st.sampled_from(("none", "some", "some", "all")),
            "far": st.sampled_from((False, False, True)),
            "cancelling": st.sampled_from((False, False, False, False, may_be_narrow)),
            "broken": st.sampled_from((False, False, False, True)),
            "seed": st.integers(0, 2**32 - 1),
        }
    ).map(_agree)


def _agree(fields: dict[str, Any]) -> dict[str, Any]:
    """Leave out what keeps states from cancelling, where they are to; of very many parts few tokens are cheap."""
    if fields["cancelling"]:
        fields |= {"empty": "none", "far": False, "broken": False, "num_parts": max(3, fields["num_parts"])}
    if fields["num_parts"] in _MANY_PARTS:
        fields |= {"num_tokens": min(1, fields["num_tokens"])}
    return fields


def inputs(case: CascadeMergeCase, device: str) -> Inputs:
    """Build outputs [X, T, H, D] and lses float32 [X, T, H]; the output of a state that saw nothing is NaN."""
    generator = torch.Generator().manual_seed(case.seed)
    shape = (case.num_parts, case.num_tokens, case.num_heads)
    lses = torch.randn(shape, generator=generator) * (3000.0 if case.far else 2.0)
    share = {"none": 0.0, "some": 0.5, "all": 1.0}[case.empty]
    empty = torch.rand(shape, generator=generator) < share
    if case.broken:
        lses[:1, torch.rand(shape[1:], generator=generator) < 0.1] = float("nan")
    if ("lses", "expanded") in case.layouts:
        lses, empty = lses[:1].expand(shape), empty[:1].expand(shape)
    outputs = torch.randn(*shape, case.head_dim, generator=generator).masked_fill(empty[..., None], float("nan"))
    if _cancels(case):
        lses[:] = 0.0  # each weighs the same
        outputs[0], outputs[-1] = _LARGE, -_LARGE
    lses = lses.masked_fill(empty, float("-inf"))
    laid_out = _lay_out(case, outputs.to(getattr(torch, case.dtype)))
    if case.layout == "tokens_first":
        lses = lses.transpose(0, 1).contiguous().transpose(0, 1)
    return place_together(lay_out_arguments(Inputs((laid_out, lses)), ARGUMENTS, case.layouts), device)


def _lay_out(case: CascadeMergeCase, outputs: Tensor) -> Tensor:
    if case.layout == "tokens_first":
        return outputs.transpose(0, 1).contiguous().transpose(0, 1)
    if case.layout == "wide_rows":
        return torch.nn.functional.pad(outputs, (0, 8), value=float("nan"))[..., : case.head_dim]
    return outputs


def _cancels(case: CascadeMergeCase) -> bool:
    """Whether the first and the last state are to cancel: all must weigh the same."""
    alike = case.empty == "none" and not case.far and not case.broken and ("lses", "expanded") not in case.layouts
    return case.cancelling and case.dtype != "float32" and case.num_parts > 2 and alike
