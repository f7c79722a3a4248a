"""Permutation under test: Triton kernels that sort, align, permute and combine, and torch's own operations under
torch.compile."""

from collections.abc import Sequence
from dataclasses import replace

from eagerdiff import Implementation, Mode, Workload
from eagerdiff.compiled.backend import AOT_EAGER, INDUCTOR, INDUCTOR_TRITON, Backend
from eagerdiff.compiled.moe import align, alignment
from eagerdiff.compiled.moe_permute import eager, rows
from eagerdiff.compiled.torch_compile import Compilable, always
from eagerdiff.strategies.cases.moe_permute import MoePermuteCase

_MODES = (Mode.STATIC, Mode.DYNAMIC, Mode.MARK_DYNAMIC, Mode.UNBACKED)
"""Not bucketed: tokens that pad are routed to expert 0."""
_KERNELS = (*alignment.KERNELS, rows.permute_kernel, rows.combine_kernel)


def _compiled_supports(case: MoePermuteCase, backend: Backend, mode: Mode) -> str | None:
    if case.far:
        return "a tensor that is mostly not there: a compiler that copies it for its alignment copies all of it"
    return None


def _max_compiles(workload: Workload[MoePermuteCase]) -> int:
    """Allow one specialisation of each kernel, and of one two more where the number of tokens is a stride of x."""
    transposed = any(case.strides_vary for case in workload.cases)
    return len(_KERNELS) + 2 * transposed


IMPLEMENTATIONS: Sequence[Implementation[MoePermuteCase]] = (
    Implementation(
        operator="moe_permute",
        name="triton.permute",
        build=always(rows.moe_permute),
        max_compiles=_max_compiles,
        kernels=lambda: _KERNELS,
        description="a histogram a tile of routes, prefix sums over tiles and experts, ranks within a tile; then rows",
    ),
    *(
        replace(
            implementation,
            description=f"a stable sort and index_add: {implementation.description}",
        )
        for implementation in Compilable(
            operator="moe_permute",
            family="torch",
            function=always(eager.moe_permute),
            dims={0: {0: "tokens"}, 1: {0: "tokens"}, 2: {0: "tokens"}},
            supports=_compiled_supports,
            modules=(align, eager),
        ).implementations(backends=(AOT_EAGER, INDUCTOR, INDUCTOR_TRITON), modes=_MODES)
    ),
)
