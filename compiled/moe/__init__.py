"""Mixtures of experts under test: Triton grouped GEMMs, torch's grouped_mm, padded baselines, the work-list under
torch.compile."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from eagerdiff import Implementation, Mode, Stage
from eagerdiff.compiled.backend import Backend
from eagerdiff.compiled.moe import (
    alignment,
    block_sparse,
    combine,
    experts,
    grouped_gemm,
    grouped_mm,
    padded,
    routing,
    worklist,
)
from eagerdiff.compiled.torch_compile import Compilable, always
from eagerdiff.compiled.variant import NESTED, PLAIN, REPEATED, STRICT, VARIANTS, Variant
from eagerdiff.strategies.cases.moe import MoeCase

_ELEMENT_SIZES = {"float32": 4, "float16": 2, "bfloat16": 2}
_VARIANTS = [variant for variant in VARIANTS if variant not in (NESTED, REPEATED, STRICT)]
"""Not nested: no graph breaks. Not repeated: a region that is given a float, the scaling factor, is no graph. Not
strict: scripts/dynamo_mark_unbacked_strict_is_backed.py."""


def _plain_weights(case: MoeCase) -> str | None:
    """Refuse quantised weights."""
    return None if case.weight_dtype == "as_x" else f"weights of {case.weight_dtype}: only those of x's dtype are taken"


def _dispatch_supports(case: MoeCase) -> str | None:
    """Return why one-hot products do not take a case, or None."""
    if case.nan_tokens:
        return "NaN in a token that is routed: times the zeros of one-hot tensors it reaches every other token"
    return _plain_weights(case)


def grouped_mm_supports(case: MoeCase) -> str | None:
    """Return why `torch.grouped_mm` does not take a case, or None."""
    if case.weight_dtype != "as_x":
        return _plain_weights(case)
    if any(name in ("w_gate_up", "w_down") for name, _ in case.layouts):
        return "weights that lie otherwise: grouped_mm wants rows or columns side by side, 16 bytes apart"
    if case.expert_bias or case.weight_first:
        return "biases of experts, or weights before them: between grouped_mm's products there is no expert"
    element_size = _ELEMENT_SIZES[case.dtype]
    sizes = (case.hidden, case.intermediate)
    return next((why for size in sizes if (why := grouped_mm.unsupported_size(size, element_size))), None)


def too_many_experts(case: MoeCase, most: int) -> str | None:
    """Refuse more than `most` experts: the loop is unrolled into the graph, and compiling takes time by the expert."""
    if case.num_experts > most:
        return f"the work-list is unrolled over the experts: {case.num_experts} compile too slowly, at most {most}"
    return None


def _worklist_supports(case: MoeCase, backend: Backend, mode: Mode) -> str | None:
    """Refuse what a graph of the work-list cannot hold, or not in time."""
    if case.weight_dtype != "as_x":
        return _plain_weights(case)
    if case.far:
        return "a tensor that is mostly not there: a compiler that copies it for its alignment copies all of it"
    return too_many_experts(case, 4 if backend.stage is Stage.INDUCTOR else 8)


def _variant_supports(case: MoeCase, variant: Variant) -> str | None:
    """Refuse what takes longest to compile of a variant: what it changes shows with two experts."""
    return None if variant is PLAIN else too_many_experts(case, 2)


_KERNELS: tuple[Any, ...] = (
    *alignment.KERNELS,
    grouped_gemm.gate_up_kernel,
    grouped_gemm.down_kernel,
    combine.combine_kernel,
)

IMPLEMENTATIONS: Sequence[Implementation[MoeCase]] = (
    Implementation(
        operator="moe",
        name="triton.grouped_gemm",
        build=always(grouped_gemm.moe),
        kernels=lambda: _KERNELS,
        description="grouped GEMMs over blocks of tokens sorted by expert, then a separate combine",
    ),
    Implementation(
        operator="moe",
        name="triton.invariant",
        build=always(grouped_gemm.moe_invariant),
        batch_invariant=lambda case: case.tie_group == 1,
        kernels=lambda: _KERNELS,
        description="the same by tiles of one size whatever the batch: a token's row has the same bits in each",
    ),
    Implementation(
        operator="moe",
        name="triton.scatter_add",
        build=always(grouped_gemm.moe_scatter_add),
        kernels=lambda: _KERNELS[:-1],
        description="the same, the down projection adding to the tokens' rows with atomics",
    ),
    Implementation(
        operator="moe",
        name="triton.block_sparse",
        build=always(block_sparse.moe),
        supports=_plain_weights,
        kernels=lambda: block_sparse.KERNELS,
        description="block-sparse products over the blocks that the routing gives, as MegaBlocks has them",
    ),
    Implementation(
        operator="moe",
        name="torch.grouped_mm",
        build=always(grouped_mm.moe),
        supports=grouped_mm_supports,
        devices=("cpu", "cuda"),
        description="torch.nn.functional.grouped_mm over tokens sorted by expert",
    ),
    Implementation(
        operator="moe",
        name="torch.padded_bmm",
        build=always(padded.moe),
        supports=_plain_weights,
        devices=("cpu", "cuda"),
        description="bmm over each expert's tokens padded to those of the fullest: the traditional baseline",
    ),
    Implementation(
        operator="moe",
        name="torch.dispatch",
        build=always(padded.moe_dispatch),
        supports=_dispatch_supports,
        devices=("cpu", "cuda"),
        description="one-hot dispatch and combine tensors, as GShard has them",
    ),
    *(
        replace(
            implementation,
            description=f"the work-list: {implementation.description}",
        )
        for implementation in Compilable(
            operator="moe",
            family="worklist",
            function=always(worklist.moe),
            dims={0: {0: "tokens"}, 1: {0: "tokens"}},
            outputs=({0: "tokens"},),
            supports=_worklist_supports,
            supports_variant=_variant_supports,
            modules=(routing, experts, worklist),
        ).implementations(variants=_VARIANTS)
    ),
)
