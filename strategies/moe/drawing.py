"""Drawing mixtures of experts: features alone and together, and how many tokens each expert gets."""

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from eagerdiff.strategies.argument_layouts import layouts, layouts_asked
from eagerdiff.strategies.cases.layouts import is_far
from eagerdiff.strategies.cases.moe import Data, MoeCase
from eagerdiff.strategies.covering import steered
from eagerdiff.strategies.moe.features import (
    ARGUMENT_LAYOUTS,
    BLOCK_M,
    COVERING,
    FAR,
    FEW_EXPERTS,
    MANY_EXPERTS,
    MANY_ROUTES,
    WIDTHS,
)
from eagerdiff.strategies.sizes import sizes

_MAX_ROUTES = 64
_TILE = 32
"""Inner elements of a tile in the shipped kernels at these sizes, or half of them."""
_SCALE_BLOCKS = (16, 32, 128)
_FEATURES: dict[str, st.SearchStrategy[Any]] = {
    "expert_bias": st.just(True),
    "shared_intermediate": st.sampled_from((16, 8, 24)),
    "weight_first": st.just(True),
    "scoring": st.sampled_from(("sigmoid", "topk_softmax")),
    "scaling": st.just(2.5),
    "selection_bias": st.just(True),
    "num_groups": st.sampled_from((2, 3, 4)),
    "experts_elsewhere": st.integers(1, 8),
}
"""What a mixture may have besides routing by softmax and experts of whatever kind, by field."""
_ALONE = layouts(ARGUMENT_LAYOUTS, FAR)
_NEEDED: dict[str, dict[str, Any]] = {
    "gate_up_bias": {"expert_bias": True},
    "down_bias": {"expert_bias": True},
    "shared_gate_up": {"shared_intermediate": 16},
    "shared_down": {"shared_intermediate": 16},
    "selection_bias": {"selection_bias": True},
    "expert_map": {"experts_elsewhere": 1},
}
"""What a call asks for that has the argument."""
_FEW_NAMED = 3
"""Arguments that are named one by one; of calls that name more a quarter have all of them, the rest those they have."""
_MOSTLY = st.sampled_from((True, True, False))
_NOW_AND_THEN = st.integers(0, 31).map(lambda drawn: drawn == 31)
_SELDOM = st.sampled_from((False, False, False, True))
_WEIGHT_DTYPES = st.sampled_from(("as_x", "as_x", "float8_e4m3fn", "as_x", "int4", "as_x"))
_ACTIVATIONS = st.sampled_from(("swiglu", "relu2", "geglu", "swiglu"))
_NAMES = st.sampled_from(sorted(_FEATURES))
_CHOSEN: st.SearchStrategy[list[str]] = st.one_of(
    *(st.lists(_NAMES, min_size=count, max_size=count, unique=True) for count in (0, 1, 0, 1, 2, 3, 7))
)
"""None of them, one alone, a few, or many together."""
_FEW = sizes(min_value=1, max_value=FEW_EXPERTS)
"""Often so: compilers that unroll the loop over experts take only those."""
_SOME = sizes(min_value=1, max_value=MANY_EXPERTS - 1, edges=(4, 8))
_MANY = st.sampled_from((16, 31, 33, 64, 128, 160, 512))
_NUM_EXPERTS = st.one_of(_FEW, _SOME, _FEW, _SOME, _MANY)
_ASKED_EXPERTS = {"few": _FEW, "some": sizes(min_value=FEW_EXPERTS + 1, max_value=MANY_EXPERTS - 1), "many": _MANY}
_DIMS_OF_EXPERTS = ("hidden", "intermediate")
_WIDE = (257, 264, 256, 300, 272)
"""More than two blocks of scales, or of columns; now and then 16 bytes in each dtype."""
_ASKED_WIDTHS = {name: sizes(min_value=least, max_value=most) for name, (least, most) in WIDTHS.items()} | {
    "wide": st.sampled_from(_WIDE)
}


def cases() -> st.SearchStrategy[MoeCase]:
    """Draw a case that costs tens of milliseconds on the interpreter: 64 routes, small dims where experts are many.

    Every fourth case has the features of a row of a covering array (`COVERING`).
    """
    return _cases()


def workload_cases(first: MoeCase) -> st.SearchStrategy[MoeCase]:
    """Draw a further case under the static fields of `first`."""
    fields = dict(first.static_key)
    return _dynamic_fields(fields, {}).map(lambda rest: MoeCase(**fields, **rest))


