"""Paged attention under test: Triton kernels over the block table, and a padded gather under torch.compile."""

from collections.abc import Collection, Sequence

from eagerdiff import Implementation, Mode, Stage, Workload
from eagerdiff.compiled.backend import INDUCTOR_TRITON, Backend
from eagerdiff.compiled.cascade_merge.merge import merge_kernel
from eagerdiff.compiled.paged_attention import attention, flex, gather, sdpa
from eagerdiff.compiled.paged_attention.kernel import attention_kernel
from eagerdiff.compiled.paged_attention.tiles import Tiles
from eagerdiff.compiled.torch_compile import Compilable, Dims, always
from eagerdiff.compiled.variant import NESTED, REPEATED, STRICT, VARIANTS
from eagerdiff.strategies.cases.layouts import are_askew, are_sizes
from eagerdiff.strategies.cases.paged_attention import PagedAttentionCase

_DTYPES = ("float16", "bfloat16", "float32")
_DIMS: Dims = {
    0: {0: "tokens"},
    1: {0: "blocks"},
    2: {0: "blocks"},
    3: {0: "requests", 1: "columns"},
    4: {0: "requests"},
    5: {0: "bounds"},
    "tree_mask": {0: "tokens", 1: "queries"},
    "output": {0: "tokens"},
}
"""Dims that change from call to call, by argument."""
_MODES = (Mode.STATIC, Mode.AUTOMATIC, Mode.DYNAMIC, Mode.MARK_DYNAMIC, Mode.UNBACKED)
"""Not bucketed: zeros behind `query_start` would say that the requests end before they begin."""
_VARIANTS = [variant for variant in VARIANTS if variant not in (NESTED, REPEATED, STRICT)]
"""Not nested: no graph breaks. Not repeated: a region that is given a float, a scale, is no graph, as
scripts/dynamo_nested_compile_region_float.py shows. Not strict: scripts/dynamo_mark_unbacked_strict_is_backed.py."""

_INTERPRETED = 16_384
"""Elements of the gathered keys that Inductor's GPU code is interpreted on."""


def _supports(case: PagedAttentionCase) -> str | None:
    """Return why the Triton kernels do not take a case, or None."""
    return None if case.dtype in _DTYPES else f"dtype {case.dtype}: the kernels take {', '.join(_DTYPES)}"


def _max_compiles(workload: Workload[PagedAttentionCase]) -> int:
    """Allow a kernel one specialisation a kind of call, or a call where its strides are sizes."""
    kinds = {(tiles, _empty(case)) for case in workload.cases if (tiles := _tiles(case)) is not None}
    return _most(workload, kinds)


def _most_of_one_tile(workload: Workload[PagedAttentionCase]) -> int:
    """Allow a kernel whose tiles are always the same one specialisation, or a call where its strides are sizes."""
    return _most(workload, {_empty(case) for case in workload.cases if case.num_tokens})


def _most(workload: Workload[PagedAttentionCase], kinds: Collection[object]) -> int:
    return max(1, len(workload.cases if _strides_change(workload) else kinds))


def _empty(case: PagedAttentionCase) -> tuple[bool, ...]:
    """Say which arguments have no elements, where that changes how a kernel's pointers are aligned."""
    columns = max(case.block_counts, default=0) + case.table_padding
    sizes = (len(case.query_lens), columns, max(case.query_lens, default=0))
    return tuple(size == 0 for size in sizes) if are_askew(case.layouts) else ()


def _strides_change(workload: Workload[PagedAttentionCase]) -> bool:
    """Whether strides are sizes: a kernel may be compiled for each."""
    return any(are_sizes(case.layouts) for case in workload.cases)


def _tiles(case: PagedAttentionCase) -> Tiles | None:
    """Return the tiles of a call; None where there is nothing to launch."""
    if case.num_tokens == 0:
        return None
    columns = max(case.block_counts, default=0) + case.table_padding
    keys = len(case.query_lens) * columns * case.block_size * case.num_kv_heads
    return Tiles.of(case.head_dim, case.values, case.group, case.num_tokens, len(case.query_lens), keys)


