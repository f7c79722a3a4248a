"""Drawing calls of paged attention: features alone and together, ragged batches at the edges of blocks and tiles."""

import functools
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from eagerdiff.strategies.argument_layouts import layouts, layouts_asked
from eagerdiff.strategies.cases.layouts import Layouts, is_far
from eagerdiff.strategies.cases.paged_attention import Data, PagedAttentionCase
from eagerdiff.strategies.covering import steered
from eagerdiff.strategies.paged_attention.features import (
    A_TILE,
    ARGUMENT_LAYOUTS,
    BLOCK_SIZES,
    COVERING,
    FAR,
    GROUPS,
    HEAD_DIMS,
    SPLITS,
    named,
)
from eagerdiff.strategies.sizes import sizes

_TILES = (16, 32, 64)
"""Keys that kernels commonly take at once."""
_LONGEST = 140
"""Keys of a drawn context or window: three tiles of 64, and short enough to interpret."""
_MANY = 24
"""Queries of a request of a prefill that has many features besides."""
_LONG = 80
"""Keys of such a request: five tiles of 16, two of 64."""
_BATCHES = (1, 2, 3, 2, 3, 4, 2, 3, 1, 2, 3, 4, 2, 3, 2, 0)
"""Requests; an empty batch is worth a call now and then."""
_QUERY_LENS = (1, 2, 3, 4, 0, 5, 8, 7)
"""Queries of a request outside plain decode: verification, a short prefill, a request that waits."""
_DATA: tuple[Data, ...] = (
    "normal",
    "large_logits",
    "one_hot_values",
    "normal",
    "large_logits",
    "zero_queries",
    "nan_queries",
)
_WHERE_SUMS_ARE_NARROW: tuple[Data, ...] = (*_DATA, "cancelling", "cancelling")
_HEAD_DIMS = (16, 8, 24, 32, 64, 72, 80, 96, 128, 16, 24, 32, 64, 192, 256)
_LATENT_DIMS = ((24, 16), (72, 64), (576, 512), (40, 40), (32, 8), (192, 128), (528, 520))
"""(keys, values) of multi-head latent attention, whose values are the keys' first columns."""
_GROUPS = (1, 2, 3, 4, 5, 7, 8, 17, 48)
_BLOCK_SIZES = (16, 1, 2, 5, 8, 24, 32, 64, 128, 256)
_FEATURES: dict[str, st.SearchStrategy[Any]] = {
    "cache_dtype": st.sampled_from(("float8_e4m3fn", "float8_e5m2")),
    "value_dim": st.sampled_from((16, 40)),
    "latent": st.sampled_from(_LATENT_DIMS),
    "causal": st.just(False),
    "windowed": st.just(True),
    "soft_capped": st.just(True),
    "alibi": st.just(True),
    "sinks": st.just(True),
    "scales": st.sampled_from(("head", "tensor")),
    "tree": st.just(True),
    "num_splits": st.sampled_from((2, 1, 5, 9)),
    "output": st.sampled_from(("given", "strided")),
}
"""What a kernel may do besides plain causal attention, by field."""
_FEW_HEADS = 4
"""Query heads of a call that may have many query tokens too."""
_FEW_SLOTS = 16
"""Slots of a block where they lie far apart: the last of them alone does, which few contexts reach in a large block."""
_LAYOUTS = ("nhd", "hnd", "interleaved", "padded_head", "layer_slice", "nhd", "hnd", "far")
_ALONE = layouts(ARGUMENT_LAYOUTS, FAR)
_NEEDED: dict[str, dict[str, Any]] = {
    "alibi_slopes": {"alibi": True},
    "sinks": {"sinks": True},
    "key_scale": {"scales": "head"},
    "value_scale": {"scales": "head"},
    "tree_mask": {"tree": True},
    "output": {"output": "given"},
}
"""What a call asks for that has the argument."""
_FEW_NAMED = 3
"""Arguments that are named one by one; of calls that name more a quarter have all of them, the rest those they have."""
_A_TREE = 3
"""Queries of which a tree has rows and columns that differ."""
_ALL = 1 << 20
"""Blocks that every request shares where it shares all."""


