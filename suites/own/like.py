"""Arguments as a recording says them: what one function was called with, as what is drawn, and the calls themselves."""

import itertools
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor, nn

from eagerdiff import RecordedCall, RecordedFunction, RecordedTensor, Recording, Workload, read_recording
from eagerdiff.strategies.cases.own_code import OwnCase
from eagerdiff.strategies.own_code.argument import Always, Argument, Drawn, SizeItself, SizeRange, TensorOf
from eagerdiff.strategies.own_code.interface import Interface
from eagerdiff.strategies.own_code.recorded_layouts import MetLayout
from eagerdiff.suites.own.met_sizes import Naming, Place, name_sizes

MOST_KINDS = 4
"""Kinds of calls of one function that are checked, each by itself: other ranks, dtypes or options."""
MOST_REPLAYED = 48
"""Calls of a kind that are replayed."""
LONGEST = 12
"""Calls of one workload."""
LARGEST = 1 << 22
"""Elements of the largest tensor that is replayed."""
_LARGEST_SIZE = 1 << 20
"""A greater integer is a number, not a size."""


class Unlike(ValueError):
    """Say in one line why a recording says nothing of some code, or what of it cannot be made again."""


@dataclass
class Like:
    """Hold one kind of a function's calls; with none, nothing is known of them."""

    calls: list[RecordedCall]
    """Each different one once."""
    order: list[int]
    """The calls as they were made, runs of equal ones as one."""
    said: list[str] = field(default_factory=list[str])
    gradients: bool = False
    training: bool = False
    arguments: dict[str, Argument] = field(default_factory=dict[str, Argument])
    ranges: dict[str, SizeRange] = field(default_factory=dict[str, SizeRange])
    naming: Naming = field(default_factory=Naming)

    @property
    def seen(self) -> tuple[OwnCase, ...]:
        """The calls as cases, where their sizes have names."""
        if not self.naming.bases:
            return ()
        return tuple(
            OwnCase(sizes={name: sizes[at] for name, sizes in self.naming.bases.items()}, **self._numbers(call))
            for at, call in enumerate(self.calls)
        )

    def _numbers(self, call: RecordedCall) -> dict[str, Any]:
        drawn = [name for name, one in self.arguments.items() if isinstance(one, Drawn)]
        return {"numbers": {name: call.arguments[name] for name in drawn}} if drawn else {}

    def met(self, interface: Interface) -> Interface:
        """Return what a function takes with what was met: calls, layouts, contents, and bounds of integers."""
        arguments = dict(interface.arguments)
        for name, one in interface.tensors.items():
            told = [tensor for tensor in self._tensors(name) if tensor.most is not None]
            if one.below is None and told and min(tensor.least or 0 for tensor in told) >= 0:
                bound = max(tensor.most or 0 for tensor in told) + 1
                arguments[name] = TensorOf(one.shape, one.dtype, "indices", bound)
                self.said.append(f"{name}: integers below {bound} (the greatest in the recording)")
        contents = {name: tuple(_contents(self._tensors(name))) for name in interface.tensors}
        found = replace(
            interface,
            arguments=arguments,
            met_layouts={name: tuple(_layouts(self._tensors(name))) for name in interface.tensors},
            contents={name: kept for name, kept in contents.items() if kept},
        )
        cases = [self._case(found, call) for call in self.calls]
        return replace(found, seen=tuple(cases))

    def _case(self, interface: Interface, call: RecordedCall) -> OwnCase:
        """Return a call as a case: sizes, layouts, contents."""
        sizes: dict[str, int] = {}
        layouts: dict[str, str] = {}
        fills: dict[str, str] = {}
        for name, one in interface.arguments.items():
            value = call.arguments.get(name)
            if isinstance(one, SizeItself) and isinstance(value, int):
                sizes[one.size] = value
            elif isinstance(one, TensorOf) and isinstance(value, RecordedTensor):
                plain = {str(size): found for size, found in zip(one.shape, value.tensor, strict=True)}
                sizes |= {formula: found for formula, found in plain.items() if formula in interface.names}
                if not (layout := _layout(value)).contiguous:
                    layouts[name] = str(layout)
                if value.values is not None and name in interface.contents:
                    kept = interface.contents[name]
                    at = next(at for at, one in enumerate(kept) if _same(one, value))
                    fills[name] = f"recorded {at}"
        return OwnCase(sizes=sizes, layouts=layouts, fills=fills, **self._numbers(call))

    def _tensors(self, name: str) -> list[RecordedTensor]:
        values = (call.arguments[name] for call in self.calls)
        return [value for value in values if isinstance(value, RecordedTensor)]

    def workloads(self, interface: Interface) -> tuple[Workload[OwnCase], ...]:
        """Return the calls as they were made, in workloads, as many as are replayed."""
        kept = list(_kept(self.order, interface.seen))
        cases = [interface.seen[number] for number in kept]
        if len(set(kept)) < len(self.calls):
            self.said.append(f"replayed: {len(set(kept))} of {len(self.calls)} different calls, sizes at the ends too")
        return tuple(Workload(tuple(chunk)) for chunk in _chunks(cases, LONGEST))


