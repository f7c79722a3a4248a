"""Routing under test: a Triton kernel, and torch's own operations under torch.compile."""

from collections.abc import Sequence
from dataclasses import replace

from eagerdiff import Implementation, Mode, Workload
from eagerdiff.compiled.backend import AOT_EAGER, INDUCTOR, INDUCTOR_TRITON, Backend
from eagerdiff.compiled.moe import routing
from eagerdiff.compiled.moe_routing import eager, kernel
from eagerdiff.compiled.torch_compile import Compilable, always
from eagerdiff.strategies.cases.moe_routing import MoeRoutingCase

_MODES = (Mode.STATIC, Mode.DYNAMIC, Mode.MARK_DYNAMIC, Mode.UNBACKED)
"""Not bucketed: rows of zeros are tokens that are routed somewhere."""


def _supports(case: MoeRoutingCase) -> str | None:
    return "expert choice: a program of the kernel sees some of the tokens" if case.way == "expert_choice" else None


def _compiled_supports(case: MoeRoutingCase, backend: Backend, mode: Mode) -> str | None:
    if case.way == "expert_choice":
        return "expert choice: not written for a compiler"
    if backend is INDUCTOR_TRITON and case.num_experts > 16:
        return f"a sort of {case.num_experts} experts a token is too slow to interpret: at most 16"
    return None


def _max_compiles(workload: Workload[MoeRoutingCase]) -> int:
    """Allow one specialisation of each kernel."""
    return 2


IMPLEMENTATIONS: Sequence[Implementation[MoeRoutingCase]] = (
    Implementation(
        operator="moe_routing",
        name="triton.routing",
        build=always(kernel.moe_routing),
        supports=_supports,
        max_compiles=_max_compiles,
        kernels=lambda: [kernel.routing_kernel, kernel.drop_kernel],
        description="one program a tile of tokens: scores, groups, the best one after another, counts by atomics",
    ),
    *(
        replace(way, description=f"torch's topk: {way.description}")
        for way in Compilable(
            operator="moe_routing",
            family="torch",
            function=always(eager.moe_routing),
            dims={0: {0: "tokens"}, "token_ids": {0: "tokens"}},
            supports=_compiled_supports,
            modules=(routing, eager),
        ).implementations(backends=(AOT_EAGER, INDUCTOR, INDUCTOR_TRITON), modes=_MODES)
    ),
)
