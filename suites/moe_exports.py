"""Mixtures of experts exported once: the work-list without tensors among its options, for every number of tokens."""

from collections.abc import Callable
from dataclasses import replace

from torch import Tensor

from eagerdiff import Inputs
from eagerdiff.compiled.declared import Declared
from eagerdiff.compiled.dynamic_shapes import Formulas, Shapes
from eagerdiff.compiled.export_path import ExportPath
from eagerdiff.compiled.moe import experts, routing, too_many_experts, worklist
from eagerdiff.compiled.torch_export import exports
from eagerdiff.strategies.cases.moe import MoeCase
from eagerdiff.strategies.moe import apportion, inputs

_DIMS: Formulas = {0: {0: "tokens"}, 1: {0: "tokens"}}
_OPTIONS = ("top_k", "renormalize", "activation", "weight_first", "scoring", "scaling", "num_groups", "kept_groups")
"""Those of a case that is exported: they are bound, and left out of the call."""
_MOST_EXPERTS, _MOST_PACKAGED = 8, 2


def example(case: MoeCase) -> Inputs:
    """Return arguments with 5 tokens, spread evenly."""
    spread = apportion((1.0,) * case.num_experts, total=5 * case.top_k, limit=5)
    fields = dict(case.static_key) | {"tokens": 5, "expert_tokens": spread, "poison": False}
    given = inputs(MoeCase.model_validate(fields), "cpu")
    return Inputs(tuple(_own(tensor) for tensor in given.args), given.options)


def _own(tensor: Tensor) -> Tensor:
    """Copy a view, where that keeps its strides: export guards on what it is of (scripts/export_guards_on_base.py)."""
    copied = tensor.clone()
    return copied if copied.stride() == tensor.stride() else tensor


def supports(case: MoeCase, path: ExportPath, shapes: Shapes) -> str | None:
    """Return why a call is not exported, or None."""
    tensors = case.expert_bias or case.shared_intermediate or case.selection_bias or case.experts_elsewhere
    if case.weight_dtype != "as_x" or tensors:
        return "not exported: quantised weights, or options that are tensors"
    if case.far:
        return "not exported: a tensor that is mostly not there"
    if case.x_layout == "transposed":
        return "not exported: a stride that changes with the tokens"
    return too_many_experts(case, _MOST_PACKAGED if path.packaged else _MOST_EXPERTS)


def plain(case: MoeCase) -> Callable[..., Tensor]:
    """Return the work-list of a case as a function of x, router_logits, w_gate_up and w_down alone."""
    options = dict(example(case).options)

    def plain_moe(x: Tensor, router_logits: Tensor, w_gate_up: Tensor, w_down: Tensor) -> Tensor:
        return worklist.moe(x, router_logits, w_gate_up, w_down, **options)

    return plain_moe


def _made(case: MoeCase) -> str:
    """Return the source of `plain`; what is called in eager is handed the options too."""
    options = ", ".join(f"{name}={value!r}" for name, value in example(case).options.items())
    head = "def plain_moe(x, router_logits, w_gate_up, w_down, **bound):"
    return f"{head}\n    return moe(x, router_logits, w_gate_up, w_down, {options})\n"


EXPORTS = [
    replace(
        implementation,
        description=f"the work-list: {implementation.description}",
    )
    for implementation in exports(
        "moe",
        plain,
        family="worklist",
        declared=Declared(dims=lambda case: _DIMS, met=lambda case: {"tokens": case.tokens}),
        example=example,
        supports=supports,
        ignored=_OPTIONS,
        name="plain_moe",
        modules=(routing, experts, worklist),
        made=_made,
    )
]
