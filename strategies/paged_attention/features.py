"""Features of paged attention: what a call has of each, and which do not go together."""

from collections.abc import Mapping

from eagerdiff import Covering
from eagerdiff.strategies.argument_layouts import (
    ANYHOW,
    FAR_CACHE,
    FAR_LATER,
    FAR_MATRIX,
    FAR_ROWS,
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
from eagerdiff.strategies.cases.paged_attention import PagedAttentionCase

ARGUMENT_LAYOUTS: dict[str, tuple[ArgumentLayout, ...]] = {
    **dict.fromkeys(("query", "key_cache", "value_cache", "tree_mask", "output"), ANYHOW),
    "block_table": (*ANYHOW, "expanded"),
    "query_start": FLAT,
    **dict.fromkeys(("context_lens", "alibi_slopes", "sinks", "key_scale", "value_scale"), REPEATED),
}
"""Layouts of single arguments that the contract allows, far ones aside."""
FAR = far_apart(
    {
        "query": FAR_LATER,
        **dict.fromkeys(("key_cache", "value_cache"), FAR_CACHE[1:]),
        "tree_mask": FAR_MATRIX,
        "output": FAR_ROWS,
    }
)
"""Far layouts, besides those of `far_query` and `cache_layout`."""
HEAD_DIMS: dict[str, tuple[int, ...]] = {
    "a power of two": (16, 32, 64, 128),
    "another": (8, 24, 72, 80, 96),
    "wide": (192, 256),
}
BLOCK_SIZES: dict[str, tuple[int, ...]] = {
    "a power of two": (16, 32, 64),
    "one": (1,),
    "another": (2, 5, 8, 24),
    "large": (128, 256),
}
GROUPS: dict[str, tuple[int, ...]] = {"one": (1,), "some": (2, 3, 4, 5, 7, 8), "tiles": (17, 48)}
SPLITS: dict[str, tuple[int, ...]] = {"any": (0,), "one": (1,), "some": (2, 5, 9), "tiles": (17, 33)}
"""Parts of a context; a merge takes 16 of them at once."""
_NO_YES = ("no", "yes")
_FEATURES: dict[str, tuple[str, ...]] = {
    "dtype": ("float32", "float16", "bfloat16"),
    "cache_dtype": ("as_query", "float8_e4m3fn", "float8_e5m2"),
    "cache_layout": ("nhd", "hnd", "interleaved", "padded_head", "layer_slice", "latent", "far"),
    "head_dim": tuple(HEAD_DIMS),
    "value_dim": _NO_YES,
    "num_kv_heads": ("one", "several"),
    "group": tuple(GROUPS),
    "block_size": tuple(BLOCK_SIZES),
    "causal": ("yes", "no"),
    "windowed": _NO_YES,
    "soft_capped": _NO_YES,
    "alibi": _NO_YES,
    "sinks": _NO_YES,
    "scales": ("none", "tensor", "head"),
    "tree": _NO_YES,
    "num_splits": tuple(SPLITS),
    "output": ("new", "given", "strided"),
    "fused_query": _NO_YES,
    "far_query": _NO_YES,
    "wide_table": _NO_YES,
    "unseen": ("nan", "stale"),
    "requests": ("several", "one", "none"),
    "queries": ("one each", "some", "many"),
    "contexts": ("a tile", "tiles"),
    "padding_rows": _NO_YES,
    "shared_blocks": _NO_YES,
    "scale": ("usual", "given"),
    "data": ("normal", "one_hot_values", "zero_queries", "large_logits", "cancelling", "nan_queries"),
    **layout_features(ARGUMENT_LAYOUTS, FAR),
}
A_TILE = 16
"""Keys of a tile at least."""
_SOME_QUERIES = 8
_NEEDED: dict[str, tuple[str, tuple[str, ...]]] = {
    "alibi_slopes": ("alibi", ("yes",)),
    "sinks": ("sinks", ("yes",)),
    "key_scale": ("scales", ("head",)),
    "value_scale": ("scales", ("head",)),
    "tree_mask": ("tree", ("yes",)),
    "output": ("output", ("given", "strided")),
}
"""Argument → the feature, and the values of it, with which a call has it."""
_OWN_LAYOUTS = (
    ("query", "fused_query", "no"),
    ("query", "far_query", "no"),
    ("key_cache", "cache_layout", "nhd"),
    ("value_cache", "cache_layout", "nhd"),
    ("block_table", "wide_table", "no"),
)
"""Argument → the feature that is another layout of it, and its usual value."""
_READ = ("tree", "padding_rows", "shared_blocks", "queries", "contexts", "data", "far_query", "unseen", "scale")
"""Features that an empty batch does not show."""
_LAYOUT_NAMES = frozenset(layout_features(ARGUMENT_LAYOUTS))


def _of(case: PagedAttentionCase) -> Mapping[str, str]:
    given = {
        "alibi_slopes": case.alibi,
        "sinks": case.sinks,
        "key_scale": case.scales == "head",
        "value_scale": case.scales == "head",
        "tree_mask": case.tree,
        "output": case.output != "new",
    }
    layouts = layouts_of(ARGUMENT_LAYOUTS, case.layouts, lambda name: given.get(name, True))
    own_caches = layouts["layout of key_cache"] == layouts["layout of value_cache"] == USUAL
    own_query, longest = layouts["layout of query"] == USUAL, max(case.query_lens, default=0)
    sums = case.data != "cancelling" or not (case.alibi or case.sinks)
    return {
        "dtype": case.dtype,
        "cache_dtype": case.cache_dtype,
        "cache_layout": case.cache_layout if own_caches else "nhd",
        "head_dim": named(HEAD_DIMS, case.head_dim),
        "value_dim": _yes(case.value_dim is not None),
        "num_kv_heads": "one" if case.num_kv_heads == 1 else "several",
        "group": "one" if case.group == 1 else "some" if case.group <= 16 else "tiles",
        "block_size": named(BLOCK_SIZES, case.block_size),
        **{name: _yes(getattr(case, name)) for name in ("causal", "windowed", "soft_capped", "alibi", "sinks", "tree")},
        "scales": case.scales,
        "num_splits": {0: "any", 1: "one"}.get(case.num_splits, "some" if case.num_splits <= 16 else "tiles"),
        "output": case.output,
        "fused_query": _yes(case.fused_query and own_query),
        "far_query": _yes(case.far_query and own_query),
        "wide_table": _yes(case.wide_table and layouts["layout of block_table"] == USUAL),
        "unseen": case.unseen,
        "requests": {0: "none", 1: "one"}.get(len(case.context_lens), "several"),
        "queries": "one each" if set(case.query_lens) <= {1} else "some" if longest <= _SOME_QUERIES else "many",
        "contexts": "a tile" if max(case.context_lens, default=0) <= A_TILE else "tiles",
        "padding_rows": _yes(case.padding_rows > 0),
        "shared_blocks": _yes(case.shared_blocks > 0),
        "scale": "usual" if case.scale is None else "given",
        "data": case.data if sums else "zero_queries",
        **layouts,
    }


def named(values: Mapping[str, tuple[int, ...]], value: int) -> str:
    """Return the name under which a number stands; what is in no list is wide or odd."""
    widest = list(values)[-1]
    found = next((name for name, numbers in values.items() if value in numbers), "another")
    return widest if value >= min(values[widest]) else found


def _yes(condition: bool) -> str:
    return "yes" if condition else "no"


def _excludes(two: Mapping[str, str]) -> bool:
    """Return whether the contract, or the memory that a worker may map, keeps two features apart."""
    lying = laid_out(two)
    if any(is_absent(two, *_NEEDED[argument]) for argument in lying & _NEEDED.keys()):
        return True
    if any(lies_twice(two, *own) for argument, *own in _OWN_LAYOUTS if argument in lying):
        return True
    has = _implied(two, lying) | dict(two)
    far = {name for name, value in two.items() if value.startswith("far") or (name, value) == ("far_query", "yes")}
    unusual = {name for name, value in two.items() if value != _FEATURES[name][0]}
    if far and ((unusual & _LAYOUT_NAMES) - far or has.get("dtype") == "float32"):
        return True  # a far tensor has 3 rows at least, of 2 bytes an element; none lies in another way beside it
    if len(far) > 1 and far - _LAYOUT_NAMES:
        return True  # these have a buffer of their own, and a worker may map one
    if "far_slots" in two.values() and has.get("block_size") == "one":
        return True
    if far & _LAYOUT_NAMES and (has.get("num_kv_heads") == "one" or has.get("cache_layout", "nhd") != "nhd"):
        return True
    if has.get("requests") == "none" and unusual & ({*_READ} | _LAYOUT_NAMES):
        return True  # nothing is read
    return any(has.items() >= apart for apart in _APART) or (
        has.get("data") == "cancelling" and "yes" in (has.get("alibi"), has.get("sinks"))
    )


_APART = (
    {("tree", "yes"), ("causal", "no")},
    {("cache_layout", "latent"), ("num_kv_heads", "several")},
    {("cache_layout", "latent"), ("value_dim", "no")},
    {("group", "tiles"), ("queries", "many")},
    {("data", "cancelling"), ("contexts", "a tile")},
    {("data", "cancelling"), ("shared_blocks", "yes")},
    {("data", "cancelling"), ("cache_layout", "latent")},
    {("data", "cancelling"), ("layout of block_table", "expanded")},
    {("layout of block_table", "expanded"), ("shared_blocks", "no")},
    *({("layout of tree_mask", layout), ("queries", "one each")} for layout in (*ANYHOW, *FAR_MATRIX)),
)


def _implied(two: Mapping[str, str], lying: set[str]) -> dict[str, str]:
    """Return what a call has that has an argument which is to lie in some way, or a tree."""
    found = {feature: values[0] for argument, (feature, values) in _NEEDED.items() if argument in lying}
    return found | ({"causal": "yes"} if "yes" in (two.get("tree"), found.get("tree")) else {})


COVERING: Covering[PagedAttentionCase] = Covering(features=_FEATURES, of=_of, excludes=_excludes)
"""The features of a call of paged attention."""
