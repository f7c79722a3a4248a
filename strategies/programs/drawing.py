"""Drawing programs: operation after operation, well-typed by construction, inputs made where none fits."""

from collections.abc import Iterator, Sequence
from typing import Any

from hypothesis import strategies as st

from eagerdiff.strategies.programs.inference import apply, floors, infer
from eagerdiff.strategies.programs.operation import Context, IllTyped, Operand, Operation
from eagerdiff.strategies.programs.program import Input, Node, Program
from eagerdiff.strategies.programs.rendering import read_by_value
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.table import BY_FAMILY, OPERATIONS
from eagerdiff.strategies.programs.value_type import Kind, Type

MOST_INPUTS = 6
ATTEMPTS = 8
"""Operations tried for one place in a program before the place is left empty."""
SYMBOLS = "abc"
FIXED = (4, 1, 2, 3, 8)
"""Sizes that do not change from call to call."""
DTYPES: dict[Kind, tuple[str, ...]] = {
    "float": ("float32", "float32", "bfloat16", "float16", "float64"),
    "int": ("int64", "int32", "uint8"),
    "bool": ("bool",),
    "complex": ("complex64",),
}


class DrawnChoices:
    """Draw attributes from Hypothesis."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def flag(self) -> bool:
        """Draw a boolean."""
        return self.draw(st.booleans())

    def integer(self, least: int, most: int) -> int:
        """Draw an integer in [least, most]."""
        return self.draw(st.integers(least, most))

    def number(self) -> float:
        """Draw a float that a user would write."""
        return self.draw(st.sampled_from((1.0, 0.5, 2.0, -1.0, 0.0, 3.0, -0.25, 10.0)))

    def pick(self, options: Sequence[Any]) -> Any:
        """Draw one of the options."""
        return self.draw(st.sampled_from(tuple(options)))

    def dim(self, value: Type) -> int:
        """Draw a dim of a tensor, negative ones too; raise IllTyped where it has none."""
        if not value.ndim:
            raise IllTyped("no dims")
        return self.draw(st.integers(-value.ndim, value.ndim - 1))

    def dims(self, value: Type) -> tuple[int, ...]:
        """Draw distinct dims of a tensor, at least one, in order; raise IllTyped where it has none."""
        if not value.ndim:
            raise IllTyped("no dims")
        drawn = self.draw(st.sets(st.integers(0, value.ndim - 1), min_size=1, max_size=value.ndim))
        return tuple(sorted(drawn))


class Builder:
    """Grow a program; what does not fit leaves it as it was."""

    def __init__(self, draw: st.DrawFn, *, gradients: bool = False) -> None:
        self.draw = draw
        self.choices = DrawnChoices(draw)
        self.gradients = gradients
        self.inputs: list[Input] = []
        self.nodes: list[Node] = []
        self.types: list[tuple[tuple[str, int], Type]] = []
        """Values by (`in`, number of the input) or (`out`, number of the result)."""
        self.context = Context()
        self.results = 0

    def add(self, operation: Operation) -> bool:
        """Apply an operation to values that are there, or to new inputs; return whether it fitted."""
        before = len(self.inputs), len(self.types), len(self.context.needs), self.context.unbacked
        try:
            self._add(operation)
        except IllTyped:
            inputs, types, needs, self.context.unbacked = before
            del self.inputs[inputs:], self.types[types:], self.context.needs[needs:]
            return False
        return True

    def _add(self, operation: Operation) -> None:
        if self.gradients and (not operation.gradients or operation.writes):
            raise IllTyped("not where gradients are taken")
        chosen: list[int] = []
        for operand in operation.operands:
            for _ in range(1 + (self.choices.integer(0, operand.variadic) if operand.variadic else 0)):
                chosen.append(self._operand(operand, [self.types[index][1] for index in chosen]))
        types = [self.types[index][1] for index in chosen]
        node = Node(op=operation.name, args=tuple(chosen), attrs=dict(operation.attrs(self.choices, *types)))
        found = apply(node, [value for _, value in self.types], self.context)
        floors(self._symbols(), self.context.needs)
        self.nodes.append(node)
        for value in found:
            self.types.append((("out", self.results), value))
            self.results += 1

    def _operand(self, operand: Operand, earlier: list[Type]) -> int:
        if operand.matching is not None:
            wanted = operand.matching(self.choices, *earlier)
            fitting = [index for index, (_, value) in enumerate(self.types) if _serves(value, wanted)]
            return self._pick(fitting, operand, wanted)
        fitting = [index for index, (_, value) in enumerate(self.types) if operand.accepts(value)]
        return self._pick(fitting, operand, None)

    def _pick(self, fitting: list[int], operand: Operand, wanted: Type | None) -> int:
        fresh = not fitting or (len(self.inputs) < 3 and self.choices.integer(0, 4) == 4)
        if not fresh:
            # Later values first: chains find more than stars.
            return fitting[-1 - self.choices.integer(0, len(fitting) - 1)]
        if len(self.inputs) >= MOST_INPUTS:
            if fitting:
                return fitting[-1]
            raise IllTyped("too many inputs")
        made = self._free(operand) if wanted is None else input_for(wanted)
        self.inputs.append(made)
        self.types.append((("in", len(self.inputs) - 1), made.type))
        return len(self.types) - 1

    def _free(self, operand: Operand) -> Input:
        low, high = operand.ndim
        kinds = [kind for kind in ("float", "float", "float", "int", "bool", "complex") if kind in operand.kinds]
        dtype = self.choices.pick(DTYPES[self.choices.pick(kinds)])
        ndim = min(max(self.choices.pick((2, 1, 3, 2, 4, 0)), low), high)
        made = Input(dtype=dtype, shape=tuple(self._size() for _ in range(ndim)))
        if not operand.accepts(made.type):
            raise IllTyped("a new input does not fit")
        return made

    def _size(self) -> int | str:
        known = [name for name in SYMBOLS if name in self._symbols()]
        new = SYMBOLS[len(known)] if len(known) < len(SYMBOLS) else known[-1]
        form = self.choices.pick(("known", "new", "fixed", "known", "new", "sum"))
        if form == "fixed":
            return self.choices.pick(FIXED)
        name = self.choices.pick(known) if form == "known" and known else new
        return f"{name}+1" if form == "sum" else name

    def _symbols(self) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for made in self.inputs:
            for size in (*made.shape, *(() if made.below is None else (made.below,))):
                found |= dict.fromkeys(sorted(Size.of(size).symbols))
        return tuple(found)

    def program(self) -> Program:
        """Return what was built, inputs numbered first, with what nothing else uses as outputs.

        Nothing is dead code, nor used for its sizes alone: a compiler may drop that, and an exception with it.
        """
        order = {}
        for index, ((place, number), _) in enumerate(self.types):
            order[index] = number if place == "in" else len(self.inputs) + number
        nodes = tuple(node.model_copy(update={"args": tuple(order[at] for at in node.args)}) for node in self.nodes)
        used = {value for node in nodes for value in read_by_value(node)}
        values = {order[index]: value for index, (_, value) in enumerate(self.types)}
        results = range(len(self.inputs), len(self.inputs) + self.results)
        outputs = tuple(value for value in results if value not in used and not values[value].plain)
        if not outputs:
            outputs = tuple(value for value in results if not values[value].plain)[-1:]
        return Program(inputs=tuple(self.inputs), nodes=nodes, outputs=outputs, gradients=self.gradients)


def input_for(wanted: Type) -> Input:
    """Return the input that has a type; raise IllTyped for sizes that no input can have."""
    if wanted.plain:
        if wanted.number is not None and wanted.dtype == "int64":
            return Input(kind="int", dtype="int64", shape=(plain_size(wanted.number),))
        return (
            Input(kind="int", dtype="int64", shape=("k",))
            if wanted.dtype == "int64"
            else Input(kind="float", dtype="float64")
        )
    below = None if wanted.below is None else plain_size(wanted.below)
    return Input(dtype=wanted.dtype, shape=tuple(map(plain_size, wanted.shape)), below=below)


def plain_size(size: Size) -> int | str:
    """Return a size as an input's may be written; raise IllTyped for quotients and for what depends on data."""
    if size.constant is not None:
        return size.constant
    text = str(size).replace(" ", "")
    if size.depends_on_data or any(mark in text for mark in "(-%/"):
        raise IllTyped(f"no input has the size {size}")
    return text