@st.composite
def _cases(draw: st.DrawFn) -> MoeCase:
    asked = draw(steered(COVERING, halved=("weights", "hidden", "intermediate")))
    if asked:
        return draw(asked_cases(asked))
    fields = draw(_static_fields())
    return MoeCase(**fields, **draw(_dynamic_fields(fields, {})))


@st.composite
def asked_cases(draw: st.DrawFn, asked: Mapping[str, str]) -> MoeCase:
    """Draw a case that has a value of each feature (`COVERING`), as far as they go together."""
    fields = draw(_asked_statics(asked))
    return MoeCase(**fields, **draw(_dynamic_fields(fields, asked)))


@st.composite
def _static_fields(draw: st.DrawFn) -> dict[str, Any]:
    fields = {name: draw(_FEATURES[name]) for name in draw(_CHOSEN)}
    asked = draw(_ALONE)
    for name, _ in asked if len(asked) <= _FEW_NAMED or draw(_SELDOM) else ():
        fields = _NEEDED.get(name, {}) | fields
    fields["weight_dtype"] = draw(_WEIGHT_DTYPES)
    quantised = fields["weight_dtype"] != "as_x"
    dims = draw(st.sampled_from((_ALIGNED_DIMS, _DIMS, *((_BLOCK_DIMS,) * quantised))))
    fields |= {
        "num_experts": draw(_NUM_EXPERTS),
        "activation": draw(_ACTIVATIONS),
        "dtype": draw(_DTYPES),
        "hidden": draw(dims),
        "intermediate": draw(_INTERMEDIATE[dims is _DIMS] if dims is not _BLOCK_DIMS else dims),
        "renormalize": draw(st.booleans()),
        "x_layout": draw(_X_LAYOUTS),
        "weight_layout": draw(_WEIGHT_LAYOUTS),
        "layouts": asked,
        "quantised_x": fields["weight_dtype"] == "float8_e4m3fn" and draw(_MOSTLY),
    }
    return draw(_agreeing(fields, {}))


@st.composite
def _asked_statics(draw: st.DrawFn, asked: Mapping[str, str]) -> dict[str, Any]:
    """Draw the static fields of a call that has certain features."""
    fields = {name: draw(_FEATURES[name]) for name in sorted(_FEATURES) if asked.get(name) == "yes"}
    weights = asked["weights"]
    fields |= {name: asked[name] for name in ("scoring", "activation", "dtype", "x_layout", "weight_layout")}
    fields |= {
        "weight_dtype": "float8_e4m3fn" if weights == "float8_x_too" else weights,
        "quantised_x": weights == "float8_x_too",
        "num_experts": draw(_ASKED_EXPERTS[asked["experts"]]),
        "hidden": draw(_ASKED_WIDTHS[asked["hidden"]]),
        "intermediate": draw(_ASKED_WIDTHS[asked["intermediate"]]),
        "renormalize": asked["renormalize"] == "yes",
        "layouts": layouts_asked(ARGUMENT_LAYOUTS, asked),
    }
    return draw(_agreeing(fields, asked))


