"""What nobody said of one's own code, found out in eager: dtypes, what integers index, which sizes may change."""

import copy
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import torch
from torch import Tensor

from eagerdiff.strategies.cases.own_code import OwnCase
from eagerdiff.strategies.own_code.argument import USUAL, Always, Argument, Bound, SizeRange, TensorOf, Values
from eagerdiff.strategies.own_code.interface import Interface
from eagerdiff.strategies.own_code.values import shape_of
from eagerdiff.suites.own.called import Called
from eagerdiff.suites.own.examples import UNBOUNDED, Examples

MOST_TRIED = 32
"""Ways of giving some arguments integers."""
_INDEX_NAMES = ("index", "indices", "idx", "ids", "id", "labels", "target", "targets", "positions")


class Refused(ValueError):
    """Say in one line why eager takes no call of what was declared."""


@dataclass
class Inference:
    """Find out what was not said; `said` tells each finding in one line."""

    called: Called
    arguments: dict[str, Argument]
    ranges: dict[str, SizeRange] = field(default_factory=dict[str, SizeRange])
    seen: tuple[OwnCase, ...] = ()
    """Calls that a program was seen to make."""
    said: list[str] = field(default_factory=list[str])
    usual: SizeRange = USUAL
    """What bounds a size that nobody bounds."""
    _as_seen: bool = False
    """Whether eager takes no example but one of these."""
    _error: str = ""
    _examples: dict[str, Tensor] = field(default_factory=dict[str, Tensor])
    _settled: set[str] = field(default_factory=set[str])
    """Integers of which all is known that is found out; the others are 0 meanwhile."""

    @property
    def interface(self) -> Interface:
        """What is known so far."""
        return Interface(
            dict(self.arguments), dict(self.ranges), usual=self.usual, seen=self.seen, as_seen=self._as_seen
        )

    def run(self) -> Interface:
        """Return what the code takes; raise Refused where eager takes no call of it."""
        self._read_examples()
        self._as_seen = bool(self.seen) and not self._takes(self.interface.example())
        self._find_dtypes()
        for name in list(self.interface.tensors):
            self._find_bound(name)
        for name in self.interface.names:
            if name not in self.ranges:
                self._find_range(name)
            elif self.ranges[name].met:
                self._narrow(name)
        if not self._takes(self.interface.example()):
            raise Refused(f"eager refuses the example {self._told(self.interface.example())}: {self._error}")
        return self.interface

    def repeats(self) -> bool:
        """Whether two calls give the same: else random numbers are drawn."""
        example = self.interface.example()
        results: list[list[Any]] = []
        for seed in (0, 1):
            torch.manual_seed(seed)
            results.append(_leaves(self._call(self.interface, example, {})))
        return all(map(_same, *results)) if len(results[0]) == len(results[1]) else False

    def changes_state(self) -> bool:
        """Whether a call changes a module's state."""
        state = self._state()
        before = {name: tensor.clone() for name, tensor in state.items()}
        self._call(self.interface, self.interface.example(), {}, state)
        return not all(_same(before[name], state[name]) for name in state)

    def _state(self) -> dict[str, Tensor]:
        return {name: tensor.clone() for name, tensor in self.called.state.items()}

    def _call(
        self, interface: Interface, case: OwnCase, instead: Mapping[str, Any], state: dict[str, Tensor] | None = None
    ) -> Any:
        values = dict(zip(interface.arguments, interface.inputs(case, "cpu").args, strict=True)) | dict(instead)
        args = copy.deepcopy(tuple(values.values()))
        held = self._state() if state is None else state
        return self.called.reference(*args, held) if held else self.called.reference(*args)

    def _takes(self, case: OwnCase, instead: Mapping[str, Tensor] = MappingProxyType({})) -> bool:
        """Whether eager takes a call, with other values of some arguments."""
        known = self.interface
        unknown = {name for name, one in known.tensors.items() if self._is_open(one)} - self._settled - instead.keys()
        try:
            self._call(known, case, {name: self._filled(name, 0, case) for name in unknown} | dict(instead))
        except Exception as error:  # noqa: BLE001 - whatever it raises, that is the answer
            self._error = f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0][:160]}"
            return False
        return True

    def _told(self, case: OwnCase) -> str:
        return ", ".join(f"{name}={size}" for name, size in case.sizes.items()) or "call"

    # Examples.

    def _read_examples(self) -> None:
        """Find out which dims of examples may change, and what their numbers mean; named dims are as they are."""
        self._examples = dict(_examples(self.arguments))
        if not self._examples:
            return
        if not self._takes(OwnCase()):
            raise Refused(f"eager refuses the example: {self._error}")
        read = Examples.read(self._examples, lambda instead: self._takes(OwnCase(), instead))
        self.arguments |= read.arguments()
        self.ranges = read.ranges() | self.ranges
        self.said += read.said()

    # Dtypes.

    def _find_dtypes(self) -> None:
        """Give tensors without a dtype one that eager takes: float32, else int64 for some, else bool."""
        open_ones = [name for name, one in self.interface.tensors.items() if one.dtype is None]
        if not open_ones:
            return
        for count, kinds in enumerate(_kinds(open_ones)):
            for name, dtype in kinds.items():
                one = self.arguments[name]
                assert isinstance(one, TensorOf)
                self.arguments[name] = replace(one, dtype=dtype)
            zeros = {name: self._filled(name, 0) for name, dtype in kinds.items() if dtype is torch.int64}
            if self._takes(self.interface.example(), zeros):
                for name, dtype in kinds.items():
                    if dtype is not torch.float32:
                        self.said.append(f"{name}: {_name(dtype)} (eager refuses float32)")
                return
            if count >= MOST_TRIED:
                break
        raise Refused(f"eager refuses {self._told(self.interface.example())} in every dtype tried: {self._error}")

    # Integers.

    def _find_bound(self, name: str) -> None:
        """Find what integers are indices or lengths of: the size below which, or up to which, eager takes them."""
        one = self.arguments[name]
        assert isinstance(one, TensorOf)
        if not self._is_open(one):
            return
        example = self.interface.example()
        found = self._bound(name, example)
        self._settled.add(name)
        if found is None:
            return
        below, values, why = found
        sort = "ascending " if one.values == "sorted" else ""
        self.arguments[name] = replace(one, below=below, values="sorted" if sort and values == "indices" else values)
        words = f"{sort}indices below {below}" if values == "indices" else f"lengths up to {below}"
        self.said.append(f"{name}: {words} ({why})")

    def _is_open(self, one: TensorOf) -> bool:
        """Whether it is not known yet which integers a tensor may hold."""
        dtype = one.dtype
        floats = dtype is None or dtype.is_floating_point or dtype.is_complex
        return not floats and dtype is not torch.bool and one.below is None and one.values in ("any", "sorted")

    def _bound(self, name: str, example: OwnCase) -> tuple[Bound, Values, str] | None:
        """Return what bounds integers, what they are then, and what shows it; None where nothing does."""
        largest = int(self._examples[name].max()) if name in self._examples else 8
        sort = self.interface.tensors[name].values == "sorted"
        if self._takes_number(name, UNBOUNDED, example):
            if not sort and self._takes_number(name, -1, example):
                return None
            return largest + 1, "indices", "so is the example" if sort else "eager refuses -1"
        cases = (example, _larger(self.interface, example))
        kinds: tuple[tuple[int, Values], ...] = ((0, "indices"), (1, "lengths"))
        for more, values in kinds:
            for formula in self.interface.names:
                if all(self._bounded_by(name, case, case.sizes[formula] + more) for case in cases):
                    return formula, values, f"eager refuses {formula}{' + 1' if more else ''}"
        bound = self._least_refused(name, example)
        if bound is not None and self._bounded_by(name, cases[1], bound):
            return bound, "indices", f"eager refuses {bound}"
        return (largest + 1, "indices", "so is the example") if name in self._examples else None

    def _bounded_by(self, name: str, case: OwnCase, bound: int) -> bool:
        """Whether eager refuses a number, and takes the one before it."""
        return self._takes_number(name, bound - 1, case) and not self._takes_number(name, bound, case)

    def _takes_number(self, name: str, value: int, case: OwnCase) -> bool:
        """Whether eager takes a number, in all places and, beside 0, in some: equal ones may be passed over."""
        filled = self._filled(name, value, case)
        some = torch.rand(filled.shape, generator=torch.Generator().manual_seed(0)) < 0.5
        return self._takes(case, {name: filled}) and self._takes(case, {name: filled * some})

    def _least_refused(self, name: str, case: OwnCase) -> int | None:
        """Return the least number from 1 on that eager refuses; None where it refuses 0 too."""
        if not self._takes_number(name, 0, case):
            return None
        taken, refused = 0, UNBOUNDED
        while refused - taken > 1:
            middle = (taken + refused) // 2
            if self._takes_number(name, middle, case):
                taken = middle
            else:
                refused = middle
        return refused

    def _filled(self, name: str, value: int, case: OwnCase | None = None) -> Tensor:
        one = self.interface.tensors[name]
        case = case or self.interface.example()
        dtype = one.dtype or torch.float32
        if not dtype.is_floating_point and dtype is not torch.bool:
            value = min(value, torch.iinfo(dtype).max)
        return torch.full(shape_of(one, case.sizes, case.batch), value, dtype=dtype)

    # Sizes.

    def _find_range(self, name: str) -> None:
        """Find the least size that eager takes, and the greatest of those that are drawn."""
        usual, example = self.usual, self.interface.example()
        assert isinstance(usual.most, int)
        least = next((size for size in range(example.sizes[name] + 1) if self._takes_size(name, size)), None)
        if least is None:
            raise Refused(f"eager refuses {self._told(example)}: {self._error}")
        most = usual.most
        if not self._takes_size(name, most):
            taken, refused = example.sizes[name], most
            while refused - taken > 1:
                middle = (taken + refused) // 2
                taken, refused = (middle, refused) if self._takes_size(name, middle) else (taken, middle)
            most = taken
        if (least, most) != (usual.least, usual.most):
            self.ranges[name] = SizeRange(least, most)
            words = [f"from {least} on" if least else "", f"up to {most}" if most != usual.most else ""]
            self.said.append(f"{name}: {' '.join(filter(None, words))} (eager refuses what is beyond)")

    def _narrow(self, name: str) -> None:
        """Take back an end of a range that lies beyond what was met, where eager refuses it."""
        one = self.ranges[name]
        least, most = (end if self._takes_size(name, int(end)) else None for end in (one.least, one.most))
        met = replace(one, least=min(one.met) if least is None else least, most=max(one.met) if most is None else most)
        self.ranges[name] = met

    def _takes_size(self, name: str, size: int) -> bool:
        """Whether eager takes a size beside the example's; nothing indexes what is empty."""
        example = self.interface.example()
        sizes = example.sizes | {name: size}
        for one in self.interface.tensors.values() if size == 0 else ():
            if one.below == name:
                sizes |= {own: 0 for own in (str(formula) for formula in one.sizes) if own in sizes and own != name}
        return self._takes(example.model_copy(update={"sizes": sizes}))