def cases() -> st.SearchStrategy[PagedAttentionCase]:
    """Draw any call whose interpreted kernel costs tens of milliseconds; shrinks to one short float32 request.

    Every other call has the features of a row of a covering array (`COVERING`).
    """
    return _cases()


def cases_like(case: PagedAttentionCase) -> st.SearchStrategy[PagedAttentionCase]:
    """Draw a call with the static fields of `case`."""
    dynamics = _dynamics_of(case)
    return dynamics.map(lambda fields: PagedAttentionCase(**dict(case.static_key), **agree(fields, case.layouts)))


@st.composite
def _cases(draw: st.DrawFn) -> PagedAttentionCase:
    asked = draw(steered(COVERING))
    return draw(asked_cases(asked) if asked else _independent_cases())


@functools.cache
def _independent_cases() -> st.SearchStrategy[PagedAttentionCase]:
    return _statics().map(lambda fields: PagedAttentionCase(**fields)).flatmap(cases_like)


@st.composite
def asked_cases(draw: st.DrawFn, asked: Mapping[str, str]) -> PagedAttentionCase:
    """Draw a call that has a value of each feature (`COVERING`), as far as they go together."""
    static = PagedAttentionCase(**draw(_asked_statics(asked)))
    fields = draw(_dynamics_of(static)) | draw(_asked_dynamics(asked, static.num_heads))
    return PagedAttentionCase(**dict(static.static_key), **agree(fields, static.layouts))


# Strategies are built once: Hypothesis validates each on first use, which costs more than a draw.
@functools.cache
def _statics() -> st.SearchStrategy[dict[str, Any]]:
    return st.tuples(_shapes().map(_within_reach), st.fixed_dictionaries(_FEATURES), _chosen()).map(_combine)


@st.composite
def _asked_statics(draw: st.DrawFn, asked: Mapping[str, str]) -> dict[str, Any]:
    """Draw the static fields of a call that has certain features."""
    switches = ("causal", "windowed", "soft_capped", "alibi", "sinks", "tree", "fused_query", "far_query", "wide_table")
    plain = ("dtype", "cache_dtype", "cache_layout", "scales", "output", "unseen")
    fields: dict[str, Any] = {name: asked[name] == "yes" for name in switches}
    fields |= {name: asked[name] for name in plain}
    choices = {"head_dim": HEAD_DIMS, "block_size": BLOCK_SIZES, "group": GROUPS, "num_splits": SPLITS}
    fields |= {name: draw(st.sampled_from(numbers[asked[name]])) for name, numbers in choices.items()}
    fields["num_kv_heads"] = 1 if asked["num_kv_heads"] == "one" else draw(st.sampled_from((2, 3)))
    fields["layouts"] = layouts_asked(ARGUMENT_LAYOUTS, asked)
    if asked["cache_layout"] == "latent":
        fitting = [dims for dims in _LATENT_DIMS if named(HEAD_DIMS, dims[0]) == asked["head_dim"]]
        fields |= {"latent": draw(st.sampled_from(fitting)), "cache_layout": "nhd"}
    elif asked["value_dim"] == "yes":
        fields["value_dim"] = draw(_FEATURES["value_dim"])
    return _combine((fields, {}, []))


@st.composite
def _asked_dynamics(draw: st.DrawFn, asked: Mapping[str, str], num_heads: int) -> dict[str, Any]:
    """Draw the fields of a call's lengths that certain features fix."""
    batch = draw(_ASKED_REQUESTS[asked["requests"]])
    if num_heads > 4 * _FEW_HEADS:  # some kernels take a program a token and head
        batch = min(batch, 2)
    contexts = draw(st.lists(_ASKED_CONTEXTS[asked["contexts"]], min_size=batch, max_size=batch))
    queries = draw(st.lists(_ASKED_QUERIES[asked["queries"]], min_size=batch, max_size=batch))
    return {
        "context_lens": tuple(contexts),
        "query_lens": tuple(queries),
        "padding_rows": draw(_PADDING) if asked["padding_rows"] == "yes" else 0,
        "shared_blocks": draw(_SHARED) if asked["shared_blocks"] == "yes" else 0,
        "scale": 0.5 if asked["scale"] == "given" else None,
        "data": asked["data"],
    }


