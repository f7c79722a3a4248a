"""Experts spread over ranks under test: tokens exchanged by all_to_all_single, by a group of processes."""

from collections.abc import Sequence

from eagerdiff import Implementation
from eagerdiff.compiled.expert_parallel.calls import build_compiled, build_eager
from eagerdiff.strategies.cases.expert_parallel import ExpertParallelCase

_MOST_EXPERTS = {"aot_eager": 6, "inductor": 4}
"""Of all ranks: the loop over a rank's experts is unrolled into its graph, and every rank compiles one of its own."""
_MOST_RANKS = {"aot_eager": 4, "inductor": 2}


def _supports(backend: str, case: ExpertParallelCase) -> str | None:
    experts, ranks = sum(case.experts_per_rank), len(case.experts_per_rank)
    if experts > _MOST_EXPERTS[backend]:
        return f"the loop over experts is unrolled: {experts} compile too slowly, at most {_MOST_EXPERTS[backend]}"
    if ranks > _MOST_RANKS[backend]:
        return f"every rank compiles its own graph: {ranks} compile too slowly, at most {_MOST_RANKS[backend]}"
    return None


def _compiled(backend: str) -> Implementation[ExpertParallelCase]:
    # No mode: the ledger does not see what ranks compile, `build_compiled` counts it.
    return Implementation(
        operator="expert_parallel",
        name=f"{backend}.unbacked",
        build=build_compiled(backend),
        supports=lambda case: _supports(backend, case),
        devices=("cpu", "cuda"),
        description=f"the same as one graph a rank, torch.compile, backend {backend}, split sizes unbacked",
    )


IMPLEMENTATIONS: Sequence[Implementation[ExpertParallelCase]] = (
    Implementation(
        operator="expert_parallel",
        name="eager",
        build=build_eager,
        devices=("cpu", "cuda"),
        description="a process a rank, gloo or NCCL, all_to_all_single with the routing's split sizes",
    ),
    _compiled("aot_eager"),
    _compiled("inductor"),
)
