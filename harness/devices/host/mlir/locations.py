"""Where in the source an operation comes from."""

import re

from eagerdiff.harness.devices.host.mlir.brackets import split

_NAMED = re.compile(r"^(#loc\d*) = loc\((.*)\)$", re.MULTILINE)
_PLACE = re.compile(r'"([^"]*)":(\d+):(\d+)')
_OF_NAME = re.compile(r'"[^"]*"\((.*)\)')
_FUSED = re.compile(r"fused(?:<.*?>)?\[(.*)\]")
UNKNOWN = "?"


class Locations:
    """Those of one module, which it lists apart from the operations."""

    def __init__(self, text: str) -> None:
        self._named: dict[str, str] = dict(_NAMED.findall(text))
        self._found: dict[str, str] = {}

    def line_of(self, location: str) -> str:
        """Return `file:line`: of a function that was inlined its own, unless nothing is known of it."""
        if location not in self._found:
            self._found[location] = self._line(location.strip())
        return self._found[location]

    def _line(self, location: str) -> str:
        if location.startswith("#"):
            return self.line_of(self._named[location]) if location in self._named else UNKNOWN
        if location.startswith("callsite("):
            callee, _, caller = location.removeprefix("callsite(")[:-1].partition(" at ")
            inner = self.line_of(callee)
            return self.line_of(caller) if inner == UNKNOWN else inner
        if place := _PLACE.match(location):
            return f"{place[1]}:{place[2]}"
        if named := _OF_NAME.fullmatch(location):
            return self.line_of(named[1])
        if fused := _FUSED.fullmatch(location):
            return self.line_of(split(fused[1])[0])
        return UNKNOWN