_ASKED_REQUESTS = {"none": st.just(0), "one": st.just(1), "several": st.sampled_from((2, 3))}
_PADDING, _SHARED = st.sampled_from((1, 5)), st.sampled_from((1, 2))
_ASKED_CONTEXTS = {"a tile": sizes(max_value=A_TILE), "tiles": sizes(min_value=A_TILE + 1, max_value=_LONG)}
_ASKED_QUERIES = {
    "one each": st.just(1),
    "some": st.sampled_from(_QUERY_LENS),
    "many": sizes(min_value=9, max_value=_MANY, edges=_TILES),
}


def _shapes() -> st.SearchStrategy[dict[str, Any]]:
    """Draw what every kernel must take: sizes and strides."""
    return st.fixed_dictionaries(
        {
            "dtype": st.sampled_from(("float32", "float16", "bfloat16")),
            "head_dim": st.sampled_from(_HEAD_DIMS),
            "num_kv_heads": st.sampled_from((1, 2, 1, 3)),
            "group": st.sampled_from(_GROUPS),
            "block_size": st.sampled_from(_BLOCK_SIZES),
            "cache_layout": st.sampled_from(_LAYOUTS),
            "fused_query": st.booleans(),
            "far_query": st.sampled_from((False,) * 4 + (True,)),
            "wide_table": st.booleans(),
            "unseen": st.sampled_from(("nan", "nan", "nan", "stale")),
            "layouts": _ALONE,
            "all_given": st.sampled_from((False, False, False, True)),
        }
    )


def _chosen() -> st.SearchStrategy[list[str]]:
    """Draw the features of a call: none, one alone, a few, or many together."""
    names = st.sampled_from(sorted(_FEATURES))
    counts = st.sampled_from((0, 1, 0, 1, 2, 3, 7))
    return counts.flatmap(lambda count: st.lists(names, min_size=count, max_size=count, unique=True))


def _within_reach(shapes: dict[str, Any]) -> dict[str, Any]:
    """Make blocks small where their slots lie far apart; what asks for large ones (`COVERING`) gets them."""
    if any(layout == "far_slots" for _, layout in shapes["layouts"]):
        return shapes | {"block_size": min(_FEW_SLOTS, shapes["block_size"])}
    return shapes


def _combine(drawn: tuple[dict[str, Any], dict[str, Any], list[str]]) -> dict[str, Any]:
    """Add the chosen features to the shapes; of what excludes one another the first holds."""
    shapes, features, chosen = drawn
    fields = shapes | {name: features[name] for name in chosen}
    all_given = fields.pop("all_given", False)
    if all_given or len(shapes["layouts"]) <= _FEW_NAMED:
        for name, _ in shapes["layouts"]:
            fields = _NEEDED.get(name, {}) | fields
    if is_far(shapes["layouts"]):  # one buffer of far tensors is all that a worker may map, each of three rows at least
        fields |= {"far_query": False, "cache_layout": "nhd", "num_kv_heads": 3}
        if any(layout == "far_slots" for _, layout in shapes["layouts"]):
            fields |= {"block_size": max(3, shapes["block_size"])}
    latent = fields.pop("latent", None)
    if latent is not None:
        fields |= {"head_dim": latent[0], "value_dim": latent[1], "cache_layout": "latent", "num_kv_heads": 1}
    if fields.get("tree"):
        fields["causal"] = True
    # A worker may map 2**31 elements of 2 bytes once, of 4 not at all.
    fields["far_query"] = fields["far_query"] and fields["cache_layout"] != "far"
    far = fields["far_query"] or fields["cache_layout"] == "far" or is_far(fields["layouts"])
    if far and fields["dtype"] == "float32":
        fields["dtype"] = "bfloat16"
    return fields


