"""Mixtures of experts exported once: the work-list without tensors among its options, for every number of tokens."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from torch import Tensor

from compiled.declared import Formulas, Shapes
from compiled.moe import experts, routing, too_many_experts, worklist
from compiled.torch_export import exports
from harness import Implementation, Inputs
from strategies.moe import MoeCase, inputs

_DIMS: Formulas = {0: {0: "tokens"}, 1: {0: "tokens"}}
_OPTIONS = ("top_k", "renormalize", "activation", "weight_first", "scoring", "scaling", "num_groups", "kept_groups")
"""Those of a case that is exported: they are bound, and left out of the call."""
_MOST_EXPERTS = {"export": 8, "export_strict": 8, "export_saved": 8, "aoti": 2}


def example(case: MoeCase) -> Inputs:
    """Return arguments with 5 tokens, and some for every expert."""
    fields = dict(case.static_key) | {"tokens": 5, "expert_tokens": (1,) * case.num_experts, "poison": False}
    if case.num_experts > 5 * case.top_k:
        fields["expert_tokens"] = (1,) * 5 + (0,) * (case.num_experts - 5)
    given = inputs(MoeCase.model_validate(fields), "cpu")
    return Inputs(tuple(_own(tensor) for tensor in given.args), given.options)


def _own(tensor: Tensor) -> Tensor:
    """Copy a view, where that keeps its strides: export guards on what it is of (scripts/export_guards_on_base.py)."""
    copied = tensor.clone()
    return copied if copied.stride() == tensor.stride() else tensor


def supports(case: MoeCase, path: str, shapes: Shapes) -> str | None:
    """Return why a call is not exported, or None."""
    if case.weight_dtype != "as_x" or case.expert_bias or case.shared_intermediate or case.selection_bias:
        return "not exported: quantised weights, or options that are tensors"
    if case.experts_elsewhere:
        return "not exported: options that are tensors"
    if "far" in (case.x_layout, case.weight_layout):
        return "not exported: a tensor that is mostly not there"
    if case.x_layout == "transposed":
        return "not exported: a stride that changes with the tokens"
    if (shapes.hinted or path == "aoti") and case.tokens < 2:
        return "not exported: a size of 0 or 1, where tracing assumes at least 2"
    return too_many_experts(case, _MOST_EXPERTS[path])


def plain(case: MoeCase) -> Callable[..., Tensor]:
    """Return the work-list of a case as a function of x, router_logits, w_gate_up and w_down alone."""
    options = dict(example(case).options)

    def plain_moe(x: Tensor, router_logits: Tensor, w_gate_up: Tensor, w_down: Tensor) -> Tensor:
        return worklist.moe(x, router_logits, w_gate_up, w_down, **options)

    return plain_moe


_PLAIN = """
def plain_moe(x, router_logits, w_gate_up, w_down):
    return moe(x, router_logits, w_gate_up, w_down, {options})

eager = moe
"""


def _binding(way: Implementation) -> Implementation:
    """Name what is exported the work-list, and bind its options in scripts too."""

    def source(case: Any) -> str:
        assert way.source is not None
        options = ", ".join(f"{name}={value!r}" for name, value in example(case).options.items())
        return way.source(case).replace("\neager = plain_moe\n", _PLAIN.format(options=options))

    return replace(way, name=f"worklist.{way.name}", source=source, description=f"the work-list: {way.description}")


EXPORTS = [
    _binding(way)
    for way in exports(
        "moe",
        plain,
        dims=lambda case: _DIMS,
        example=example,
        supports=supports,
        ignored=_OPTIONS,
        name="plain_moe",
        modules=(routing, experts, worklist),
    )
]
