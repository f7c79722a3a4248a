"""A program as Python source: what is traced, what a script shows."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from eagerdiff.strategies.programs.operation import Attrs, Operation
from eagerdiff.strategies.programs.program import Node, Program
from eagerdiff.strategies.programs.table import OPERATIONS
from eagerdiff.strategies.programs.value_type import KINDS

_DESCRIPTION = r"\.(?:(?:shape|ndim|dtype|device)\b|(?:size|numel|dim)\()"
"""What a tensor says of itself whatever its elements are."""
IMPORTS = "import torch\nimport torch.nn.functional as F\n"


def render(program: Program, name: str = "program") -> str:
    """Return the source of a function of the inputs that returns the outputs as a tuple; imports are not in it.

    The program must be well-typed: `infer` tells.
    """
    lines = [f"def {name}({', '.join(_name(program, number) for number in range(len(program.inputs)))}):"]
    first = len(program.inputs)
    for node in program.nodes:
        statements, results = _statements(program, node, first)
        lines += [f"    {line}" for line in statements]
        first += results
    outputs = ", ".join(_name(program, number) for number in program.outputs)
    comma = "," if len(program.outputs) == 1 else ""
    text = "\n".join([*lines, f"    return ({outputs}{comma})"]) + "\n"
    before = dict(item for operation in operations(program) for item in operation.prelude.items())
    named = [statements for word, statements in before.items() if re.search(rf"\b{word}\b", text)]
    return "".join(f"{statements}\n\n" for statements in named) + text


def _name(program: Program, number: int) -> str:
    if number >= len(program.inputs):
        return f"v{number}"
    return {"tensor": "x", "int": "n", "float": "s"}[program.inputs[number].kind] + str(number)


def _statements(program: Program, node: Node, first: int) -> tuple[list[str], int]:
    names = [_name(program, number) for number in node.args]
    targets = [f"v{first + offset}" for offset in range(result_count(OPERATIONS[node.op], node))]
    setup, expression = _texts(node, names, targets[0])
    assigned = f"{', '.join(targets)} = {expression}"
    return [*setup.splitlines(), *assigned.splitlines()], len(targets)


def _texts(node: Node, names: list[str], out: str) -> tuple[str, str]:
    """Return the statements before a node's expression, and the expression."""
    operation = OPERATIONS[node.op]
    setup = _write(operation.setup, node.attrs, names, out) if operation.setup else ""
    return setup, _write(operation.source, node.attrs, names, out)


def read_by_value(node: Node) -> set[int]:
    """Return the values of which a node asks for more than sizes, dtype and device."""
    names = [f"operand{position}_" for position in range(len(node.args))]
    text = "\n".join(_texts(node, names, "out"))
    return {
        value for name, value in zip(names, node.args, strict=True) if re.search(rf"{name}(?!{_DESCRIPTION})", text)
    }


def result_count(operation: Operation, node: Node) -> int:
    """Return how many values a node gives."""
    return operation.results(node.attrs) if callable(operation.results) else operation.results


def _write(source: "str | Callable[..., str]", attrs: Attrs, names: list[str], out: str) -> str:
    written = {name: _value(name, value) for name, value in attrs.items()}
    if callable(source):
        return source(attrs, *names).replace("{out}", out)
    every = ", ".join(names)
    return source.format(*names, every=every, out=out, **written)


def _value(name: str, value: Any) -> str:
    """Write an attribute; names of dtypes become dtypes, and nothing else is ever more than a literal."""
    if name == "dtype":
        return f"torch.{value}" if value in KINDS else "None"
    return repr(value)


def operations(program: Program) -> Iterator[Operation]:
    """Return the operations that a program applies, in order."""
    return (OPERATIONS[node.op] for node in program.nodes)
