"""Gradients of mixtures of experts: smaller mixtures without ties, about whole blocks of intermediate columns."""

from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from eagerdiff import Inputs
from eagerdiff.strategies.argument_layouts import lay_out_arguments
from eagerdiff.strategies.cases.layouts import Layouts
from eagerdiff.strategies.cases.moe import MoeCase
from eagerdiff.strategies.cases.moe_gradients import MoeGradientsCase
from eagerdiff.strategies.moe import LARGE, cancels
from eagerdiff.strategies.moe import cases as moe_cases
from eagerdiff.strategies.moe import inputs as moe_inputs
from eagerdiff.strategies.moe import workload_cases as moe_workload_cases

_MOST_EXPERTS = 33
_MOST_TOKENS = 64
_BLOCK = 32
"""Columns of a block in the shipped kernels at these sizes."""
_BLOCKS = st.sampled_from([_BLOCK * blocks + over for blocks in (1, 1, 2, 3) for over in (0, -1, 1)])
_ANY = st.integers(1, 49)
_ALIGNED = st.sampled_from((16, 8, 80, 40, 80, 48))
"""16 bytes in each dtype, which `grouped_mm` asks for."""
_SIZES = st.one_of(
    st.tuples(_ALIGNED, _ALIGNED | st.just(2 * _BLOCK)),
    st.tuples(_ALIGNED | st.sampled_from((31, 33)), _BLOCKS),
    st.tuples(_ANY, _BLOCKS),
    st.tuples(_ANY, _ANY),
    st.tuples(st.sampled_from((80, 65)), _ALIGNED),
    st.tuples(_ALIGNED, st.sampled_from((256, 264, 257, 64))),
)
"""Hidden and intermediate: the latter often a block, several, or one off."""


def inputs(case: MoeGradientsCase, device: str) -> Inputs:
    """Build the inputs of `moe` and grad_output [T, H], the same on every device."""
    given = moe_inputs(case, device)
    generator = torch.Generator().manual_seed(case.seed + 2)
    grad_output = torch.randn(case.tokens, case.hidden, generator=generator)
    if case.grad_zeros:
        grad_output[torch.randperm(case.tokens, generator=generator)[: case.tokens // 2]] = 0.0
    if cancels(case) and case.seed % 2:
        _let_cancel(given.args[3], grad_output, generator)
    grad_output = grad_output.to(device=device, dtype=getattr(torch, case.dtype))
    laid_out = lay_out_arguments(Inputs((grad_output,)), ("grad_output",), case.layouts)
    return Inputs((*given.args, *laid_out.args), given.options)


def _let_cancel(w_down: Tensor, grad_output: Tensor, generator: torch.Generator) -> None:
    """Make the first and the last term of the sums of the backward pass large and opposite, in place."""
    drawn = torch.randn(w_down.shape, generator=generator) * w_down.shape[2] ** -0.5
    drawn[:, 0], drawn[:, -1] = LARGE, -LARGE
    w_down.copy_(drawn)
    grad_output[:, [0, -1]] = 1.0


def cases() -> st.SearchStrategy[MoeGradientsCase]:
    """Draw a case of few experts, its intermediate size a block, several blocks, or one off."""
    mixtures = moe_cases().filter(lambda case: case.num_experts <= _MOST_EXPERTS)
    weighing = st.sampled_from((False, False, False, True))
    return st.builds(_differentiable, mixtures, _SIZES, weighing, st.booleans(), st.sampled_from((False, True, False)))


def workload_cases(first: MoeGradientsCase) -> st.SearchStrategy[MoeGradientsCase]:
    """Draw a further case under the static fields of `first`."""
    fields = dict(first.static_key)

    def follow(case: MoeCase, grad_zeros: bool) -> MoeGradientsCase:
        changed = case.model_dump() | fields | {"tie_group": 1, "grad_zeros": grad_zeros, "nan_tokens": False}
        return MoeGradientsCase.model_validate(changed)

    return st.builds(follow, moe_workload_cases(first), st.booleans())


def _of_gradients(mixture: MoeCase) -> Layouts:
    """Return a mixture's layouts but for far ones; what lies like x is a layout of the gradient, too."""
    near = tuple(pair for pair in mixture.layouts if not pair[1].startswith("far"))
    return (*near, *(("grad_output", layout) for name, layout in near if name == "x"))


def _differentiable(
    mixture: MoeCase, sizes: tuple[int, int], constant: bool, grad_zeros: bool, cancelling: bool
) -> MoeGradientsCase:
    """Give a mixture sizes of its own, and weights as x is; among tied experts, gradients depend on the choice.

    `constant` leaves a token's only weight renormalised, where it is 1 whatever the router says. Nothing is far, for
    gradients are not; no token is NaN, for then so are all gradients of its experts.
    """
    fields: dict[str, Any] = mixture.model_dump() | {
        "hidden": sizes[0],
        "intermediate": sizes[1],
        "weight_dtype": "as_x",
        "quantised_x": False,
        "tie_group": 1,
        "grad_zeros": grad_zeros,
        "data": "cancelling" if cancelling else mixture.data,
        "nan_tokens": False,
        "layouts": _of_gradients(mixture),
    }
    if fields["num_experts"] > 12 or mixture.tokens > _MOST_TOKENS:  # many are cheap where they are small
        fields |= {"hidden": min(sizes[0], 16), "intermediate": min(sizes[1], _BLOCK + 1)}
    for layout in ("x_layout", "weight_layout"):
        if fields[layout] == "far":
            fields[layout] = "contiguous"
    if fields["top_k"] == 1 and not constant:
        fields["renormalize"] = False
        if fields["scoring"] == "topk_softmax":
            fields["scoring"] = "sigmoid"
    return MoeGradientsCase.model_validate(fields)