def _kinds(names: list[str]) -> Iterator[dict[str, torch.dtype]]:
    """Return dtypes to try: floats, then integers, first for those that are called like indices, then masks."""
    likely = sorted(names, key=lambda name: not any(word in _INDEX_NAMES for word in name.lower().split("_")))
    for dtype in (torch.int64, torch.bool):
        for count in range(0 if dtype is torch.int64 else 1, len(names) + 1):
            for chosen in itertools.combinations(likely, count):
                yield {name: dtype if name in chosen else torch.float32 for name in names}


def _examples(arguments: Mapping[str, Argument]) -> Iterator[tuple[str, Tensor]]:
    for name, one in arguments.items():
        if isinstance(one, Always) and isinstance(one.value, Tensor):
            yield name, one.value


def _larger(interface: Interface, case: OwnCase) -> OwnCase:
    """Return a call with other sizes, where bounds let them be others."""
    sizes: dict[str, int] = {}
    for name in interface.names:
        least, most = interface.bounds(name, sizes)
        sizes[name] = min(max(case.sizes[name] + 2, least), most)
    return case.model_copy(update={"sizes": sizes})


def _name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _leaves(value: Any) -> list[Any]:
    from torch.utils import _pytree as pytree

    return pytree.tree_leaves(value)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, Tensor) and isinstance(other, Tensor):
        return one.shape == other.shape and torch.equal(torch.nan_to_num(one), torch.nan_to_num(other))
    return bool(one == other or one != one)
