"""Features of mixtures of experts: what a call has of each, and which do not go together."""

from collections.abc import Mapping

from eagerdiff import Covering
from eagerdiff.strategies.argument_layouts import (
    ANYHOW,
    FAR_LATER,
    FAR_MATRIX,
    FLAT,
    REPEATED,
    USUAL,
    far_apart,
    is_absent,
    laid_out,
    layout_features,
    layouts_of,
    lies_twice,
)
from eagerdiff.strategies.cases.layouts import ArgumentLayout
from eagerdiff.strategies.cases.moe import MoeCase
from eagerdiff.strategies.moe.tensors import cancels

ARGUMENT_LAYOUTS: dict[str, tuple[ArgumentLayout, ...]] = {
    **dict.fromkeys(("x", "router_logits", "w_gate_up", "w_down", "shared_gate_up", "shared_down"), ANYHOW),
    **dict.fromkeys(("gate_up_bias", "down_bias"), (*ANYHOW, "expanded")),
    **dict.fromkeys(("gate_up_scale", "down_scale", "x_scale"), (*ANYHOW, "expanded")),
    "selection_bias": REPEATED,
    "expert_map": FLAT,
}
"""Layouts of single arguments that the contract allows, far ones aside."""
FAR = far_apart(
    {
        "x": FAR_MATRIX[1:],
        **dict.fromkeys(("w_gate_up", "w_down"), FAR_LATER),
        **dict.fromkeys(("gate_up_bias", "down_bias", "shared_gate_up", "shared_down"), FAR_MATRIX),
    }
)
"""Far layouts, besides those of `x_layout` and `weight_layout`."""
_NO_YES = ("no", "yes")
_FEATURES: dict[str, tuple[str, ...]] = {
    "dtype": ("float32", "float16", "bfloat16"),
    "weights": ("as_x", "float8_e4m3fn", "float8_x_too", "int4"),
    "activation": ("swiglu", "geglu", "relu2"),
    "expert_bias": _NO_YES,
    "shared_intermediate": _NO_YES,
    "weight_first": _NO_YES,
    "scoring": ("softmax", "sigmoid", "topk_softmax"),
    "scaling": _NO_YES,
    "selection_bias": _NO_YES,
    "num_groups": _NO_YES,
    "experts_elsewhere": _NO_YES,
    "renormalize": ("yes", "no"),
    "x_layout": ("contiguous", "transposed", "row_padded", "far"),
    "weight_layout": ("contiguous", "transposed", "row_padded", "far"),
    "experts": ("few", "some", "many"),
    "top_k": ("one", "several"),
    "hidden": ("a tile", "tiles", "many tiles", "wide"),
    "intermediate": ("a tile", "tiles", "many tiles", "wide"),
    "tokens": ("few", "none", "one", "blocks", "tiles", "many tiles"),
    "padding": _NO_YES,
    "ties": _NO_YES,
    "data": ("normal", "outliers", "cancelling"),
    "nan_logits": _NO_YES,
    "nan_tokens": _NO_YES,
    **layout_features(ARGUMENT_LAYOUTS, FAR),
}
WIDTHS: dict[str, tuple[int, int]] = {"a tile": (1, 16), "tiles": (17, 64), "many tiles": (65, 160)}
"""Least and most inner elements; a tile holds 16 to 64 of them, and more than 160 are wide: blocks of columns are
larger from 256 on, and there are three of 128 from 257 on."""
MANY_EXPERTS = 13
FEW_EXPERTS = 4
BLOCK_M = 16
"""Tokens a block in the shipped kernels at these sizes, at least: an edge worth favouring."""
_TILE_OF_ROUTES = 128
"""Routes that are sorted at once."""
MANY_ROUTES = 16 * _TILE_OF_ROUTES
"""Routes in as many tiles as are added up at once."""
_NEEDED: dict[str, tuple[str, tuple[str, ...]]] = {
    "gate_up_bias": ("expert_bias", ("yes",)),
    "down_bias": ("expert_bias", ("yes",)),
    "shared_gate_up": ("shared_intermediate", ("yes",)),
    "shared_down": ("shared_intermediate", ("yes",)),
    "gate_up_scale": ("weights", ("float8_e4m3fn", "float8_x_too", "int4")),
    "down_scale": ("weights", ("float8_e4m3fn", "float8_x_too", "int4")),
    "x_scale": ("weights", ("float8_x_too",)),
    "selection_bias": ("selection_bias", ("yes",)),
    "expert_map": ("experts_elsewhere", ("yes",)),
}
"""Argument → the feature, and the values of it, with which a call has it."""


_OWN_LAYOUTS = (("x", "x_layout"), ("w_gate_up", "weight_layout"), ("w_down", "weight_layout"))


