"""Gradients of mixtures of experts under test: block-sparse Triton kernels, grouped_mm, the work-list compiled."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from eagerdiff import Implementation, Mode, Stage
from eagerdiff.compiled.backend import AOT_EAGER, INDUCTOR, INDUCTOR_TRITON, Backend
from eagerdiff.compiled.moe import (
    block_sparse,
    experts,
    grouped_mm,
    grouped_mm_supports,
    routing,
    too_many_experts,
    worklist,
)
from eagerdiff.compiled.moe_gradients import gradients
from eagerdiff.compiled.moe_gradients.gradients import gradients_of
from eagerdiff.compiled.torch_compile import Compilable, always
from eagerdiff.strategies.cases.moe_gradients import MoeGradientsCase

_MODES = (Mode.STATIC, Mode.DYNAMIC, Mode.MARK_DYNAMIC, Mode.UNBACKED)
_WAYS = (((AOT_EAGER, INDUCTOR_TRITON), _MODES), ((INDUCTOR,), (Mode.UNBACKED,)))
"""A C++ compiler takes ten seconds and more for a graph and its backward."""


def _worklist_supports(case: MoeGradientsCase, backend: Backend, mode: Mode) -> str | None:
    """Refuse many experts, each of which is in two graphs."""
    return too_many_experts(case, 2 if backend.stage is Stage.INDUCTOR else 8)


def _around(case: MoeGradientsCase, function: Callable[..., Any], compiled: Callable[..., Any]) -> Callable[..., Any]:
    """Take gradients outside what is compiled, as training does."""
    return gradients_of(compiled)


_WORKLIST = Compilable(
    operator="moe_gradients",
    family="worklist",
    function=always(worklist.moe),
    dims={0: {0: "tokens"}, 1: {0: "tokens"}},
    supports=_worklist_supports,
    around=_around,
    around_source="gradients_of({})",
    modules=(gradients, routing, experts, worklist),
)
IMPLEMENTATIONS: Sequence[Implementation[MoeGradientsCase]] = (
    Implementation(
        operator="moe_gradients",
        name="triton.block_sparse",
        build=always(gradients_of(block_sparse.moe)),
        kernels=lambda: (*block_sparse.KERNELS, *block_sparse.BACKWARD_KERNELS),
        description="block-sparse products, those of the backward pass over the transposed topology",
    ),
    Implementation(
        operator="moe_gradients",
        name="torch.grouped_mm",
        build=always(gradients_of(grouped_mm.moe)),
        supports=grouped_mm_supports,
        devices=("cpu", "cuda"),
        description="autograd of torch.nn.functional.grouped_mm over tokens sorted by expert",
    ),
    *(
        replace(
            implementation,
            description=f"the work-list: {implementation.description}",
        )
        for backends, modes in _WAYS
        for implementation in _WORKLIST.implementations(backends=backends, modes=modes)
    ),
)