@st.composite
def _agreeing(draw: st.DrawFn, fields: dict[str, Any], asked: Mapping[str, str]) -> dict[str, Any]:
    """Draw the static fields that hang on others, and change those that do not go together."""
    num_experts = fields["num_experts"]
    wide = max(_DIMS_OF_EXPERTS, key=fields.__getitem__)
    if fields[wide] > WIDTHS["many tiles"][1]:
        num_experts = min(FEW_EXPERTS, num_experts)  # wide ones are cheap where they are few, and narrow otherwise
        fields |= {name: min(WIDTHS["tiles"][1], fields[name]) for name in _DIMS_OF_EXPERTS if name != wide}
    if is_far(fields["layouts"]) and fields["weight_layout"] == "far":
        fields["weight_layout"] = "contiguous"  # one buffer of far tensors is all that a worker may map
    if fields["weight_layout"] == "far" or is_far(fields["layouts"]):
        num_experts = max(3 + ("experts_elsewhere" in fields), num_experts)
        fields |= {name: max(3, fields[name]) for name in ("hidden", "intermediate")}
    if "experts_elsewhere" in fields or asked.get("top_k") == "several" or asked.get("ties") == "yes":
        num_experts = max(2, num_experts)
    if num_experts >= MANY_EXPERTS:  # many are cheap where they are small
        fields |= {"hidden": 16, "intermediate": 16}
    if "num_groups" in fields:
        num_experts = -(-num_experts // fields["num_groups"]) * fields["num_groups"]
        fields["kept_groups"] = draw(st.integers(1, fields["num_groups"] - 1) | st.just(fields["num_groups"]))
        if asked.get("top_k") == "several":
            fields["kept_groups"] = max(2, fields["kept_groups"])
    most = num_experts // fields.get("num_groups", 1) * fields.get("kept_groups", 1)
    top_k = draw(st.integers(1, min(most, 4)) | st.just(1) | st.just(min(most, 32)))
    top_k = {"one": 1, "several": min(most, max(2, top_k))}.get(asked.get("top_k", ""), top_k)
    fields |= {"num_experts": num_experts, "top_k": top_k}
    if "selection_bias" in fields and fields.get("scoring", "softmax") == "softmax":
        fields["scoring"] = "sigmoid"
    if "experts_elsewhere" in fields:
        here = 3 if fields["weight_layout"] == "far" or is_far(fields["layouts"]) else 1
        fields["experts_elsewhere"] = min(fields["experts_elsewhere"], num_experts - here)
    if (fields["weight_layout"] == "far" or is_far(fields["layouts"])) and fields["x_layout"] == "far":
        fields["x_layout"] = "contiguous"
    far = "far" in (fields["x_layout"], fields["weight_layout"]) or is_far(fields["layouts"])
    if far and fields["dtype"] == "float32":
        fields["dtype"] = "bfloat16"  # a worker may map 2**31 elements of 2 bytes once, of 4 not
    if fields["weight_dtype"] != "as_x":
        fields["scale_block"] = draw(st.sampled_from(_SCALE_BLOCKS))
    return fields


_DTYPES = st.sampled_from(("float32", "float16", "bfloat16"))
_DIMS = sizes(min_value=1, max_value=49, edges=(32,))
_ALIGNED_DIMS = st.sampled_from((16, 8, 80, 40, 80, 48) * 2 + (264,))
"""16 bytes in each dtype, which `grouped_mm` asks for; now and then more than a tile of 64 inner elements, or many."""
_INTERMEDIATE = (st.sampled_from((16, 40, 64, 8, 32, 48) * 2 + (264,)), _DIMS | st.sampled_from((33, 64, 65)))
"""Beside aligned hidden sizes, and beside others: often more than a block of columns of the block-sparse products."""
_BLOCK_DIMS = st.sampled_from((128, 130, 136, 160, 127))
"""About a block of scales, and past it."""
_X_LAYOUTS: st.SearchStrategy[str] = st.sampled_from(("contiguous", "transposed", "row_padded") * 3 + ("far",))
_WEIGHT_LAYOUTS = st.sampled_from(("contiguous", "contiguous", "transposed", "row_padded") * 2 + ("far",))


@st.composite
def _dynamic_fields(draw: st.DrawFn, static: dict[str, Any], asked: Mapping[str, str]) -> dict[str, Any]:
    num_experts, top_k = static["num_experts"], static["top_k"]
    tieless = static.get("num_groups", 1) > 1 or static.get("experts_elsewhere", 0) > 0
    most = max(2, (_MAX_ROUTES if num_experts < MANY_EXPERTS else _MAX_ROUTES // 2) // top_k)
    tokens = draw(_ASKED_TOKENS[asked["tokens"]] if asked else _tokens(most))
    small = max(static["hidden"], static["intermediate"]) <= WIDTHS["tiles"][1] and num_experts < MANY_EXPERTS
    if asked.get("tokens") == "many tiles" or (not asked and small and draw(_NOW_AND_THEN)):
        tokens = draw(_ASKED_TOKENS["many tiles"]) + MANY_ROUTES // top_k
    padding_tokens = draw(st.just(0) | st.just(0) | st.integers(0, tokens))
    if asked:
        padding_tokens = min(tokens, max(1, padding_tokens)) if asked["padding"] == "yes" else 0
    real = tokens - padding_tokens
    counts = apportion(draw(shares(num_experts)), total=real * top_k, limit=real)
    if (static["weight_layout"] == "far" or is_far(static["layouts"])) and counts[-1] < counts[0]:
        counts = counts[::-1]  # the last expert is the far one
    tie_group = 1 if tieless else draw(st.just(1) | st.just(1) | st.integers(1, num_experts))
    rest = {
        "data": draw(_WHERE_SUMS_ARE_NARROW if _may_be_narrow(static) else _DATA),
        "nan_logits": draw(st.booleans()),
        "nan_tokens": draw(st.booleans() if static["quantised_x"] else _SELDOM),  # fp8 has a NaN of its own
    }
    if asked:
        tie_group = max(2, tie_group) if asked["ties"] == "yes" and not tieless else 1
        if asked["data"] != "normal" or not _may_be_narrow(static):
            rest["data"] = asked["data"]
        rest |= {"nan_logits": asked["nan_logits"] == "yes"}
        rest |= {"nan_tokens": asked["nan_tokens"] == "yes"}
    return {
        "tokens": tokens,
        "padding_tokens": padding_tokens,
        "expert_tokens": _at_edge(counts, draw(_OVER)),
        "tie_group": tie_group,
        "poison": draw(st.booleans()),
        "seed": draw(st.integers(0, 2**16 - 1)),
        **rest,
    }


_DATA: st.SearchStrategy[Data] = st.sampled_from(("normal", "normal", "outliers"))
_WHERE_SUMS_ARE_NARROW: st.SearchStrategy[Data] = st.sampled_from(("cancelling", "normal", "cancelling", "outliers"))


def _may_be_narrow(static: dict[str, Any]) -> bool:
    """Say whether a kernel might sum several tiles of narrow terms."""
    narrow = static["dtype"] != "float32" and static["weight_dtype"] == "as_x"
    return narrow and max(static["hidden"], static["intermediate"]) > _TILE


_OVER: st.SearchStrategy[int | None] = st.sampled_from((None, 1, 0, -1))


def _at_edge(counts: Sequence[int], over: int | None) -> tuple[int, ...]:
    """Cut the fullest expert's tokens down to whole blocks and `over`; None, and fewer than a block, leave them."""
    fullest = max(counts, default=0)
    if over is None or fullest - over < BLOCK_M:
        return tuple(counts)
    place = counts.index(fullest)
    return (*counts[:place], (fullest - over) // BLOCK_M * BLOCK_M + over, *counts[place + 1 :])


_ASKED_TOKENS: dict[str, st.SearchStrategy[int]] = {
    "none": st.just(0),
    "one": st.just(1),
    "few": sizes(min_value=2, max_value=BLOCK_M),
    "blocks": st.sampled_from((2 * BLOCK_M, BLOCK_M + 1, 2 * BLOCK_M + 1)),
    "tiles": st.sampled_from((129, 130, 257)),
    "many tiles": st.sampled_from((1, 2, 9)),  # more than make up so many routes
}


@functools.cache
def _tokens(most: int) -> st.SearchStrategy[int]:
    return sizes(max_value=most, edges=(BLOCK_M,))


@functools.cache
def shares(num_experts: int) -> st.SearchStrategy[tuple[float, ...]]:
    """Draw how the load is to be spread: balanced, on one expert, Zipf, with experts that get nothing, or anything."""
    experts = range(num_experts)
    one = st.sampled_from((0, num_experts - 1, num_experts // 2)).map(
        lambda full: tuple(float(e == full) for e in experts)
    )
    hole = st.sampled_from((0, num_experts - 1, num_experts // 2)).map(
        lambda gap: tuple(float(e != gap) for e in experts)
    )
    alternating = st.sampled_from((0, 1)).map(lambda odd: tuple(float(e % 2 == odd) for e in experts))
    if num_experts > 64:  # drawn one by one they would cost more than the case
        steep = st.sampled_from((0.5, 1.2)).map(lambda power: tuple((rank + 1.0) ** -power for rank in experts))
        return st.one_of(st.just((1.0,) * num_experts), steep, hole, alternating, one)
    zipf = st.tuples(st.sampled_from((0.5, 1.2, 2.5)), st.permutations(experts)).map(
        lambda drawn: tuple((rank + 1.0) ** -drawn[0] for rank in drawn[1])
    )
    anything = st.lists(st.integers(0, 8).map(float), min_size=num_experts, max_size=num_experts).map(tuple)
    balanced = st.just((1.0,) * num_experts)
    # One full expert takes all it can; a small share for the others keeps the remaining routes from being dropped.
    crowded = one.map(lambda share: tuple(max(part, 1e-3) for part in share))
    return st.one_of(balanced, crowded, hole, zipf, alternating, one, anything)


def apportion(shares: Sequence[float], *, total: int, limit: int) -> tuple[int, ...]:
    """Hand out `total` routes in proportion to `shares`, at most `limit` each; what no expert can take is left over."""
    counts = [0] * len(shares)
    left = total
    while left > 0:
        takers = [expert for expert, share in enumerate(shares) if share > 0 and counts[expert] < limit]
        if not takers:
            break
        whole = sum(shares[expert] for expert in takers)
        # Rounding down may leave less than one each; then the largest shares take one.
        for expert in sorted(takers, key=lambda expert: -shares[expert]):
            part = max(1, int(left * shares[expert] / whole))
            counts[expert] += min(part, limit - counts[expert], total - sum(counts))
        left = total - sum(counts)
    return tuple(counts)