def _of(case: MoeCase) -> Mapping[str, str]:
    def has(usual: object, value: object) -> str:
        return "no" if value == usual else "yes"

    weights = "float8_x_too" if case.quantised_x else case.weight_dtype
    experts = "few" if case.num_experts <= FEW_EXPERTS else "some" if case.num_experts < MANY_EXPERTS else "many"
    filled = "few" if case.tokens <= BLOCK_M else "blocks" if case.tokens <= _TILE_OF_ROUTES else "tiles"
    filled = "many tiles" if case.tokens * case.top_k > MANY_ROUTES else filled
    tokens = {0: "none", 1: "one"}.get(case.tokens, filled)
    nowhere = case.padding_tokens > 0 or sum(case.expert_tokens) < case.tokens * case.top_k
    named = layouts_of(ARGUMENT_LAYOUTS, case.layouts, lambda name: _is_given(case, name))
    own_x = named["layout of x"] == USUAL
    own_weights = named["layout of w_gate_up"] == named["layout of w_down"] == USUAL
    return {
        "dtype": case.dtype,
        "weights": weights,
        "activation": case.activation,
        "expert_bias": has(False, case.expert_bias),
        "shared_intermediate": has(0, case.shared_intermediate),
        "weight_first": has(False, case.weight_first),
        "scoring": case.scoring,
        "scaling": has(1.0, case.scaling),
        "selection_bias": has(False, case.selection_bias),
        "num_groups": has(1, case.num_groups),
        "experts_elsewhere": has(0, case.experts_elsewhere),
        "renormalize": has(False, case.renormalize),
        "x_layout": case.x_layout if own_x else "contiguous",
        "weight_layout": case.weight_layout if own_weights else "contiguous",
        "experts": experts,
        "top_k": "one" if case.top_k == 1 else "several",
        "hidden": _width(case.hidden),
        "intermediate": _width(case.intermediate),
        "tokens": tokens,
        "padding": has(0, case.padding_tokens),
        "ties": "yes" if case.tie_group > 1 and case.num_experts > 1 else "no",
        "data": case.data if case.data != "cancelling" or cancels(case) else "normal",
        "nan_logits": "yes" if case.nan_logits and nowhere else "no",
        "nan_tokens": "yes" if case.nan_tokens and case.tokens else "no",
        **named,
    }


def _is_given(case: MoeCase, argument: str) -> bool:
    """Return whether a call has an argument."""
    return {
        "gate_up_bias": case.expert_bias,
        "down_bias": case.expert_bias,
        "shared_gate_up": case.shared_intermediate > 0,
        "shared_down": case.shared_intermediate > 0,
        "gate_up_scale": case.weight_dtype != "as_x",
        "down_scale": case.weight_dtype != "as_x",
        "x_scale": case.quantised_x,
        "selection_bias": case.selection_bias,
        "expert_map": case.experts_elsewhere > 0,
    }.get(argument, True)


def _width(width: int) -> str:
    return next((name for name, (_, most) in WIDTHS.items() if width <= most), "wide")


def _excludes(two: Mapping[str, str]) -> bool:
    """Return whether the contract, or the memory that a worker may map, keeps two features apart."""
    lying = laid_out(two)
    if any(is_absent(two, *_NEEDED[argument]) for argument in lying & _NEEDED.keys()):
        return True
    if any(lies_twice(two, field, "contiguous") for argument, field in _OWN_LAYOUTS if argument in lying):
        return True
    far = {name for name, value in two.items() if value.startswith("far")}
    has = _implied(lying) | dict(two)
    tokens, experts = has.get("tokens"), has.get("experts")
    layouts = _unusual(two) & _LAYOUT_NAMES
    if far and (layouts - far or has.get("dtype") == "float32" or tokens == "one"):
        return True  # a far tensor has 3 rows at least, of 2 bytes an element; none lies in another way beside it
    if len(far) > 1 and far - _LAYOUT_NAMES:
        return True  # these have a buffer of their own, and a worker may map one
    if tokens == "none" and (far or layouts or {"padding", "ties", "nan_logits", "nan_tokens"} & _unusual(two)):
        return True  # nothing is read
    narrow = has.get("dtype") != "float32" and has.get("weights", "as_x") == "as_x"
    return (
        (has.get("data") == "cancelling" and (not narrow or tokens == "none"))
        or (
            (experts == "many" or tokens in ("tiles", "many tiles"))
            and any(has.get(one, "a tile") != "a tile" for one in _DIMS)
        )
        or (any(has.get(one) == "wide" for one in _DIMS) and _is_crowded(has))
        or any(has.items() >= apart for apart in _APART)
    )


def _is_crowded(has: Mapping[str, str]) -> bool:
    """Return whether wide experts would cost seconds: they are several, or wide either way."""
    either = [has.get(one, "a tile") for one in _DIMS]
    return has.get("experts", "few") != "few" or either == ["wide", "wide"] or "many tiles" in either


_LAYOUT_NAMES = frozenset(layout_features(ARGUMENT_LAYOUTS))
_DIMS = ("hidden", "intermediate")
_APART = (
    *({("tokens", tokens), ("experts", "many")} for tokens in ("tiles", "many tiles")),
    {("selection_bias", "yes"), ("scoring", "softmax")},
    {("ties", "yes"), ("num_groups", "yes")},
    {("ties", "yes"), ("experts_elsewhere", "yes")},
    {("nan_logits", "yes"), ("padding", "no")},
)


def _unusual(two: Mapping[str, str]) -> set[str]:
    return {name for name, value in two.items() if value != _FEATURES[name][0]}


def _implied(lying: set[str]) -> dict[str, str]:
    """Return what a call has that has an argument which is to lie in some way."""
    return {feature: values[0] for argument, (feature, values) in _NEEDED.items() if argument in lying}


COVERING: Covering[MoeCase] = Covering(features=_FEATURES, of=_of, excludes=_excludes)
"""The features of a mixture of experts."""
