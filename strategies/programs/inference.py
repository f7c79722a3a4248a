"""Type inference over a whole program, and what it asks of the sizes of its inputs."""

from collections.abc import Mapping
from dataclasses import dataclass

from eagerdiff.strategies.programs.operation import Context, IllTyped, Operand, Operation
from eagerdiff.strategies.programs.program import Node, Program
from eagerdiff.strategies.programs.size import Size, Unknown
from eagerdiff.strategies.programs.table import OPERATIONS
from eagerdiff.strategies.programs.value_type import Type

MOST_ELEMENTS = 4096
LARGEST_FLOOR = 48
"""Above this no symbol is raised to meet what a program needs."""


@dataclass(frozen=True)
class Typing:
    """Hold the types of a program's values, and what must hold of its sizes."""

    types: tuple[Type, ...]
    needs: tuple[tuple[Size, int], ...]
    floors: Mapping[str, int]
    """Least size by symbol, so that eager accepts the call as far as floors can promise it."""

    def allows(self, sizes: Mapping[str, int]) -> str | None:
        """Return why eager would refuse some sizes, or why they are too large, or None."""
        missing = self.floors.keys() - sizes.keys()
        if missing:
            return f"no size for {', '.join(sorted(missing))}"
        for size, least in self.needs:
            if (found := _value(size, sizes)) is not None and found < least:
                return f"{size} = {found}, at least {least} needed"
        for value in self.types:
            elements = _value(value.numel, sizes)
            if elements is not None and elements > MOST_ELEMENTS:
                return f"{elements} elements, at most {MOST_ELEMENTS}"
            if any((found := _value(size, sizes)) is not None and found < 0 for size in value.shape):
                return "a negative size"
        return None


def infer(program: Program) -> Typing:
    """Return the types of every value; raise IllTyped, with the node's number, where the program is wrong."""
    context = Context()
    types = [argument.type for argument in program.inputs]
    for number, node in enumerate(program.nodes):
        try:
            types += apply(node, types, context)
        except IllTyped as error:
            raise IllTyped(f"node {number} ({node.op}): {error}") from None
    for output in program.outputs:
        if not 0 <= output < len(types):
            raise IllTyped(f"no value {output} to return")
    return Typing(tuple(types), tuple(context.needs), floors(symbols(program), context.needs))


def apply(node: Node, types: list[Type], context: Context) -> tuple[Type, ...]:
    """Return the types of one node's results; raise IllTyped where it does not fit."""
    operation = OPERATIONS.get(node.op)
    if operation is None:
        raise IllTyped(f"no such operation: {node.op!r}")
    if not all(0 <= argument < len(types) for argument in node.args):
        raise IllTyped("an operand that does not exist yet")
    operands = [types[argument] for argument in node.args]
    _check_operands(operation, operands)
    for position in operation.writes:
        if operands[position].overlaps or operands[position].plain:
            raise IllTyped(f"operand {position} cannot be written: its elements share memory")
    try:
        found = operation.infer(context, node.attrs, *operands)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise IllTyped(f"attributes {node.attrs}: {type(error).__name__}: {error}") from None
    return found if isinstance(found, tuple) else (found,)


def _check_operands(operation: Operation, operands: list[Type]) -> None:
    most = sum(1 + operand.variadic for operand in operation.operands)
    if not len(operation.operands) <= len(operands) <= most:
        raise IllTyped(f"{len(operands)} operands, {len(operation.operands)} expected")
    for position, (description, value) in enumerate(zip(operation.operands, operands, strict=False)):
        if description.matching is None and not _accepts(description, value):
            raise IllTyped(f"operand {position} does not fit")


def _accepts(description: Operand, value: Type) -> bool:
    return description.accepts(value)


def symbols(program: Program) -> tuple[str, ...]:
    """Return the symbols of the inputs' sizes, in order of appearance."""
    found: dict[str, None] = {}
    for argument in program.inputs:
        for size in (*argument.shape, *(() if argument.below is None else (argument.below,))):
            found |= dict.fromkeys(sorted(Size.of(size).symbols))
    return tuple(found)


def floors(names: tuple[str, ...], needs: list[tuple[Size, int]]) -> dict[str, int]:
    """Return the least sizes that meet every need; raise IllTyped where small sizes do not."""
    found = dict.fromkeys(names, 0)
    for size, least in needs:
        while (value := _value(size, found)) is None or value < least:
            raised = size.symbols & found.keys()
            if not raised or max(found[name] for name in raised) >= LARGEST_FLOOR:
                raise IllTyped(f"no small sizes make {size} at least {least}")
            for name in raised:
                found[name] += 1
    return found


def _value(size: Size, sizes: Mapping[str, int]) -> int | None:
    try:
        return size.value(sizes)
    except Unknown:
        return None
