"""A call of torch as Python source: what is traced, what a script shows."""

import keyword
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.torch_api.call import Argument, Call, Step, is_a
from eagerdiff.strategies.torch_api.names import is_property, property_name
from eagerdiff.strategies.torch_api.surroundings import fits, surround

_TENSORS = ("tensor", "result")
_OPERATORS: Mapping[str, str] = MappingProxyType(
    {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "matmul": "@"}
    | {"and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>"}
)
"""What a user writes for Python's methods `__add__` and `__radd__`, which return NotImplemented of what it refuses."""


def render(call: Call, name: str = "program") -> str:
    """Return the source of a function of the tensors, then the numbers, that returns the result's parts as a tuple."""
    arguments = [*(f"x{at}" for at in range(len(call.tensors))), *(f"n{at}" for at in range(len(call.numbers)))]
    writer = _Writer(call)
    lines = [f"def {'inner' if call.within else name}({', '.join(arguments)}):"]
    for at, step in enumerate(call.steps):
        lines.append(f"    v{at} = {writer.step(step, last=at == len(call.steps) - 1)}")
    lines.append(f"    return parts(v{len(call.steps) - 1})")
    if call.within:
        floats = [f"x{at}" for at, spec in enumerate(call.tensors) if not spec.dtype]
        body = surround(call.within, arguments, floats, [f"x{at}" for at in call.mapped])
        lines += ["", "", f"def {name}({', '.join(arguments)}):", *(f"    {line}".rstrip() for line in body)]
    return "\n".join([*_head(call, writer), *lines]) + "\n"


def writable(call: Call) -> bool:
    """Whether each size can be read off a tensor, and what the call stands within has what it needs."""
    places = set(_places(call))
    sizes = [Size.of(value["size"]) for _, value in call.arguments() if is_a(value, "size")]
    known = all(str(size) in places or size.symbols <= places for size in sizes)
    return known and fits(call.within, len(call.tensors), sum(not spec.dtype for spec in call.tensors))


_PARTS = """def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
"""


def _head(call: Call, writer: "_Writer") -> list[str]:
    if call.module is None:
        return [_PARTS, ""]
    mode = "train" if call.module.training else "eval"
    lines = [_PARTS, "", f"module = {writer.call(call.module.build)}.{mode}()"]
    if call.module.first:
        lines.append(f"module({', '.join(f'torch.zeros({list(shape)})' for shape in call.module.first)})")
    return [*lines, "", ""]


class _Writer:
    def __init__(self, call: Call) -> None:
        self._call = call
        self._sizes = _places(call)

    def step(self, step: Step, *, last: bool) -> str:
        """Write a step as an expression."""
        if last and self._call.module is not None:
            given = ", ".join(f"{name!r}: x{at}" for name, at in self._call.module.parameters.items())
            args = ", ".join(map(self.argument, step.args))
            kwargs = self._kwargs(step, "{name!r}: {value}")
            return f"torch.func.functional_call(module, {{{given}}}, ({args}{',' if args else ''}), {{{kwargs}}})"
        return self.call(step)

    def call(self, step: Step) -> str:
        """Write a call of a function, a method or a property."""
        if is_property(step.function):
            return f"{self.argument(step.args[0])}.{property_name(step.function)}"
        namespace, _, name = step.function.rpartition(".")
        method = namespace == "torch.Tensor" and any(is_a(one, word) for one in step.args[:1] for word in _TENSORS)
        if name == "__getitem__" and method and len(step.args) == 2:
            return f"{self.argument(step.args[0])}[{self.argument(step.args[1])}]"
        if method and len(step.args) == 2 and not step.kwargs and (operator := _operator(name)):
            return f" {operator} ".join(self._operand(one) for one in _in_order(name, step.args))
        given = ", ".join(map(self.argument, step.args[1:] if method else step.args))
        arguments = ", ".join(filter(None, (given, self._kwargs(step, "{name}={value}"))))
        return (
            f"{self.argument(step.args[0])}.{name}({arguments})" if method else f"{_named(step.function)}({arguments})"
        )

    def argument(self, argument: Argument) -> str:
        """Write one argument; nothing but literals, names of ours and constants of torch comes of data."""
        if not isinstance(argument, dict):
            return repr(argument)
        ((word, value),) = argument.items()
        simple = {"tensor": "x{}", "result": "v{}", "number": "n{}", "torch": "torch.{}", "float": 'float("{}")'}
        if word in simple:
            return simple[word].format(value)
        if word == "size":
            return self._size(Size.of(value))
        if word == "ellipsis":
            return "..."
        if word == "module":
            return self.call(Step.model_validate(value))
        items = [self.argument(item) for item in value]
        if word == "tuple":
            return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
        return {"list": "[{}]", "slice": "slice({})", "complex": "complex({})"}[word].format(", ".join(items))

    def _operand(self, argument: Argument) -> str:
        text = self.argument(argument)
        return text if text.isidentifier() else f"({text})"

    def _kwargs(self, step: Step, form: str) -> str:
        return ", ".join(form.format(name=name, value=self.argument(value)) for name, value in step.kwargs.items())

    def _size(self, size: Size) -> str:
        """Write a size as what a user would: read from a tensor's shape."""
        if str(size) in self._sizes:
            return self._sizes[str(size)]
        terms: list[str] = []
        for monomial, coefficient in size.terms:
            factors = [self._sizes[str(atom)] for atom in monomial]
            terms.append(" * ".join([*([str(coefficient)] if coefficient != 1 or not factors else []), *factors]))
        return " + ".join(terms) or "0"


def _operator(method: str) -> str:
    """Return Python's operator for `__add__` or `__radd__`; empty for what is none."""
    name = method.removeprefix("__").removesuffix("__")
    if len(name) != len(method) - 4:
        return ""
    return _OPERATORS.get(name, "") or _OPERATORS.get(name.removeprefix("r"), "")


def _in_order(method: str, operands: Sequence[Argument]) -> Sequence[Argument]:
    """Return the operands as they are written: `__radd__` is called on the right one."""
    return operands if method.strip("_") in _OPERATORS else operands[::-1]


def _named(function: str) -> str:
    """Write a function's name; the overload `random.from` is an attribute that no dot reaches."""
    of, _, name = function.rpartition(".")
    return f"getattr({of}, {name!r})" if keyword.iskeyword(name) else function


def _places(call: Call) -> dict[str, str]:
    """Return where each size can be read: `a` → `x0.shape[1]`; a symbol that is only part of sizes, by division."""
    found: dict[str, str] = {}
    for at, tensor in enumerate(call.tensors):
        for dim, size in enumerate(tensor.sizes[1:] if at in call.mapped else tensor.sizes):
            if size.constant is None:
                found.setdefault(str(size), f"x{at}.shape[{dim}]")
    for text, place in list(found.items()):
        terms = dict(Size.of(text).terms)
        added = terms.pop((), 0)
        ((atoms, factor),) = terms.items() if len(terms) == 1 else (((), 0),)
        if len(atoms) == 1 and factor > 0:
            found.setdefault(str(atoms[0]), _solved(place, added, factor))
    return found


def _solved(place: str, added: int, factor: int) -> str:
    """Write the size of which a place holds a multiple and something added."""
    rest = f"({place} - {added})" if added > 0 else f"({place} + {-added})" if added else place
    return f"{rest} // {factor}" if factor > 1 else rest
