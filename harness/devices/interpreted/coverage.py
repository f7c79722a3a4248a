"""Coverage: which branches of kernels' source were taken, how often loops ran, and what kernels were called with."""

import ast
import types
from collections.abc import Mapping
from typing import Any

from eagerdiff.harness.model.kernel_coverage import TRIPS, Places

REACHED, COUNTED = "__eagerdiff_reached", "__eagerdiff_counted"
"""What rewritten source calls the marks of its function, and its loops' counters."""
_LONGEST = 60
"""Characters of source in the name of a place."""
_MOST = len(TRIPS) - 1


class Reach:
    """Hold what was reached of one function."""

    def __init__(self) -> None:
        self.states: dict[str, tuple[str, ...]] = {}
        """Place → its states, in order; places are numbered so."""
        self.marks: set[tuple[int, int]] = set()
        """Number of a place and of its state."""
        self.counters: dict[int, int] = {}
        """Number of a loop → how often it has run this time."""
        self.values: dict[str, dict[str, bool]] = {}
        """What it was called with."""

    def number(self, place: str, states: tuple[str, ...]) -> int:
        """Return the number of a place, which is new."""
        self.states[place] = states
        return len(self.states) - 1

    def call(self, constants: Mapping[str, Any], programs: int) -> None:
        """Note a launch: constants by name, and how many programs."""
        for name, value in constants.items():
            states = self.values.setdefault(f"constexpr {name}", {})
            if isinstance(value, bool):
                states.setdefault(str(not value), False)
            states[str(getattr(value, "value", value))] = True
        if programs:  # a GPU refuses a launch of none
            counted = self.values.setdefault("programs", dict.fromkeys(TRIPS[1:], False))
            counted[TRIPS[min(programs, _MOST)]] = True

    def choose(self, configuration: str, among: int) -> None:
        """Note what an autotuner chose, and how many configurations there are, those for other hardware included."""
        self.values.setdefault(f"configuration, of {among}", {})[configuration] = True

    @property
    def places(self) -> Places:
        """What there is of the source, and what was reached of it."""
        found = {
            place: {state: (number, index) in self.marks for index, state in enumerate(states)}
            for number, (place, states) in enumerate(self.states.items())
        }
        return found | {place: dict(states) for place, states in self.values.items()}


class Coverage:
    """Hold what was reached of all functions since the process began."""

    def __init__(self) -> None:
        self._reaches: dict[str, Reach] = {}
        self._told: dict[str, Places] = {}

    def of(self, function: types.FunctionType) -> Reach:
        """Return what is noted of a function, by its name; Triton's own are not told of."""
        if function.__module__.startswith("triton."):
            return Reach()
        return self._reaches.setdefault(function.__name__, Reach())

    def news(self) -> dict[str, Places]:
        """Return what was not told yet."""
        news: dict[str, Places] = {}
        for name, reach in self._reaches.items():
            places = reach.places
            told = self._told.get(name, {})
            changed = {place: states for place, states in places.items() if told.get(place) != states}
            if changed:
                news[name] = changed
            self._told[name] = places
        return news


def label(definition: ast.FunctionDef, first: int) -> None:
    """Name the branches and loops of a function, whose source begins at line `first`, before they are rewritten."""
    for node in ast.walk(definition):
        if isinstance(node, ast.If | ast.While):
            kind = "if" if isinstance(node, ast.If) else "while"
            node.__dict__[REACHED] = _place(node, first, f"{kind} {ast.unparse(node.test)}")
        elif isinstance(node, ast.For):
            node.__dict__[REACHED] = _place(node, first, f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}")


def _place(node: ast.stmt, first: int, text: str) -> str:
    text = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return f"line {node.lineno + first - 1}: {text}"


class Marker(ast.NodeTransformer):
    """Put marks into the branches of a labelled function, and counters into its loops."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    def visit_If(self, node: ast.If) -> ast.If:
        number = self._reach.number(node.__dict__[REACHED], ("taken", "not taken"))
        self.generic_visit(node)
        node.body.insert(0, _statement(f"{REACHED}.add(({number}, 0))"))
        node.orelse.insert(0, _statement(f"{REACHED}.add(({number}, 1))"))
        return node

    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        return self._loop(node)

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        return self._loop(node)

    def _loop(self, node: ast.For | ast.While) -> list[ast.stmt]:
        number = self._reach.number(node.__dict__[REACHED], TRIPS)
        self.generic_visit(node)
        node.body.insert(0, _statement(f"{COUNTED}[{number}] += 1"))
        ended = f"{REACHED}.add(({number}, {COUNTED}[{number}] if {COUNTED}[{number}] < {_MOST} else {_MOST}))"
        return [_statement(f"{COUNTED}[{number}] = 0"), node, _statement(ended)]


def _statement(source: str) -> ast.stmt:
    return ast.parse(source).body[0]
