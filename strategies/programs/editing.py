"""Edits of a program that keep it well-typed: values dropped, cut off, or replaced by others."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from eagerdiff.strategies.programs.drawing import input_for
from eagerdiff.strategies.programs.inference import infer
from eagerdiff.strategies.programs.operation import IllTyped
from eagerdiff.strategies.programs.program import Node, Program
from eagerdiff.strategies.programs.rendering import result_count
from eagerdiff.strategies.programs.table import OPERATIONS


@dataclass(frozen=True)
class Edited:
    """Hold a program that was edited, and where its inputs were before."""

    program: Program
    came_from: tuple[int | None, ...]
    """For each input its old position; None for one that was a result before."""


def edited(
    program: Program,
    *,
    outputs: Iterable[int] = (),
    instead: Mapping[int, int] | None = None,
    cut: Collection[int] = (),
) -> Edited | None:
    """Return a program with other outputs, values used in the place of others, results that become inputs.

    What nothing needs any more is dropped. None where the result is not well-typed.
    """
    swap = instead or {}
    wanted = [swap.get(value, value) for value in (tuple(outputs) or program.outputs)]
    alive = _alive(program, wanted, swap, set(cut))
    try:
        made = _rebuild(program, wanted, swap, set(cut), alive)
        infer(made.program)
    except IllTyped:
        return None
    return made


def results(program: Program) -> list[range]:
    """Return the numbers of each node's results."""
    found: list[range] = []
    first = len(program.inputs)
    for node in program.nodes:
        count = result_count(OPERATIONS[node.op], node)
        found.append(range(first, first + count))
        first += count
    return found


def _operands(node: Node, swap: Mapping[int, int]) -> list[int]:
    return [swap.get(value, value) for value in node.args]


def _alive(program: Program, wanted: Iterable[int], swap: Mapping[int, int], cut: Collection[int]) -> set[int]:
    """Return the values that the outputs need, and those that operations write into what they need."""
    made = results(program)
    alive = set(wanted)
    before = -1
    while len(alive) != before:
        before = len(alive)
        for node, numbers in zip(reversed(program.nodes), reversed(made), strict=True):
            operands = _operands(node, swap)
            writes = any(operands[position] in alive for position in OPERATIONS[node.op].writes)
            if writes or (alive & set(numbers)) - set(cut):
                alive |= set(operands) | (set(numbers) if writes else set())
    return alive


def _rebuild(
    program: Program, wanted: list[int], swap: Mapping[int, int], cut: Collection[int], alive: set[int]
) -> Edited:
    types = infer(program).types
    kept = [number for number in range(len(program.inputs)) if number in alive]
    promoted = sorted(value for value in cut if value in alive)
    inputs = [program.inputs[number] for number in kept] + [input_for(types[value]) for value in promoted]
    order = {value: position for position, value in enumerate([*kept, *promoted])}
    nodes: list[Node] = []
    following = len(inputs)
    for node, numbers in zip(program.nodes, results(program), strict=True):
        operands = _operands(node, swap)
        writes = any(operands[position] in alive for position in OPERATIONS[node.op].writes)
        if not writes and not (alive & set(numbers)) - set(cut):
            continue
        if any(operand not in order for operand in operands):
            raise IllTyped("an operand is gone")
        nodes.append(node.model_copy(update={"args": tuple(order[operand] for operand in operands)}))
        for number in numbers:
            order.setdefault(number, following)
            following += 1
    changed = {"inputs": tuple(inputs), "nodes": tuple(nodes), "outputs": tuple(order[value] for value in wanted)}
    return Edited(program.model_copy(update=changed), (*kept, *(None for _ in promoted)))
