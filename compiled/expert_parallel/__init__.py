"""Experts spread over ranks under test: tokens exchanged by all_to_all_single, by a group of processes."""

from collections.abc import Sequence

from eagerdiff import Implementation, Stage
from eagerdiff.compiled.backend import AOT_EAGER, INDUCTOR, Backend
from eagerdiff.compiled.expert_parallel.calls import build_compiled, build_eager
from eagerdiff.strategies.cases.expert_parallel import ExpertParallelCase


def _supports(backend: Backend, case: ExpertParallelCase) -> str | None:
    experts, ranks = sum(case.experts_per_rank), len(case.experts_per_rank)
    # Of all ranks: the loop over a rank's experts is unrolled into its graph, and every rank compiles one of its own.
    most_experts, most_ranks = (4, 2) if backend.stage is Stage.INDUCTOR else (6, 4)
    if experts > most_experts:
        return f"the loop over experts is unrolled: {experts} compile too slowly, at most {most_experts}"
    if ranks > most_ranks:
        return f"every rank compiles its own graph: {ranks} compile too slowly, at most {most_ranks}"
    return None


def _compiled(backend: Backend) -> Implementation[ExpertParallelCase]:
    # No mode: the ledger does not see what ranks compile, `build_compiled` counts it.
    return Implementation(
        operator="expert_parallel",
        name=f"{backend.name}.unbacked",
        backend=backend.name,
        stage=backend.stage,
        build=build_compiled(backend.called),
        supports=lambda case: _supports(backend, case),
        devices=("cpu", "cuda"),
        leaves=("who runs beside it",),  # a process a rank, which waits for the next call
        description=f"the same as one graph a rank, torch.compile, backend {backend.name}, split sizes unbacked",
    )


IMPLEMENTATIONS: Sequence[Implementation[ExpertParallelCase]] = (
    Implementation(
        operator="expert_parallel",
        name="eager",
        build=build_eager,
        devices=("cpu", "cuda"),
        leaves=("who runs beside it",),  # a process a rank, which waits for the next call
        description="a process a rank, gloo or NCCL, all_to_all_single with the routing's split sizes",
    ),
    _compiled(AOT_EAGER),
    _compiled(INDUCTOR),
)
