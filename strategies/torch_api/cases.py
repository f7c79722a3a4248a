"""Cases of `torch_api`: one call of an entry of torch's tables, in one of its forms."""

import functools
from collections.abc import Mapping

import torch
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, field_validator

from eagerdiff import Inputs, Workload, static
from eagerdiff.strategies.layouts import lay_out, place
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.sized_case import (
    MOST_EXAMPLES,
    NUMBERS,
    SizedCase,
    changes,
    fills,
    fitting_sizes,
    layouts,
    seeds,
)
from eagerdiff.strategies.torch_api.call import FREE, Call
from eagerdiff.strategies.torch_api.drawing import Drawn, drawn
from eagerdiff.strategies.torch_api.rendering import render
from eagerdiff.strategies.torch_api.values import build

MOST_ELEMENTS = 1 << 16
"""Of one tensor: kernels that change at a threshold do so below, and eager takes milliseconds."""
_WIDE = {"float32": "float64", "float16": "float64", "bfloat16": "float64", "complex64": "complex128"}


class Domain(BaseModel):
    """Hold what eager says of the sizes of a call."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    example: dict[str, int] = Field(default_factory=dict[str, int])
    """Sizes with which it is exported."""
    floors: dict[str, int] = Field(default_factory=dict[str, int])
    """The least size by symbol that it takes."""

    def __hash__(self) -> int:
        return hash(self.model_dump_json())


class TorchApiCase(SizedCase):
    """Describe one call."""

    entry: str = static()
    """Table and name: `op_db:add`."""
    call: Call = static()
    """How the entry is called: its arguments, their sizes as formulas, what is constant."""
    dtype: str = static("float32")
    """Of the tensors without one of their own."""
    gradients: bool = static(False)
    """Whether gradients are taken, and compared."""
    random: bool = static(False)
    """Whether it draws random numbers."""
    domain: Domain = static(Domain())
    """What eager says of its sizes."""

    @field_validator("dtype")
    @classmethod
    def _known_dtype(cls, name: str) -> str:
        if not isinstance(getattr(torch, name, None), torch.dtype):
            raise ValueError(f"unknown dtype {name[:40]!r}")
        return name


@functools.lru_cache(maxsize=256)
def source(call: Call) -> str:
    """Return the source of a call, as a function called `program`; raise SyntaxError where we wrote what is none."""
    text = render(call)
    compile(text, "<call>", "exec")  # else eager would be said to refuse it
    return text


def check_inputs(case: TorchApiCase) -> str | None:
    """Return why a case is outside its domain, or None."""
    missing = [symbol for symbol in case.call.symbols if symbol not in case.sizes]
    if missing:
        return f"no size {missing[0]}"
    for spec in case.call.tensors:
        shape = [size.value(case.sizes) for size in spec.sizes]
        if any(size < 0 for size in shape) or torch.Size(shape).numel() > MOST_ELEMENTS:
            return f"a tensor of {shape}"
    return None


def inputs(case: TorchApiCase, device: str) -> Inputs:
    """Build the arguments of a call on a torch device."""
    generator = torch.Generator().manual_seed(case.seed)
    args: list[object] = []
    for at, spec in enumerate(case.call.tensors):
        dtype = getattr(torch, spec.dtype or case.dtype)
        shape = tuple(size.value(case.sizes) for size in spec.sizes)
        below = None if spec.below is None else Size.of(spec.below).value(case.sizes)
        values = build(spec, dtype, shape, below, case.fill(at), generator)
        args.append(place(lay_out(values, case.layout(at)), device))
    free = iter((*case.numbers, *(1.0 for _ in case.call.numbers)))
    for number in case.call.numbers:
        if number in FREE:
            args.append(int(next(free)) if number == "int" else float(next(free)))
        else:
            args.append(Size.of(number).value(case.sizes))
    return Inputs(tuple(args), {"source": source(case.call), "gradients": case.gradients, "random": case.random})


def in_float64(workload: Workload[TorchApiCase]) -> Workload[TorchApiCase] | None:
    """Return the same calls in double precision; None where they are, or are of integers."""
    wide = _WIDE.get(workload.cases[0].dtype)
    if wide is None:
        return None
    return Workload(tuple(case.model_copy(update={"dtype": wide}) for case in workload.cases))


@st.composite
def cases(draw: st.DrawFn, entries: tuple[str, ...] = ()) -> TorchApiCase:
    """Draw a call of an entry, of some or of all, in one of its forms; then sizes and values."""
    found: Drawn = draw(drawn(entries))
    fixed = TorchApiCase(
        entry=found.entry,
        call=found.call,
        dtype=found.dtype,
        gradients=found.gradients,
        random=found.random,
        domain=Domain(example=found.example, floors=found.floors),
        sizes=found.example,
        numbers=found.numbers,
    )
    count = len(found.call.tensors)
    return fixed.model_copy(
        update={
            "example": draw(st.integers(0, MOST_EXAMPLES)),
            "sizes": draw(_sizes(fixed, None)),
            "layouts": draw(layouts(count)),
            "fills": draw(fills(count)),
            "seed": draw(seeds()),
        }
    )


@st.composite
def workload_cases(draw: st.DrawFn, first: TorchApiCase) -> TorchApiCase:
    """Draw a further call: other sizes, now and then other layouts, values or numbers."""
    changed = draw(changes(len(first.call.tensors)))
    changed["sizes"] = draw(_sizes(first, first.sizes))
    if first.numbers and draw(st.booleans()):
        kinds = [number for number in first.call.numbers if number in FREE]
        changed["numbers"] = tuple(
            draw(st.integers(-1, 4)) if kind == "int" else draw(st.sampled_from(NUMBERS)) for kind in kinds
        )
    return first.model_copy(update=changed)


@st.composite
def _sizes(draw: st.DrawFn, case: TorchApiCase, before: Mapping[str, int] | None) -> dict[str, int]:
    """Draw sizes, mostly ones that eager takes; at worst the example's."""
    refused = draw(st.integers(0, 11)) == 11  # below the least: what eager refuses the compiled code must refuse too
    floors = dict.fromkeys(case.domain.floors, 0) if refused else case.domain.floors

    def fits(found: Mapping[str, int]) -> bool:
        return check_inputs(case.model_copy(update={"sizes": found})) is None

    return draw(fitting_sizes(floors, before, case.domain.example, fits))
