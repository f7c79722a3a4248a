"""What launches reached of kernels: runs of their loops, their branches, and what their masks let through."""

import linecache
from collections.abc import Mapping, Sequence
from typing import Any

from eagerdiff.harness.model.kernel_coverage import TRIPS, Places

_LONGEST = 60
"""Characters of source in the name of a place."""


class Coverage:
    """Hold what was reached of all kernels since the process began."""

    def __init__(self) -> None:
        self._known: dict[str, Places] = {}
        self._changed: dict[str, set[str]] = {}
        self._seen: dict[tuple[int, int], int] = {}
        """By what was launched and how many programs: the marks that were set, as bits."""

    def add(
        self,
        kernel: str,
        marks: Sequence[tuple[str, str, str]],
        reached: bytes,
        constants: Mapping[str, Any],
        programs: int,
    ) -> None:
        """Note one launch: which marks were set, the constants that it was compiled for, and how many programs."""
        key, bits = (id(marks), min(programs, len(TRIPS) - 1)), int.from_bytes(reached, "little")
        known = self._seen.get(key)
        if known is not None and known | bits == known:
            return
        self._seen[key] = bits if known is None else known | bits
        for (line, what, state), met in zip(marks, reached, strict=True):
            self._note(kernel, place_of(line, what), state, met != 0)
        for name, value in constants.items():
            self._note(kernel, f"constexpr {name}", str(value), met=True)
            if isinstance(value, bool):
                self._note(kernel, f"constexpr {name}", str(not value), met=False)
        for at, state in enumerate(TRIPS[1:], start=1):
            self._note(kernel, "programs", state, min(programs, len(TRIPS) - 1) == at)

    def news(self) -> dict[str, Places]:
        """Return what was not told yet."""
        found = {
            kernel: {place: dict(self._known[kernel][place]) for place in sorted(places)}
            for kernel, places in self._changed.items()
        }
        self._changed = {}
        return found

    def _note(self, kernel: str, place: str, state: str, met: bool) -> None:
        states = self._known.setdefault(kernel, {}).setdefault(place, {})
        if state not in states or (met and not states[state]):
            states[state] = met
            self._changed.setdefault(kernel, set()).add(place)


def place_of(line: str, what: str) -> str:
    """Name a place by its line: `line 66: if key < end`, `line 70, mask: tl.load(…)`."""
    file, _, number = line.rpartition(":")
    text = linecache.getline(file, int(number)).strip().removesuffix(":") if number.isdigit() else what
    text = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return f"line {number}{', mask' if what == 'mask' else ''}: {text}"
