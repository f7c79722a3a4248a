"""The stack together, under test: an engine around one pass of the model, put together from compiled pieces."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from eagerdiff import Implementation, Mode, Stage
from eagerdiff.compiled.backend import AOT_EAGER, DYNAMO, INDUCTOR, INDUCTOR_TRITON, Backend
from eagerdiff.compiled.cache_write.write import write_kernel
from eagerdiff.compiled.decoder import engine, model, torch_pieces, triton_pieces
from eagerdiff.compiled.decoder.engine import hold_fixed, serving
from eagerdiff.compiled.decoder.model import Pieces, build_pass
from eagerdiff.compiled.moe import grouped_gemm, routing
from eagerdiff.compiled.moe.combine import combine_kernel
from eagerdiff.compiled.moe_routing.kernel import routing_kernel
from eagerdiff.compiled.paged_attention import gather
from eagerdiff.compiled.paged_attention.kernel import attention_kernel
from eagerdiff.compiled.torch_compile import Compilable, Dims
from eagerdiff.strategies.cases.decoder import DecoderCase

_TOKENS: Dims = {argument: {0: "tokens"} for argument in (2, 3, 4, 5)}


def _dims(case: DecoderCase) -> Dims:
    """Return the dims that change from pass to pass, by argument of the pass; a wide block table keeps its columns."""
    table = {0: "requests", 1: "columns"} if case.table == "tight" else {0: "requests"}
    return {**_TOKENS, 6: table, 7: {0: "requests"}, 8: {0: "bounds"}}


_MODES = (Mode.AUTOMATIC, Mode.DYNAMIC, Mode.MARK_DYNAMIC, Mode.UNBACKED)
"""Not static: a graph a pass. Not bucketed: tokens of zeros would be written somewhere."""


def _options(case: DecoderCase) -> dict[str, Any]:
    return {
        "exit_margin": case.exit_margin,
        "top_k": case.top_k,
        "num_groups": case.num_groups,
        "kept_groups": case.kept_groups,
        "scaling": case.scaling,
    }


def _pass_of(case: DecoderCase, pieces: Pieces = torch_pieces.PIECES) -> Callable[..., Any]:
    return build_pass(pieces, **_options(case))


def _made(case: DecoderCase) -> str:
    options = ", ".join(f"{name}={value!r}" for name, value in _options(case).items())
    return f"run_pass = build_pass(PIECES, {options})"


def _build(case: DecoderCase) -> Callable[..., Any]:
    return serving(_pass_of(case))


def _build_triton(case: DecoderCase) -> Callable[..., Any]:
    return serving(_pass_of(case, triton_pieces.PIECES))


def _build_split(case: DecoderCase) -> Callable[..., Any]:
    return serving(_pass_of(case, triton_pieces.SPLIT_PIECES))


def _supports(case: DecoderCase, backend: Backend, mode: Mode) -> str | None:
    """Refuse large models where Inductor's GPU code is interpreted, and what Inductor is known not to compile."""
    if backend.stage is Stage.INDUCTOR and mode.unbacked and case.table == "tight":
        return "an unbacked number of columns: Inductor does not multiply over it (inductor_unbacked_bmm_of_squeezed)"
    if backend is INDUCTOR_TRITON and (case.layers > 1 or case.hidden > 32 or case.experts > 4):
        return "more than a layer, 32 columns or 4 experts are too slow to interpret"
    if backend is INDUCTOR and case.layers > (most := 2 if mode.unbacked else 1):
        return f"{case.layers} layers take Inductor too long, a graph of {mode.name} after another: at most {most}"
    return None


_KERNELS: tuple[Any, ...] = (
    write_kernel,
    attention_kernel,
    routing_kernel,
    grouped_gemm.gate_up_kernel,
    grouped_gemm.down_kernel,
    combine_kernel,
)

_COMPILABLE = Compilable(
    operator="decoder",
    function=_pass_of,
    dims=_dims,
    supports=_supports,
    modules=(routing, gather, model, torch_pieces, engine),
    made=_made,
    around=lambda case, function, compiled: serving(hold_fixed(compiled)),
    around_source="serving(hold_fixed({}))",
)

IMPLEMENTATIONS: Sequence[Implementation[DecoderCase]] = (
    Implementation(
        operator="decoder",
        name="triton.pieces",
        build=_build_triton,
        kernels=lambda: _KERNELS,
        description="cache write, paged attention, routing and grouped GEMMs: the shipped kernels in their places",
    ),
    Implementation(
        operator="decoder",
        name="triton.split_kv",
        build=_build_split,
        kernels=lambda: _KERNELS,
        description="the same, each context split between programs",
    ),
    Implementation(
        operator="decoder",
        name="torch.pieces",
        build=_build,
        devices=("cpu", "cuda"),
        description="torch's operations in their places, not compiled: the engine alone",
    ),
    *(
        replace(implementation, description=f"one pass of the model: {implementation.description}")
        for implementation in (
            *_COMPILABLE.implementations(backends=(DYNAMO, AOT_EAGER), modes=_MODES),
            # Half a minute a workload.
            *_COMPILABLE.implementations(backends=(INDUCTOR,), modes=(Mode.DYNAMIC, Mode.UNBACKED)),
            # One graph alone: to compile and interpret it takes ten seconds.
            *_COMPILABLE.implementations(backends=(INDUCTOR_TRITON,), modes=(Mode.UNBACKED,)),
        )
    ),
)
