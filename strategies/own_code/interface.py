"""What a function of one's own takes: its arguments in order, the sizes in them, and calls that are drawn of both."""

import functools
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import torch
from hypothesis import find
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from torch import Tensor

from eagerdiff import Inputs
from eagerdiff.strategies.cases.own_code import OwnCase
from eagerdiff.strategies.layouts import LAYOUTS, lay_out, place
from eagerdiff.strategies.own_code.argument import (
    USUAL,
    Always,
    Argument,
    Bound,
    Drawn,
    MadeBy,
    SizeItself,
    SizeRange,
    TensorOf,
)
from eagerdiff.strategies.own_code.recorded_layouts import MetLayout
from eagerdiff.strategies.own_code.values import build, shape_of
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.sizes import sizes as drawn_sizes

MOST_ELEMENTS = 1 << 16
"""Of one tensor."""
SUPPORTED_TRIES = 12
"""Draws after which a call is taken though the code does not take it: it is skipped, and counted."""
_MOST_DRAWN = (64, 33, 9, 3)
"""Of a size, by attempt: smaller ones where tensors were too large."""
_USUAL_DTYPE = "float32"
_FILLS = ("normal", "normal", "normal", "integers", "zeros", "sorted", "extreme")
_ENDS = {"offsets": 2, "parts": 1}
"""Fewest numbers that reach a size."""
_LAYOUTS = ("contiguous", "contiguous", "contiguous", *(one for one in LAYOUTS if one != "expanded"))


