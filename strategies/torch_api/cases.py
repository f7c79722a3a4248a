"""Cases of `torch_api`: one call of an entry of torch's tables, in one of its forms."""

import functools
from collections.abc import Mapping

import torch
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, field_validator

from eagerdiff import Case, Inputs, Workload, dynamic, static
from eagerdiff.strategies.layouts import LAYOUTS, lay_out, place
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.tensors import FILLS
from eagerdiff.strategies.sizes import sizes
from eagerdiff.strategies.torch_api.call import FREE, Call
from eagerdiff.strategies.torch_api.drawing import Drawn, drawn
from eagerdiff.strategies.torch_api.rendering import render
from eagerdiff.strategies.torch_api.values import build

LARGEST = 33
MOST_ELEMENTS = 1 << 16
"""Of one tensor: kernels that change at a threshold do so below, and eager takes milliseconds."""
_WIDE = {"float32": "float64", "float16": "float64", "bfloat16": "float64", "complex64": "complex128"}
_FILLS = ("normal", "normal", "normal", "integers", "sorted", "zeros", "special", "extreme")
_LAYOUTS = ("contiguous", "contiguous", "contiguous", *LAYOUTS)
_NUMBERS = (1.0, 0.5, 2.0, -1.0, 0.0, 3.0, -0.25)


class Domain(BaseModel):
    """Hold what eager says of the sizes of a call."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    example: dict[str, int] = Field(default_factory=dict[str, int])
    """Sizes with which it is exported."""
    floors: dict[str, int] = Field(default_factory=dict[str, int])
    """The least size by symbol that it takes."""

    def __hash__(self) -> int:
        return hash(self.model_dump_json())


class TorchApiCase(Case):
    """Describe one call."""

    entry: str = static()
    """Table and name: `op_db:add`."""
    call: Call = static()
    dtype: str = static("float32")
    """Of the tensors without one of their own."""
    gradients: bool = static(False)
    random: bool = static(False)
    """Whether it draws random numbers."""
    domain: Domain = static(Domain())
    """What eager says of its sizes."""
    settings: tuple[str, ...] | None = static(None)
    """Names of the compiler's drawn settings that are kept, where a way of compiling draws any; None keeps them all."""
    sizes: dict[str, int] = dynamic(default_factory=dict)
    layouts: tuple[str, ...] = dynamic(())
    fills: tuple[str, ...] = dynamic(())
    numbers: tuple[float, ...] = dynamic(())
    """Values of the Python numbers among the arguments that follow no size, in order."""

    @field_validator("dtype")
    @classmethod
    def _known_dtype(cls, name: str) -> str:
        if not isinstance(getattr(torch, name, None), torch.dtype):
            raise ValueError(f"unknown dtype {name[:40]!r}")
        return name

    @field_validator("layouts")
    @classmethod
    def _known_layouts(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        return _known(names, LAYOUTS, "layout")

    @field_validator("fills")
    @classmethod
    def _known_fills(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        return _known(names, FILLS, "fill")


def _known(names: tuple[str, ...], known: tuple[str, ...], what: str) -> tuple[str, ...]:
    for name in names:
        if name not in known:
            raise ValueError(f"unknown {what} {name!r}: use one of {', '.join(known)}")
    return names


@functools.lru_cache(maxsize=256)
def source(call: Call) -> str:
    """Return the source of a call, as a function called `program`."""
    return render(call)


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
        values = build(spec, dtype, shape, below, _at(case.fills, at, "normal"), generator)
        args.append(place(lay_out(values, _at(case.layouts, at, "contiguous")), device))
    free = iter((*case.numbers, *(1.0 for _ in case.call.numbers)))
    for number in case.call.numbers:
        if number in FREE:
            args.append(int(next(free)) if number == "int" else float(next(free)))
        else:
            args.append(Size.of(number).value(case.sizes))
    return Inputs(tuple(args), {"source": source(case.call), "gradients": case.gradients, "random": case.random})


def _at(names: tuple[str, ...], position: int, default: str) -> str:
    return names[position] if position < len(names) else default


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
            "sizes": draw(_sizes(fixed, None)),
            "layouts": draw(_layouts(count)),
            "fills": tuple(draw(st.sampled_from(_FILLS)) for _ in range(count)),
            "seed": draw(st.integers(0, 2**16 - 1)),
        }
    )


@st.composite
def workload_cases(draw: st.DrawFn, first: TorchApiCase) -> TorchApiCase:
    """Draw a further call: other sizes, now and then other layouts, values or numbers."""
    count = len(first.call.tensors)
    changed: dict[str, object] = {"seed": draw(st.integers(0, 2**16 - 1)), "sizes": draw(_sizes(first, first.sizes))}
    if draw(st.integers(0, 5)) == 5:
        changed["layouts"] = draw(_layouts(count))
    if draw(st.integers(0, 2)) == 2:
        changed["fills"] = tuple(draw(st.sampled_from(_FILLS)) for _ in range(count))
    if first.numbers and draw(st.booleans()):
        kinds = [number for number in first.call.numbers if number in FREE]
        changed["numbers"] = tuple(
            draw(st.integers(-1, 4)) if kind == "int" else draw(st.sampled_from(_NUMBERS)) for kind in kinds
        )
    return first.model_copy(update=changed)


def _layouts(count: int) -> st.SearchStrategy[tuple[str, ...]]:
    return st.tuples(*(st.sampled_from(_LAYOUTS) for _ in range(count)))


@st.composite
def _sizes(draw: st.DrawFn, case: TorchApiCase, before: Mapping[str, int] | None) -> dict[str, int]:
    """Draw sizes, mostly ones that eager takes: all of them, or all but one as before; at worst the example's."""
    symbols = tuple(case.domain.floors)
    kept = draw(st.sampled_from(("", *symbols))) if before else ""
    refused = draw(st.integers(0, 11)) == 11  # below the least: what eager refuses the compiled code must refuse too
    for most in (LARGEST, 9, 3):
        found = {
            symbol: before[symbol]
            if before is not None and kept and symbol != kept
            else draw(sizes(min_value=0 if refused else floor, max_value=max(most, floor)))
            for symbol, floor in case.domain.floors.items()
        }
        if check_inputs(case.model_copy(update={"sizes": found})) is None:
            return found
    return dict(before or case.domain.example)