def _dynamics_of(case: PagedAttentionCase) -> st.SearchStrategy[dict[str, Any]]:
    """Draw the rest under the static fields of a case."""
    own_values = case.cache_layout != "latent" and ("block_table", "expanded") not in case.layouts
    may_be_narrow = case.dtype != "float32" and not case.alibi and not case.sinks and own_values
    return _dynamics(case.block_size, case.num_heads > _FEW_HEADS, _WHERE_SUMS_ARE_NARROW if may_be_narrow else _DATA)


@functools.cache
def _dynamics(block_size: int, many_heads: bool, data: tuple[Data, ...]) -> st.SearchStrategy[dict[str, Any]]:
    alone, short = st.just(1), st.sampled_from(_QUERY_LENS)
    long = sizes(min_value=1, max_value=_LONGEST, edges=_TILES)
    # Some kernels take a program a token and head.
    few = (((1, 2, 0), alone), ((1, 2), short))
    many = ((_BATCHES, alone), (_BATCHES, short), (_BATCHES, short), ((1, 2), long))
    kinds = st.sampled_from(few if many_heads else many)
    batches = kinds.flatmap(lambda kind: st.tuples(st.sampled_from(kind[0]), st.just(kind[1])))
    return st.fixed_dictionaries(
        {
            "requests": batches.flatmap(lambda batch: _requests(block_size, *batch)),
            "window": sizes(min_value=1, max_value=_LONGEST, edges=(block_size, *_TILES)),
            "soft_cap": st.sampled_from((30.0, 5.0)),
            "scale": st.sampled_from((None, None, 0.5)),
            "shared_blocks": st.integers(0, 2),
            "spare_blocks": st.integers(1, 3),
            "table_padding": st.integers(0, 3),
            "padding_rows": st.sampled_from((0, 0, 1, 5)),
            "data": st.sampled_from(data),
            "seed": st.integers(0, 2**32 - 1),
        }
    ).map(_unzip)


@functools.cache
def _requests(
    block_size: int, batch: int, query_lens: st.SearchStrategy[int]
) -> st.SearchStrategy[list[tuple[int, int]]]:
    """Draw (context length, query length) of each request: plain decode, or mixed with verification and prefill."""
    contexts = sizes(max_value=_LONGEST, edges=(block_size, *_TILES))
    return st.lists(st.tuples(contexts, query_lens), min_size=batch, max_size=batch)


def agree(fields: dict[str, Any], asked: Layouts) -> dict[str, Any]:
    """Make requests alike where an argument that is theirs repeats itself, and such that a tree that lies so is read.

    What cancels lies in different tiles, and in blocks of one request.
    """
    if fields["query_lens"] and any(name == "tree_mask" for name, _ in asked):
        *others, last = fields["query_lens"]
        fields |= {"query_lens": (*others, max(_A_TREE, last))}
        fields |= {"context_lens": tuple(max(_A_TREE, length) for length in fields["context_lens"])}
    if fields["data"] == "cancelling":
        least = _TILES[-1] + 1 + min(_MANY, max(fields["query_lens"], default=0))
        contexts = tuple(max(least, length) for length in fields["context_lens"])
        fields |= {"context_lens": contexts, "window": max(least, fields["window"]), "shared_blocks": 0}
    if ("context_lens", "expanded") in asked or ("block_table", "expanded") in asked:
        fields |= {"context_lens": fields["context_lens"][:1] * len(fields["context_lens"])}
    if ("block_table", "expanded") in asked:
        fields |= {"shared_blocks": _ALL}
    return fields


def _unzip(fields: dict[str, Any]) -> dict[str, Any]:
    requests = fields.pop("requests")
    lengths = {"context_lens": tuple(c for c, _ in requests), "query_lens": tuple(q for _, q in requests)}
    return lengths | fields