@dataclass(frozen=True)
class Interface:
    """Hold what a function takes."""

    arguments: Mapping[str, Argument]
    """By parameter, in the order in which they are given."""
    ranges: Mapping[str, SizeRange] = field(default_factory=dict[str, SizeRange])
    """By size; 0 to 64 where there is none."""
    layouts: bool = True
    """Whether memory layouts change from call to call: then compilers may compile again."""
    usual: SizeRange = USUAL
    """What bounds a size that `ranges` does not name."""
    edges: tuple[int, ...] = ()
    """Sizes beside whose multiples sizes are drawn: a kernel's blocks."""
    dtypes: tuple[str, ...] = ()
    """What floating-point tensors of `varied` may have."""
    varied: frozenset[str] = frozenset()
    """Tensors whose dtype is drawn, one for all of them."""
    configs: int = 1
    """Most configurations of one of a kernel's autotuners."""
    most_elements: int = MOST_ELEMENTS
    """Of one tensor."""
    supports: Callable[[OwnCase], str | bool | None] | None = None
    """Say what code does not take: such calls are drawn seldom."""
    seen: tuple[OwnCase, ...] = ()
    """Calls that a program was seen to make."""
    as_seen: bool = False
    """Whether the code takes no example but one that was seen, where that has sizes of 0 or 1."""
    met_layouts: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Layouts (`MetLayout`) that tensors had in it, by argument."""
    contents: Mapping[str, tuple[Tensor, ...]] = field(default_factory=dict[str, tuple[Tensor, ...]])
    """Contents that integer tensors had in it, by argument; `recorded 3` among the fills is the one numbered so."""

    @property
    def plain_dtype(self) -> str:
        """The simplest of the dtypes that are drawn: empty, which is float32, where that is one or none is drawn."""
        return "" if not self.dtypes or _USUAL_DTYPE in self.dtypes else self.dtypes[0]

    @property
    def tensors(self) -> dict[str, TensorOf]:
        """The arguments that are tensors told by their sizes."""
        return {name: one for name, one in self.arguments.items() if isinstance(one, TensorOf)}

    @property
    def names(self) -> tuple[str, ...]:
        """Every size, those first that bound others; raise ValueError for bounds that go in a circle."""
        met = dict.fromkeys(name for one in self.tensors.values() for name in sorted(one.names))
        met |= dict.fromkeys(one.size for one in self.arguments.values() if isinstance(one, SizeItself))
        met |= dict.fromkeys(self.ranges)
        ordered: dict[str, None] = {}
        for name in met:
            self._visit(name, ordered, ())
        return tuple(ordered)

    def _visit(self, name: str, ordered: dict[str, None], above: tuple[str, ...]) -> None:
        if name in above:
            raise ValueError(f"the bounds of {name!r} go in a circle")
        for bound in _symbols(self.range(name)):
            self._visit(bound, ordered, (*above, name))
        ordered.setdefault(name)

    def range(self, name: str) -> SizeRange:
        """Return what bounds a size."""
        return self.ranges.get(name, self.usual)

    def bounds(self, name: str, others: Mapping[str, int]) -> tuple[int, int]:
        """Return the least and the greatest that a size may be beside others."""
        one = self.range(name)
        least = max(0, Size.of(one.least).value(others))
        return least, max(least, Size.of(one.most).value(others))

    def dims(self) -> dict[int, dict[int, str]]:
        """Return the changing dims of the tensors, by position: the formula of each."""
        return {
            at: {dim: str(size) for dim, size in enumerate(one.sizes) if size.constant is None}
            for at, one in enumerate(self.arguments.values())
            if isinstance(one, TensorOf)
        }

    def numbers(self, case: OwnCase) -> dict[int, int | float]:
        """Return the Python numbers of a call, by position."""
        values = self.inputs(case, "cpu").args
        return {
            at: value
            for at, value in enumerate(values)
            if isinstance(value, int | float) and not isinstance(value, bool)
        }

    def outside(self, case: OwnCase) -> str | None:
        """Return why a call is outside what was declared, or None."""
        if self.dtypes and (case.dtype or _USUAL_DTYPE) not in self.dtypes:
            return f"dtype {case.dtype or _USUAL_DTYPE}, declared {', '.join(self.dtypes)}"
        for name in self.names:
            if name not in case.sizes:
                return f"no size {name}"
            least, most = self.bounds(name, case.sizes)
            if not least <= case.sizes[name] <= most:
                return f"{name} = {case.sizes[name]}, declared from {least} to {most}"
        for name, one in self.tensors.items():
            elements = torch.Size(shape_of(one, case.sizes, case.batch)).numel()
            if (
                one.below is not None
                and elements
                and one.values in ("indices", "sorted")
                and Size.of(one.below).value(case.sizes) < 1
            ):
                return f"{name} has {elements} indices, and there is nothing to index"
            if one.values in _ENDS and one.below is not None and Size.of(one.below).value(case.sizes):
                places = one.sizes[-1].value(case.sizes) if one.sizes else 0
                if places < _ENDS[one.values]:
                    return f"{name} has no place for {one.below}"
            if elements > self._most_elements:
                return f"{name} has {elements} elements, at most {self._most_elements} are drawn"
        return None

    def unsupported(self, case: OwnCase) -> str | None:
        """Return why the code does not take a call, as its user says; None where it does."""
        said = True if self.supports is None else self.supports(case)
        return said if isinstance(said, str) else "not supported" if said is False else None

    @functools.cached_property
    def _most_elements(self) -> int:
        """Return how many a tensor may have: a little more than any that was seen."""
        shapes = ([size.value(case.sizes) for size in one.sizes] for case in self.seen for one in self.tensors.values())
        return max((self.most_elements, *(2 * torch.Size(shape).numel() for shape in shapes)))

    def inputs(self, case: OwnCase, device: str) -> Inputs:
        """Build the arguments of a call on a torch device, each from a generator of its own."""
        return Inputs(tuple(self._value(name, one, case, device) for name, one in self.arguments.items()))

    def _value(self, name: str, one: Argument, case: OwnCase, device: str) -> Any:
        match one:
            case TensorOf():
                fill = case.fills.get(name, "normal")
                values = self._recorded(name, one, case, fill)
                if values is None:
                    values = build(one, case.sizes, fill, _generator(case.seed, name), case.batch)
                if case.dtype and name in self.varied:
                    values = values.to(getattr(torch, case.dtype))
                layout = case.layouts.get(name, "contiguous")
                usual = layout in LAYOUTS
                return place(lay_out(values, layout) if usual else MetLayout.read(layout).lay_out(values), device)
            case MadeBy():
                return _made(one.make(case.sizes, _generator(case.seed, name)), name).to(device)
            case SizeItself():
                return case.sizes[one.size]
            case Drawn():
                chosen = dict(case.choices)
                return chosen[name] if name in chosen else case.numbers[name]
            case Always():
                return one.value.to(device) if isinstance(one.value, Tensor) else one.value

    def _recorded(self, name: str, one: TensorOf, case: OwnCase, fill: str) -> Tensor | None:
        """Return contents that were recorded, where a call asks for them and has the sizes for them."""
        at = fill.removeprefix("recorded ")
        if at == fill or not at.isdecimal() or int(at) >= len(self.contents.get(name, ())):
            return None
        found = self.contents[name][int(at)]
        return found.clone() if found.shape == tuple(size.value(case.sizes) for size in one.sizes) else None

    def example(self) -> OwnCase:
        """Return a call with small sizes, at least 2 and all different where they may be; like one that was seen."""
        if not self.seen:
            batch = (3,) if any(one.batched for one in self.tensors.values()) else ()
            sizes = self._telling_sizes({})
            return OwnCase(dtype=self.plain_dtype, sizes=sizes, batch=batch, **_split(self._examples()))
        seen = max(self.seen, key=_telling).model_copy(update={"layouts": {}, "fills": {}})
        kept = {name: size for name, size in seen.sizes.items() if size >= 2}
        if self.as_seen or len(kept) == len(seen.sizes):
            return seen
        found = seen.model_copy(update={"sizes": self._telling_sizes(kept)})
        return seen if self.outside(found) is not None else found

    def _telling_sizes(self, kept: Mapping[str, int]) -> dict[str, int]:
        """Return sizes from which tracing tells most: those that are kept, and others that differ from all."""
        found: dict[str, int] = {}
        for name in self.names:
            least, most = self.bounds(name, found)
            taken = {*found.values(), *kept.values()}
            free = [size for size in range(max(least, 2), most + 1) if size not in taken]
            large = [size for size in free if size >= 5]  # away from what tracing holds apart
            found[name] = kept.get(name, large[0] if large else free[-1] if free else most)
        return found

    @cached_property
    def plain_numbers(self) -> dict[str, tuple[int, ...]]:
        """Return which of 0, 1 and 2 each strategy of numbers may give, by argument."""
        drawn = {name: one.strategy for name, one in self.arguments.items() if isinstance(one, Drawn)}
        return {
            name: tuple(number for number in (0, 1, 2) if _gives(strategy, number)) for name, strategy in drawn.items()
        }

    def _examples(self) -> dict[str, Any]:
        """Return the simplest value of each strategy."""
        drawn = {name: one.strategy for name, one in self.arguments.items() if isinstance(one, Drawn)}
        return {name: find(strategy, lambda _: True) for name, strategy in drawn.items()}

    def cases(self) -> st.SearchStrategy[OwnCase]:
        """Draw a call."""
        return self._call(None)

    def workload_cases(self, first: OwnCase) -> st.SearchStrategy[OwnCase]:
        """Draw a further call: other sizes and numbers, now and then other layouts or values."""
        return self._call(first)

    def _call(self, first: OwnCase | None) -> st.SearchStrategy[OwnCase]:
        @st.composite
        def drawn(draw: st.DrawFn) -> OwnCase:
            case = one(draw)
            for _ in range(SUPPORTED_TRIES):
                if self.unsupported(case) is None:
                    break
                case = one(draw)
            return case

        def one(draw: st.DrawFn) -> OwnCase:
            tensors = list(self.tensors)
            plain = first is not None and draw(st.integers(0, 2)) > 0
            values = {name: draw(one.strategy) for name, one in self.arguments.items() if isinstance(one, Drawn)}
            found = _split(values)
            batch = self._batch(draw)
            return OwnCase(
                dtype=first.dtype if first is not None else draw(st.sampled_from(self.dtypes)) if self.dtypes else "",
                config=first.config if first is not None else draw(st.integers(0, self.configs - 1)),
                batch=batch,
                choices=found["choices"] if first is None else first.choices,
                numbers=found["numbers"] if first is None else first.numbers | _of(found["numbers"], first.numbers),
                sizes=self._sizes(draw, first, batch),
                layouts={name: draw(self._layouts(name)) for name in tensors if self.layouts and not plain},
                fills={} if plain else {name: draw(st.sampled_from(_FILLS)) for name in tensors},
                seed=draw(st.integers(0, 2**16 - 1)),
            )

        return drawn()

    def _layouts(self, name: str) -> st.SearchStrategy[str]:
        """Draw a layout, often one that was met."""
        met = self.met_layouts.get(name, ())
        return st.sampled_from((*_LAYOUTS, *met, *met))

    def _batch(self, draw: st.DrawFn) -> tuple[int, ...]:
        """Draw leading dims, where a tensor has some: none to three, the empty and the single one among them."""
        if not any(one.batched for one in self.tensors.values()):
            return ()
        return tuple(draw(st.lists(st.sampled_from((2, 1, 3, 5, 0, 17)), max_size=3)))

    def _sizes(self, draw: st.DrawFn, first: OwnCase | None, batch: tuple[int, ...]) -> dict[str, int]:
        """Draw sizes: any, or those at the ends of what is declared; or all but one as in the first call.

        Smaller ones are drawn where tensors were too large.
        """
        kept = draw(st.sampled_from(("", *self.names))) if first is not None and self.names else ""
        at_ends = first is not None and draw(st.integers(0, 2)) == 2
        found: dict[str, int] = {}
        for most in (*self._ceilings(), *_MOST_DRAWN):
            found = {}
            for name in self.names:
                least, greatest = self.bounds(name, found)
                met = [size for size in self.range(name).met if least <= size <= greatest]
                if first is not None and kept and name != kept and least <= first.sizes[name] <= greatest:
                    found[name] = first.sizes[name]
                elif at_ends:
                    ends = (least, min(least + 1, greatest), greatest if met else min(most, greatest))
                    found[name] = draw(st.sampled_from(ends))
                elif met and most == _MOST_DRAWN[0]:
                    beside = {near for size in met for near in (size - 1, size, size + 1) if least <= near <= greatest}
                    found[name] = draw(st.sampled_from(sorted(beside)) | st.integers(least, greatest))
                else:
                    greatest = max(least, min(most, greatest))
                    found[name] = draw(drawn_sizes(min_value=least, max_value=greatest, edges=self.edges))
            if self.outside(OwnCase(dtype=self.plain_dtype, sizes=found, batch=batch)) is None:
                return found
        return found

    def _ceilings(self) -> tuple[int, ...]:
        """Return sizes above the usual that are tried first: of a kernel, whose blocks may be large."""
        most = self.usual.most
        return (most, most // 4) if isinstance(most, int) and most > 64 else ()


def _telling(case: OwnCase) -> tuple[int, int, int]:
    """Order calls by what is learnt from tracing them: sizes from 2 on, all different, and small."""
    sizes = list(case.sizes.values())
    return sum(size >= 2 for size in sizes), len(set(sizes)), -sum(sizes)


def _gives(strategy: st.SearchStrategy[Any], number: int) -> bool:
    try:
        find(strategy, lambda value: value == number)
    except NoSuchExample:
        return False
    return True


def _split(values: Mapping[str, Any]) -> dict[str, Any]:
    """Tell numbers, which change from call to call, from what does not."""
    numbers = {
        name: value for name, value in values.items() if isinstance(value, int | float) and not isinstance(value, bool)
    }
    return {
        "numbers": numbers,
        "choices": tuple((name, value) for name, value in values.items() if name not in numbers),
    }


def _of(drawn: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was drawn of what a call has: a strategy may give a number at one time, None at another."""
    return {name: value for name, value in drawn.items() if name in wanted}


def _symbols(one: SizeRange) -> list[str]:
    bounds: tuple[Bound, ...] = (one.least, one.most)
    return sorted({name for bound in bounds for name in Size.of(bound).symbols})


def _generator(seed: int, name: str) -> torch.Generator:
    """Return a generator of an argument: what one draws does not move what another does."""
    return torch.Generator().manual_seed(seed ^ zlib.crc32(name.encode()))


def _made(value: Any, name: str) -> Tensor:
    if not isinstance(value, Tensor):
        raise TypeError(f"{name}: the function that makes it returned a {type(value).__name__}, not a tensor")
    return value
