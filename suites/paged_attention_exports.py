"""Paged attention exported once: plain causal attention, for every batch and context."""

from eagerdiff import Inputs
from eagerdiff.compiled.declared import Declared
from eagerdiff.compiled.dynamic_shapes import Formulas, Shapes
from eagerdiff.compiled.export_path import ExportPath
from eagerdiff.compiled.paged_attention import gather
from eagerdiff.compiled.torch_export import exports
from eagerdiff.strategies.cases.paged_attention import PagedAttentionCase
from eagerdiff.strategies.paged_attention import inputs

_DIMS: Formulas = {
    0: {0: "tokens"},
    1: {0: "blocks"},
    2: {0: "blocks"},
    3: {0: "requests", 1: "columns"},
    4: {0: "requests"},
    5: {0: "requests + 1"},
}
_OPTIONS = ("scale", "causal", "window", "soft_cap", "num_splits")
"""Those of a plain case: they are bound, and left out of the call."""


def example(case: PagedAttentionCase) -> Inputs:
    """Return arguments all of whose sizes are at least 2 and differ."""
    size = case.block_size
    lengths = {"context_lens": (5 * size, 3 * size, 3 * size), "query_lens": (2, 2, 3)}
    return inputs(PagedAttentionCase.model_validate(dict(case.static_key) | lengths), "cpu")


def supports(case: PagedAttentionCase, path: ExportPath, shapes: Shapes) -> str | None:
    """Return why a call is not exported, or None."""
    if not case.plain or case.scale is not None:
        return "not exported: options that change from call to call, or that are tensors"
    if case.far or case.wide_table:
        return "not exported: a tensor that is mostly not there, or with a stride that changes and is no size"
    return None


def met(case: PagedAttentionCase) -> dict[str, int]:
    """Return the sizes of a call, by name."""
    args = inputs(case, "cpu").args
    requests, columns = args[3].shape
    return {"tokens": case.num_tokens, "blocks": args[1].size(0), "requests": requests, "columns": columns}


EXPORTS = exports(
    "paged_attention",
    lambda case: gather.plain_attention,
    family="gather",
    declared=Declared(dims=lambda case: _DIMS, met=met),
    example=example,
    supports=supports,
    ignored=_OPTIONS,
    name="plain_attention",
    modules=(gather,),
)