def likes(function: RecordedFunction) -> tuple[list[Like], list[str]]:
    """Return the kinds of a function's calls that can be made again, the most frequent first, and what cannot.

    Raises Unlike where none can.
    """
    kinds: dict[Any, list[int]] = defaultdict(list)
    left: Counter[str] = Counter()
    times: Counter[int] = Counter()
    for number, count in function.order:
        times[number] += count
    for number, call in enumerate(function.calls):
        try:
            kinds[_kind(call)].append(number)
        except Unlike as error:
            left[str(error)] += 1
    ordered = sorted(kinds.values(), key=lambda numbers: -sum(times[number] for number in numbers))
    said = [f"not made again: {count} different calls: {reason}" for reason, count in left.items()]
    if len(ordered) > MOST_KINDS:
        said.append(f"not made again: {sum(map(len, ordered[MOST_KINDS:]))} different calls of rarer kinds")
    if not ordered:
        raise Unlike(next(iter(left), "no call of it is recorded"))
    order = list(function.in_order())
    return [_like(function, numbers, order) for numbers in ordered[:MOST_KINDS]], said


def _like(function: RecordedFunction, numbers: list[int], order: Iterable[int]) -> Like:
    calls = [function.calls[number] for number in numbers]
    at = {number: place for place, number in enumerate(numbers)}
    places = [at[number] for number in order if number in at]
    found = Like(calls, [number for number, _ in itertools.groupby(places)] or list(range(len(calls))))
    found.training = calls[0].training
    found.gradients = calls[0].grad and (
        found.training if function.kind == "module" else any(_wants_gradient(call) for call in calls)
    )
    found.naming = name_sizes(dict(_places(calls)), [])
    for name in calls[0].arguments:
        found.arguments[name] = _argument(name, calls, found.naming)
    for name, sizes in found.naming.bases.items():
        met = tuple(sorted(set(sizes)))
        found.ranges[name] = SizeRange(max(0, met[0] - 1), met[-1] + 1, met)
    shown = [f"{name} {min(sizes)}…{max(sizes)}" for name, sizes in found.naming.bases.items()]
    what = f"as recorded: {len(calls)} different calls of {function.called}, replayed first"
    found.said.append(what + (f"; what changes: {', '.join(shown)}" if shown else ""))
    return found


def _wants_gradient(call: RecordedCall) -> bool:
    return any(isinstance(value, RecordedTensor) and value.requires_grad for value in call.arguments.values())


def _kind(call: RecordedCall) -> Any:
    """Return what calls must have in common to be calls of one workload; raise Unlike where one cannot be made."""
    return call.training, call.grad, tuple((name, _kind_of(name, value)) for name, value in call.arguments.items())


def _kind_of(name: str, value: Any) -> Any:
    if isinstance(value, RecordedTensor):
        if value.layout != "strided":
            raise Unlike(f"{name} has the layout {value.layout}")
        if torch.Size(value.tensor).numel() > LARGEST:
            raise Unlike(f"{name} has more than {LARGEST} elements")
        return "tensor", len(value.tensor), _dtype(name, value.dtype), value.requires_grad
    if isinstance(value, bool | str) or value is None:
        return "same", value
    if isinstance(value, int | float):
        return type(value)
    constant = _constant(name, value)
    return "same", repr(constant)


def _constant(name: str, value: Any) -> Any:
    """Return a value that no tensor is in; raise Unlike for any other."""
    kind = type(value).__name__
    if kind == "RecordedDType":
        return _dtype(name, value.dtype)
    if kind == "RecordedTuple":
        return tuple(_constant(name, item) for item in value.tuple)
    if kind == "RecordedList":
        return [_constant(name, item) for item in value.list]
    if kind == "RecordedMapping":
        return {key: _constant(name, item) for key, item in value.mapping.items()}
    if kind == "RecordedObject":
        raise Unlike(f"{name} is {value.object}, of which only the type is recorded")
    if isinstance(value, RecordedTensor):
        raise Unlike(f"{name} holds tensors in a list, a tuple or a dict")
    return value


def _dtype(name: str, text: str) -> torch.dtype:
    found = getattr(torch, text, None)
    if not isinstance(found, torch.dtype):
        raise Unlike(f"{name} has the dtype {text[:40]}, which this torch has not")
    return found


def _places(calls: Sequence[RecordedCall]) -> Iterator[tuple[Place, tuple[int, ...]]]:
    for name, value in calls[0].arguments.items():
        values: list[Any] = [call.arguments[name] for call in calls]
        if isinstance(value, RecordedTensor):
            for dim in range(len(value.tensor)):
                yield (name, dim), tuple(one.tensor[dim] for one in values)
        elif isinstance(value, int) and not isinstance(value, bool) and _are_sizes(values):
            yield (name, -1), tuple(values)