def _serves(value: Type, wanted: Type) -> bool:
    if wanted.plain or value.plain:
        return wanted.plain and value.plain and value.dtype == wanted.dtype and wanted.number in (None, value.number)
    bounded = wanted.below is None or value.below == wanted.below
    return value.dtype == wanted.dtype and value.shape == wanted.shape and bounded


@st.composite
def programs(
    draw: st.DrawFn, *, most: int = 8, families: Sequence[str] = (), only: str = "", gradients: bool | None = None
) -> Program:
    """Draw a well-typed program of 1 to `most` operations; `only` names the one operation it holds besides inputs."""
    with_gradients = (draw(st.integers(0, 4)) == 4) if gradients is None else gradients
    builder = Builder(draw, gradients=with_gradients)
    # Few defects need more than one operation, and compiling takes as long as a program is: most are short.
    wanted = 1 if only else min(draw(st.integers(1, most)), draw(st.integers(1, most)))
    for _ in range(wanted):
        any(builder.add(operation) for operation in _candidates(draw, families, only))
    if not builder.nodes:
        builder.gradients = False
        any(builder.add(OPERATIONS[only or "neg"]) for _ in range(ATTEMPTS))
    return builder.program()


def _candidates(draw: st.DrawFn, families: Sequence[str], only: str) -> Iterator[Operation]:
    """Draw operations to try: the family first, so that a large one does not crowd out the rest."""
    for _ in range(ATTEMPTS):
        family = draw(st.sampled_from(tuple(families) or tuple(BY_FAMILY)))
        yield OPERATIONS[only] if only else draw(st.sampled_from(BY_FAMILY[family]))


def well_typed(program: Program) -> str | None:
    """Return why a program is not well-typed, or None."""
    try:
        infer(program)
    except IllTyped as error:
        return str(error)
    return None
