"""Simpler workloads of `programs`: fewer operations, then smaller sizes, then plainer dtypes, strides and data."""

from collections.abc import Iterator
from typing import Any

from eagerdiff import Workload
from eagerdiff.strategies.programs.cases import ProgramCase
from eagerdiff.strategies.programs.drawing import plain_size, well_typed
from eagerdiff.strategies.programs.editing import Edited, edited, results
from eagerdiff.strategies.programs.expression import simpler_expressions
from eagerdiff.strategies.programs.inference import infer, symbols
from eagerdiff.strategies.programs.operation import IllTyped
from eagerdiff.strategies.programs.program import Input, Node, Program
from eagerdiff.strategies.programs.simpler_calls import simpler_calls
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import KINDS


def simpler(workload: Workload[ProgramCase]) -> Iterator[Workload[ProgramCase]]:
    """Return simpler workloads, the boldest first; each is well-typed, and its sizes are in the program's domain."""
    cases = list(workload.cases)
    for changed in _programs(cases[0].program):
        found = _workload([_moved(case, changed) for case in cases])
        if found is not None:
            yield found
    for changes in simpler_calls(cases, infer(cases[0].program).floors):
        found = _workload(changes)
        if found is not None and found != workload:
            yield found


def _workload(cases: list[ProgramCase]) -> Workload[ProgramCase] | None:
    try:
        typing = infer(cases[0].program)
    except IllTyped:
        return None
    return Workload(tuple(cases)) if all(typing.allows(case.sizes) is None for case in cases) else None


def _moved(case: ProgramCase, changed: Edited) -> ProgramCase:
    """Take a call over to an edited program: what its inputs keep goes with them."""
    names = infer(changed.program).floors
    floats = [at for at, given in enumerate(case.program.inputs) if given.kind == "float"]
    numbers = dict(zip(floats, (*case.numbers, *(1.0 for _ in floats)), strict=False))
    kept = [old for old, given in zip(changed.came_from, changed.program.inputs, strict=True) if given.kind == "float"]
    update = {
        "program": changed.program,
        "sizes": {name: case.sizes.get(name, least) for name, least in names.items()},
        "layouts": tuple("contiguous" if old is None else case.layout(old) for old in changed.came_from),
        "fills": tuple("normal" if old is None else case.fill(old) for old in changed.came_from),
        "numbers": tuple(1.0 if old is None else numbers.get(old, 1.0) for old in kept),
    }
    return case.model_copy(update=update)


def _programs(program: Program) -> Iterator[Edited]:
    """Return programs with fewer operations or outputs, then with plainer ones."""
    for made in (*_slices(program), *_without_one(program)):
        if made is not None and _weight(made.program) < _weight(program):
            yield made
    same = tuple(range(len(program.inputs)))
    for plain in (*_plainer(program), *_with_fewer_symbols(program)):
        if plain != program and well_typed(plain) is None:
            yield Edited(plain, same)


def _weight(program: Program) -> tuple[int, int, int]:
    return len(program.nodes), len(program.outputs), len(program.inputs)


def _slices(program: Program) -> Iterator[Edited | None]:
    """Return one output with the few operations nearest to it, then with all that it needs."""
    made = results(program)
    producer = {number: at for at, numbers in enumerate(made) for number in numbers}
    inner = [number for numbers in made for number in numbers if number not in program.outputs]
    for output in (*program.outputs, *reversed(inner)):
        near, front = set[int](), {output}
        for _ in range(3):
            near |= {producer[value] for value in front if value in producer}
            front = {value for at in near for value in program.nodes[at].args}
            border = [value for value in front if value in producer and producer[value] not in near]
            yield edited(program, outputs=(output,), cut=border)
        yield edited(program, outputs=(output,))


def _without_one(program: Program) -> Iterator[Edited | None]:
    """Return programs without one output, without one operation, or with one result as an input."""
    for output in program.outputs if len(program.outputs) > 1 else ():
        yield edited(program, outputs=[other for other in program.outputs if other != output])
    types = infer(program).types
    for node, numbers in zip(reversed(program.nodes), reversed(results(program)), strict=True):
        for number in numbers:
            alike = [value for value in node.args if types[value] == types[number]]
            alike += [value for value in range(len(program.inputs)) if types[value] == types[number]]
            for value in dict.fromkeys(alike):
                yield edited(program, instead={number: value})
        yield edited(program, cut=list(numbers))


def _plainer(program: Program) -> Iterator[Program]:
    if program.gradients:
        yield program.model_copy(update={"gradients": False})
    for position, given in enumerate(program.inputs):
        yield from (_with_input(program, position, plain) for plain in _plainer_inputs(given))
    for position, node in enumerate(program.nodes):
        for name, value in node.attrs.items():
            for plain in _plainer_roles(value) if name == "roles" else _plainer_values(value):
                nodes = list(program.nodes)
                nodes[position] = Node(op=node.op, args=node.args, attrs={**node.attrs, name: plain})
                yield program.model_copy(update={"nodes": tuple(nodes)})


def _with_fewer_symbols(program: Program) -> Iterator[Program]:
    """Return the program with one symbol fixed at 2, or equal to another, in every input."""
    names = symbols(program)
    for name in names:
        for other in (2, *(known for known in names if known < name)):
            inputs = [_renamed(given, name, other) for given in program.inputs]
            yield program.model_copy(update={"inputs": tuple(inputs)})
    floats = [
        given.model_copy(update={"dtype": "float32"}) if KINDS[given.dtype] == "float" else given
        for given in program.inputs
    ]
    yield program.model_copy(update={"inputs": tuple(floats)})


def _renamed(given: Input, name: str, other: int | str) -> Input:
    def rename(size: int | str) -> int | str:
        return plain_size(Size.of(size).substituted(name, other))

    below = None if given.below is None else rename(given.below)
    if given.kind == "int" and isinstance(other, int):
        return given
    return given.model_copy(update={"shape": tuple(map(rename, given.shape)), "below": below})


def _with_input(program: Program, position: int, given: Input) -> Program:
    inputs = (*program.inputs[:position], given, *program.inputs[position + 1 :])
    return program.model_copy(update={"inputs": inputs})


def _plainer_inputs(given: Input) -> Iterator[Input]:
    if given.kind != "tensor":
        return
    if given.dtype in ("bfloat16", "float16", "float64"):
        yield given.model_copy(update={"dtype": "float32"})
    for dim, size in enumerate(given.shape):
        options: list[int | str] = [2] if isinstance(size, str) else [2, 1] if size > 2 else []
        if isinstance(size, str) and Size.of(size).terms and "+" in size:
            options.insert(0, min(Size.of(size).symbols))
        for option in options:
            yield given.model_copy(update={"shape": (*given.shape[:dim], option, *given.shape[dim + 1 :])})


def _plainer_roles(roles: Any) -> Iterator[Any]:
    """Return the places in which a number is used with one of them left out, then with a simpler expression in one."""
    for at, (name, expression) in enumerate(roles):
        if len(roles) > 1:
            yield (*roles[:at], *roles[at + 1 :])
        for simpler in simpler_expressions(expression):
            yield (*roles[:at], (name, simpler), *roles[at + 1 :])


def _plainer_values(value: Any) -> Iterator[Any]:
    if value is True:
        yield False
    elif isinstance(value, int) and not isinstance(value, bool):
        yield from (plain for plain in (0, 1, -1) if abs(plain) < abs(value) or (value < 0 and plain == 0))
    elif isinstance(value, tuple) and len(value) > 1:  # pyright: ignore[reportUnknownArgumentType]
        yield value[:1]