def _are_sizes(values: Sequence[Any]) -> bool:
    return all(0 <= value <= _LARGEST_SIZE for value in values)


def _argument(name: str, calls: Sequence[RecordedCall], naming: Naming) -> Argument:
    values: list[Any] = [call.arguments[name] for call in calls]
    first = values[0]
    if isinstance(first, RecordedTensor):
        dtype = _dtype(name, first.dtype)
        if not naming.bases:
            return Always(_example(first, dtype))
        shape = tuple(naming.formulas.get((name, dim), size) for dim, size in enumerate(first.tensor))
        return TensorOf(shape, dtype)
    if (name, -1) in naming.formulas:
        return SizeItself(naming.formulas[name, -1])
    if isinstance(first, int | float) and not isinstance(first, bool) and len(set(values)) > 1:
        return Drawn(st.sampled_from(sorted(set(values))))
    return Always(_constant(name, first))


def _example(told: RecordedTensor, dtype: torch.dtype) -> Tensor:
    """Return a tensor as one was recorded, contiguous: with its contents, else with values of the same kind."""
    if told.values is not None and len(told.values) == torch.Size(told.tensor).numel():
        return torch.tensor(told.values).reshape(told.tensor).to(dtype)
    generator = torch.Generator().manual_seed(0)
    if dtype.is_floating_point or dtype.is_complex:
        return torch.randn(told.tensor, generator=generator).to(dtype)
    most = 1 if told.most is None else told.most
    return torch.randint(min(told.least or 0, most), most + 1, told.tensor, generator=generator).to(dtype)


def _layout(told: RecordedTensor) -> MetLayout:
    strides = told.strides if told.strides is not None else torch.empty(told.tensor, device="meta").stride()
    return MetLayout.of(told.tensor, strides, told.offset)


def _layouts(tensors: Iterable[RecordedTensor]) -> Iterator[str]:
    met = dict.fromkeys(_layout(one) for one in tensors)
    yield from (str(one) for one in met if not one.contiguous)


def _contents(tensors: Iterable[RecordedTensor]) -> Iterator[Tensor]:
    """Return the different contents of one argument."""
    kept: list[Tensor] = []
    for one in tensors:
        if one.values is None or len(one.values) != torch.Size(one.tensor).numel():
            continue
        if not any(_same(other, one) for other in kept):
            kept.append(torch.tensor(one.values).reshape(one.tensor).to(getattr(torch, one.dtype)))
    yield from kept


def _same(tensor: Tensor, told: RecordedTensor) -> bool:
    return tuple(tensor.shape) == told.tensor and [int(one) for one in tensor.reshape(-1)] == list(told.values or ())


def _kept(order: Sequence[int], seen: Sequence[OwnCase]) -> Iterator[int]:
    """Return the calls that are replayed, in order: no call more than twice, and of many those that tell most."""
    met: Counter[int] = Counter()
    short: list[int] = []
    for number in order:
        met[number] += 1
        if met[number] <= 2:
            short.append(number)
    if len(short) <= MOST_REPLAYED:
        yield from short
        return
    ends: set[int] = set()
    for name in seen[0].sizes:
        by_size = sorted(range(len(seen)), key=lambda at, name=name: seen[at].sizes[name])
        ends |= {by_size[0], by_size[-1]}
    wanted = {*short[:LONGEST], *ends}
    step = len(short) / MOST_REPLAYED
    places = {int(at * step) for at in range(MOST_REPLAYED)}
    chosen = [number for at, number in enumerate(short) if number in wanted or at in places]
    yield from itertools.islice(dict.fromkeys(chosen), MOST_REPLAYED + len(ends))


def _chunks(cases: Sequence[OwnCase], size: int) -> Iterator[Sequence[OwnCase]]:
    for at in range(0, len(cases), size):
        yield cases[at : at + size]


def recorded(like: str | Path | Recording, code: Any) -> RecordedFunction:
    """Return what a recording holds of a function or a module; raise Unlike where that is nothing."""
    recording = like if isinstance(like, Recording) else read_recording(Path(like))
    named = type(code) if isinstance(code, nn.Module) else code
    qualname, home = getattr(named, "__qualname__", ""), getattr(named, "__module__", "")
    alike = [one for one in recording.functions if one.name.rpartition(":")[2] == qualname and one.kind != "kernel"]
    exact = [one for one in alike if one.name == f"{home}:{qualname}"]
    file = getattr(sys.modules.get(home), "__file__", None)
    beside = [one for one in alike if file and Path(one.file).name == Path(file).name]
    found = exact or beside or alike
    if not found:
        names = ", ".join(one.name for one in recording.functions[:8]) or "nothing"
        raise Unlike(f"no call of {qualname or type(code).__name__} is recorded: there is {names}")
    if len(found) > 1:
        raise Unlike(f"several functions called {qualname} are recorded: {', '.join(one.name for one in found)}")
    return found[0]
