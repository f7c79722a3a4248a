"""The combine functions of Triton's own reductions, by which they are known again."""

from typing import TYPE_CHECKING, Any

from eagerdiff.harness.internals.hook import Hook, reaching


def _hook(name: str) -> Hook:
    return Hook("triton", f"triton.language.standard:{name}", "is computed by numpy in one step", since="3.6")


HOOKS = {
    "sum_combine": _hook("_sum_combine"),
    "prod_combine": _hook("_prod_combine"),
    "elementwise_max": _hook("_elementwise_max"),
    "elementwise_min": _hook("_elementwise_min"),
    "argmax_combine": _hook("_argmax_combine_tie_break_left"),
    "argmin_combine": _hook("_argmin_combine_tie_break_left"),
}

if TYPE_CHECKING:
    sum_combine: Any
    prod_combine: Any
    elementwise_max: Any
    elementwise_min: Any
    argmax_combine: Any
    argmin_combine: Any
else:
    __getattr__ = reaching(__name__, HOOKS)