def _dense_supports(case: PagedAttentionCase) -> str | None:
    """Return why no dense attention of PyTorch takes a case, or None."""
    if case.cache_dtype != "as_query" or case.scales != "none":
        return "a cache of another dtype, or with scales: PyTorch's attention takes neither"
    if case.sinks:
        return "sinks: PyTorch's attention knows none"
    if case.output != "new":
        return "an output that is given: PyTorch's attention allocates its own"
    return None


def _flex_supports(case: PagedAttentionCase) -> str | None:
    """Return why FlexAttention does not take a case, or None."""
    if case.unseen == "nan":
        return "NaN in slots that are masked: FlexAttention weighs them by 0, and does not skip them"
    return _dense_supports(case)


def _sdpa_supports(case: PagedAttentionCase) -> str | None:
    """Return why scaled_dot_product_attention does not take a case, or None."""
    if case.soft_capped:
        return "a soft cap: scaled_dot_product_attention knows none"
    if sum((case.dtype != "float32", case.alibi, case.data == "large_logits")) > 1:
        return "ALiBi, large scores or half precision together: scaled_dot_product_attention rounds scores and bias"
    return _dense_supports(case)


def _flex_compiles(workload: Workload[PagedAttentionCase]) -> int:
    """Allow FlexAttention one graph for each way in which sizes are 1 or more."""
    return max(1, len({_ones(case) for case in workload.cases if case.num_tokens and case.query_lens}))


def _ones(case: PagedAttentionCase) -> tuple[bool, ...]:
    """Say which sizes of a call are 1, for Dynamo makes constants of those; and whether a query block is enough."""
    blocks = len(case.query_lens), max(case.query_lens), max(case.block_counts) + case.table_padding
    return (*(size == 1 for size in (*blocks, case.num_tokens)), max(case.query_lens) > 128)


def _gather_supports(case: PagedAttentionCase, backend: Backend, mode: Mode) -> str | None:
    """Refuse far blocks, and large gathers where Inductor's GPU code is interpreted: they cost seconds."""
    if case.far:
        return "a tensor that is mostly not there: a compiler that copies it for its alignment copies all of it"
    if backend is not INDUCTOR_TRITON:
        return None
    columns = max(case.block_counts, default=0) + case.table_padding
    elements = case.num_tokens * columns * case.block_size * case.num_kv_heads * (case.head_dim + case.values)
    return (
        None if elements <= _INTERPRETED else f"a gather of more than {_INTERPRETED} elements is too slow to interpret"
    )


IMPLEMENTATIONS: Sequence[Implementation[PagedAttentionCase]] = (
    Implementation(
        operator="paged_attention",
        name="triton.varlen",
        build=always(attention.varlen_attention),
        supports=_supports,
        max_compiles=_max_compiles,
        kernels=lambda: [attention_kernel],
        description="decode and prefill: one program a tile of query rows and key-value head",
    ),
    Implementation(
        operator="paged_attention",
        name="triton.split_kv",
        build=always(attention.split_attention),
        supports=_supports,
        max_compiles=_max_compiles,
        kernels=lambda: [attention_kernel, merge_kernel],
        description="each context split between programs, their partial softmaxes merged",
    ),
    Implementation(
        operator="paged_attention",
        name="triton.invariant",
        build=always(attention.invariant_attention),
        supports=_supports,
        batch_invariant=lambda case: True,
        max_compiles=_most_of_one_tile,
        kernels=lambda: [attention_kernel],
        description="decode and prefill by the same tiles whatever the batch: a row has the same bits in each",
    ),
    Implementation(
        operator="paged_attention",
        name="flex.inductor",
        family="flex",
        backend="inductor",
        stage=Stage.INDUCTOR,
        build=flex.build,
        supports=_flex_supports,
        devices=("cuda",),
        omits=("[1]",),
        max_compiles=_flex_compiles,
        description="FlexAttention over a mask of physical blocks, compiled with dynamic sizes",
    ),
    Implementation(
        operator="paged_attention",
        name="sdpa.padded",
        build=always(sdpa.sdpa_attention),
        supports=_sdpa_supports,
        devices=("cpu", "cuda"),
        omits=("[1]",),
        description="scaled_dot_product_attention over padded batches, as before there were block tables",
    ),
    *Compilable(
        operator="paged_attention",
        family="gather",
        function=always(gather.gather_attention),
        dims=_DIMS,
        supports=_gather_supports,
        modules=(gather,),
    ).implementations(modes=_MODES, variants=_VARIANTS),
)
