"""Covering: the features of an operator's calls, any two values of which are to meet in some call."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Generic

from eagerdiff.harness.model.case import CaseT

Pair = tuple[str, str]
"""Two settings (`dtype=float32`), in the order of the features."""


_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_ABSENT = "-"


def _nothing(two: Mapping[str, str]) -> bool:
    return False


@dataclass(frozen=True, kw_only=True, eq=False)
class Covering(Generic[CaseT]):
    """Name the features of a call (pairwise testing: NIST SP 800-142).

    Most defects that need more than one feature need two (a layout and a dtype, a number of tiles and a mask), and two
    rare ones seldom meet in independent draws.
    """

    features: Mapping[str, Sequence[str]]
    """Feature → its values, the usual one first."""
    of: Callable[[CaseT], Mapping[str, str]]
    """Return the features of a call, each with one of its values."""
    excludes: Callable[[Mapping[str, str]], bool] = _nothing
    """Return whether two features, given with their values, do not go together: by the contract, or by what a machine
    holds."""

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Pairs of settings that go together."""
        return self._pairs(together=True)

    @cached_property
    def excluded(self) -> tuple[Pair, ...]:
        """Pairs of settings that do not."""
        return self._pairs(together=False)

    def _pairs(self, *, together: bool) -> tuple[Pair, ...]:
        return tuple(
            (self.setting(one, first), self.setting(other, second))
            for one, other in combinations(self.features, 2)
            for first in self.features[one]
            for second in self.features[other]
            if self.excludes({one: first, other: second}) is not together
        )

    def settings(self, case: CaseT) -> tuple[str, ...]:
        """Return what a call has, a text a feature, in the order of the features.

        Raises ValueError for a feature or a value that is not declared.
        """
        found = self._declared(case)
        return tuple(self.setting(name, found[name]) for name in self.features if name in found)

    def code(self, case: CaseT) -> str:
        """Return what a call has in a short form: a character a feature; raises as `settings` does."""
        found = self._declared(case)
        return "".join(
            _DIGITS[values.index(found[name])] if name in found else _ABSENT for name, values in self.features.items()
        )

    def _declared(self, case: CaseT) -> Mapping[str, str]:
        found = self.of(case)
        for name, value in found.items():
            if value not in self.features.get(name, ()):
                raise ValueError(f"feature {name!r} of {type(case).__name__} has no value {value!r}")
        return found

    def decode(self, code: str) -> tuple[str, ...]:
        """Return the settings of a code; nothing for one that is not of these features."""
        if len(code) != len(self.features):
            return ()
        numbers = [(_DIGITS.find(digit), name) for digit, name in zip(code, self.features, strict=True)]
        return tuple(
            self.setting(name, self.features[name][number])
            for number, name in numbers
            if 0 <= number < len(self.features[name])
        )

    @staticmethod
    def setting(feature: str, value: str) -> str:
        """Return a feature and its value as text."""
        return f"{feature}={value}"


def covering_from(features: Mapping[str, Sequence[str]], excluded: Iterable[Pair]) -> Covering[Any]:
    """Return what is declared elsewhere, from its features and what it excludes; it cannot tell what a call has."""
    known = frozenset(excluded)

    def excludes(two: Mapping[str, str]) -> bool:
        one, other = (Covering.setting(name, value) for name, value in two.items())
        return (one, other) in known

    def of(case: Any) -> Mapping[str, str]:
        raise NotImplementedError("features of a call are told where it is drawn")

    return Covering(features=features, of=of, excludes=excludes)
