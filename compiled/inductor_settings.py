"""Inductor's settings that must not change what comes out, and a few sets of them that cover every pair."""

import functools
import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from eagerdiff import Workload

__eagerdiff_glue__ = True
"""What this module raises itself is a harness error, not a finding about the compiler (docs/judge.md)."""

Settings = Mapping[str, Any]
"""Settings that are not as they are by default."""
Item = tuple[str, Any]
Pair = frozenset[Item]

DEFAULT = "default"
"""Stands for the default value of a setting."""
OTHERS: Mapping[str, Sequence[Any]] = {
    "aggressive_fusion": (True,),
    "allow_buffer_reuse": (False,),
    "comprehensive_padding": (False,),
    "constant_and_index_propagation": (False,),
    "emulate_precision_casts": (True,),
    "epilogue_fusion": (False,),
    "force_pointwise_cat": (True,),
    "inplace_buffers": (False,),
    "joint_graph_constant_folding": (False,),
    "loop_ordering_after_fusion": (False,),
    "max_fusion_size": (1, 3),
    "memory_planning": (True,),
    "online_softmax": (False,),
    "optimize_scatter_upon_const_tensor": (False,),
    "pattern_matcher": (False,),
    "pick_loop_orders": (False,),
    "realize_reads_threshold": (1, 64),
    "reorder_for_locality": (False,),
    "reorder_for_peak_memory": (False,),
    "size_asserts": (False,),
    "split_reductions": (False,),
    "unroll_reductions_threshold": (1, 64),
}
"""Values besides the default of what both back ends of Inductor heed."""
OTHERS_OF_BACKEND: Mapping[str, Mapping[str, Sequence[Any]]] = {
    "inductor": {
        "cpp.enable_loop_tail_vec": (False,),
        "cpp.enable_tiling_heuristics": (False,),
        "cpp.fallback_scatter_reduce_sum": (False,),
        "cpp.max_horizontal_fusion_size": (1,),
        "cpp.min_chunk_size": (1,),
        "cpp.no_redundant_loops": (False,),
        "cpp.simdlen": (0, 256),
        "cpp.use_two_step_variance_threshold": (8,),
    },
    "inductor_triton": {
        # Not `triton.dense_indexing`: with it no kernel with a loop runs, and no search would get past that
        # (corpus/scripts/inductor_triton_dense_indexing_mask_before_loop.py). Nor `triton.use_block_ptr`: deprecated.
        "dynamic_scale_rblock": (False,),
        "triton.coalesce_tiling_analysis": (False,),
        "triton.max_tiles": (1, 3),
        "triton.mix_order_reduction": (False,),
        "triton.persistent_reductions": (False,),
        "triton.prefer_nd_tiling": (True,),
        "triton.tile_reductions": (True,),
        "triton.tiling_prevents_pointwise_fusion": (False,),
        "triton.tiling_prevents_reduction_fusion": (False,),
    },
}


def drawn(backend: str, seed: int) -> Settings:
    """Return one of the sets that cover every pair of a back end's settings; multiples of their number give none.

    A seed that shrinks to 0 ends at the defaults, where what was found does not hang on them.
    """
    sets = covering(backend)
    return sets[seed % len(sets)]


@functools.cache
def covering(backend: str) -> Sequence[Settings]:
    """Return sets of settings, the empty one first, such that any two values of two settings meet in one of them."""
    from eagerdiff.harness.internals.inductor_options import list_options

    known = list_options()  # what this version of torch has
    others = {**OTHERS, **OTHERS_OF_BACKEND[backend]}
    rows = pairwise({name: (DEFAULT, *values) for name, values in others.items() if name in known})
    return [{name: value for name, value in row.items() if value is not DEFAULT} for row in rows]


def simpler(workload: Workload) -> Iterator[Workload]:
    """Return the workload with fewer settings, by the static field `settings` of its cases: names that are kept."""
    kept: Sequence[str] | None = getattr(workload.cases[0], "settings", None)
    for names in fewer(kept):
        yield Workload(tuple(case.model_copy(update={"settings": names}) for case in workload.cases))


def fewer(kept: Sequence[str] | None) -> Iterator[tuple[str, ...]]:
    """Return smaller choices of settings to keep: none, each half, all but one; None stands for all there are."""
    every = (OTHERS, *OTHERS_OF_BACKEND.values())
    names = tuple(kept) if kept is not None else tuple(dict.fromkeys(name for one in every for name in one))
    if not names:
        return
    yield ()
    if len(names) > 1:
        yield names[: len(names) // 2]
        yield names[len(names) // 2 :]
    if len(names) > 2:
        yield from (names[:at] + names[at + 1 :] for at in range(len(names)))


def pairwise(factors: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Return rows, greedily few, in which any two values of two factors meet; the first has every first value."""
    rows = [{name: values[0] for name, values in factors.items()}]
    left = {
        frozenset(((one, x), (other, y)))
        for one, other in itertools.combinations(factors, 2)
        for x, y in itertools.product(factors[one], factors[other])
    } - _pairs(rows[0])
    while left:
        open_pairs = Counter(item for pair in left for item in pair)
        items = sorted(open_pairs, key=lambda item: (-open_pairs[item], str(item)))
        row: dict[str, Any] = {}
        for name, _ in items:
            if name not in row:
                row[name] = max(factors[name], key=lambda value: _gain(left, open_pairs, row, (name, value)))
        rows.append({name: row.get(name, values[0]) for name, values in factors.items()})
        left -= _pairs(rows[-1])
    return rows


def _gain(left: set[Pair], open_pairs: Counter[Item], row: Mapping[str, Any], item: Item) -> tuple[int, int]:
    """Count the pairs that one more value would cover, then those that it is still to meet in any row."""
    return sum(frozenset((item, other)) in left for other in row.items()), open_pairs[item]


def _pairs(row: Mapping[str, Any]) -> set[Pair]:
    return set(map(frozenset, itertools.combinations(row.items(), 2)))
