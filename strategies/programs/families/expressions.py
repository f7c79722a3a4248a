"""What Python computes of sizes and numbers, and the places where torch takes it: one number in several of them."""

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from eagerdiff.strategies.programs.expression import (
    PRELUDE,
    Expression,
    Kind,
    Leaf,
    Trait,
    draw_expression,
    fits,
    leaves_in,
    written,
)
from eagerdiff.strategies.programs.families.numbers import BRANCH, FACTOR, INTEGER
from eagerdiff.strategies.programs.operation import Attrs, Choices, Context, IllTyped, Operand, Operation
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Type

FAMILY = "expressions"
MOST_ROLES = 3
DEPTH = 2
VALUE = "float(), math functions, keys and texts need the value of a size"
_FLOATS = ("float32", "float32", "float64", "bfloat16", "float16")


@dataclass(frozen=True)
class Role:
    """Describe a place where torch takes a number: a tensor `{x}` of floats keeps its shape."""

    text: str
    kind: Kind
    least: int = 0
    """The least size that the first dim, and the last one, must have."""
    trait: Trait = "arithmetic"


_ROWS = "(torch.arange({x}.shape[0], device={x}.device) < {e}).reshape(-1, *[1] * ({x}.dim() - 1))"
ROLES: Mapping[str, Role] = MappingProxyType(
    {
        "factor": Role("{x} * {e}", "float"),
        "addend": Role("{x} + {e}", "float"),
        "difference": Role("{e} - {x}", "float"),
        "divisor": Role("{x} / (abs({e}) + 1)", "float"),
        "alpha": Role("torch.add({x}, {x}, alpha={e})", "float"),
        "weight": Role("torch.lerp({x}, {x} * 2, {e})", "float"),
        "value": Role("torch.addcmul({x}, {x}, {x}, value={e})", "float"),
        "eps": Role("F.layer_norm({x}, {x}.shape[-1:], eps=abs({e}) + 0.01)", "float", 1),
        "eps_of_squares": Role("F.rms_norm({x}, {x}.shape[-1:], eps=abs({e}) + 0.01)", "float", 1),
        "eps_of_norm": Role("F.normalize({x}, dim=-1, eps=abs({e}) + 0.01)", "float"),
        "exponent": Role("({x}.sigmoid() + 0.5) ** {e}", "float"),
        "threshold": Role("{x} * ({x} > {e})", "float"),
        "least": Role("{x}.clamp(min={e})", "float"),
        "fill": Role("torch.where({x} > 0, {x}, {e})", "float"),
        "masked": Role("{x}.masked_fill({x} > 0, {e})", "float"),
        "full": Role("{x} + torch.full_like({x}, {e})", "float"),
        "made": Role("{x} + torch.full((), {e}, dtype={x}.dtype, device={x}.device)", "float"),
        "end": Role("{x} + torch.linspace(0, {e}, 3, device={x}.device).sum().to({x}.dtype)", "float"),
        "slope": Role("F.leaky_relu({x}, abs({e}))", "float"),
        "beta": Role("F.softplus({x}, beta=abs({e}) + 1)", "float"),
        "border": Role("F.pad({x}, (1, 1), value={e})[..., 1:-1]", "float"),
        "order": Role("{x} + torch.linalg.vector_norm({x}, ord=abs({e}) + 1)", "float", 1),
        "index": Role("{x} + {x}[{e} % {x}.shape[0]]", "natural", 1),
        "index_from_end": Role("{x} + {x}[-1 - {e} % {x}.shape[0]]", "natural", 1),
        "start": Role("{x} + {x}[{e} % {x}.shape[0] :].sum(0)", "natural", 1),
        "stop": Role("{x} + {x}[: {e}].sum(0)", "natural"),
        "start_and_stop": Role("{x} + {x}[..., {e} % 4 : {e}].sum()", "natural"),
        "step": Role("{x} + {x}[:: {e} + 1].sum(0)", "natural"),
        "length": Role("{x} + {x}.narrow(0, 0, min({e}, {x}.shape[0])).sum(0)", "natural"),
        "shift": Role("{x}.roll({e}, -1)", "int"),
        "size": Role("{x} + {x}.new_ones({e} % 7).sum()", "natural"),
        "two_sizes": Role("{x} + {x}.new_ones({e} % 5, {e} % 3 + 1).sum()", "natural"),
        "padding": Role("{x} + F.pad({x}, (0, {e} % 5)).sum(-1, keepdim=True)", "natural"),
        "repeats": Role("{x} + {x}.new_ones(3).repeat({e} % 4).sum()", "natural"),
        "spread": Role("{x} + {x}.new_ones(1).expand({e} % 6).sum()", "natural"),
        "bound": Role("{x} + torch.arange({e} % 9, device={x}.device).sum()", "natural"),
        "bounds": Role("{x} + torch.arange({e} % 3, {e} % 8 + 3, device={x}.device).sum()", "natural"),
        "rows": Role("{x} * " + _ROWS, "int"),
        "checked": Role("{x} * (1 if torch._check({e} >= 0) is None else 0)", "natural"),
        "branch": Role("({x} * 2 if {e} else {x} + 1)", "bool", trait="decision"),
        "steps": Role("{x} + sum({x} * i for i in range({e} % 4))", "natural", trait="decision"),
        "flag": Role("{x} * {e}", "bool", trait="decision"),
    }
)


def _leaves(operands: Sequence[Type]) -> list[Leaf]:
    x, *numbers = operands
    found = [Leaf(("size", dim), "natural") for dim in range(x.ndim)]
    return found + [
        Leaf(("value", at), "natural" if number.dtype == "int64" else "float") for at, number in enumerate(numbers, 1)
    ]


def _roles(attrs: Attrs) -> Iterator[tuple[Role, Expression]]:
    for one in attrs["roles"]:
        name, expression = one
        if name not in ROLES:
            raise IllTyped(f"no role {name!r}")
        yield ROLES[name], expression


def _setup(attrs: Attrs, *names: str, read: bool = False) -> str:
    lines: list[str] = []
    x = names[0]
    if read:
        lines += [f"{{out}}_n{at} = {name}.item()" for at, name in enumerate(names[1:], 1)]
        names = (x, *(f"{{out}}_n{at}" for at in range(1, len(names))))
    for at, (role, expression) in enumerate(_roles(attrs)):
        lines.append(f"{{out}}_{at} = {role.text.format(x=x, e=written(expression, names))}")
        x = f"{{out}}_{at}"
    return "\n".join(lines)


def _last(attrs: Attrs, *names: str) -> str:
    return f"{{out}}_{len(attrs['roles']) - 1}"


def _draw(traits: tuple[Trait, ...]) -> Any:
    def draw(choices: Choices, *operands: Type) -> Attrs:
        leaves = _leaves(operands)
        numbers = [leaf for leaf in leaves if leaf.expression[0] == "value"]
        names = [name for name, role in ROLES.items() if role.trait in traits]
        picked = [choices.pick(names) for _ in range(1 + choices.integer(0, MOST_ROLES - 1))]
        drawn = [[name, draw_expression(choices, leaves, ROLES[name].kind, traits, DEPTH)] for name in picked]
        for number in numbers:
            # A number that is there is used, more than once where there are places for it.
            for one in drawn:
                wanted = ROLES[one[0]].kind
                if number.expression not in leaves_in(one[1]) and _adds(number.kind, wanted):
                    one[1] = (f"add_{wanted}", one[1], number.expression)
        return {"roles": tuple((name, expression) for name, expression in drawn)}

    return draw


def _adds(kind: Kind, wanted: Kind) -> bool:
    return wanted == "float" or (kind == "natural" and wanted in ("natural", "int"))


def computed(
    name: str, what: str, traits: tuple[Trait, ...], *numbers: Operand, guards: int, read: bool = False
) -> Operation:
    """Describe places of torch, each with an expression over the sizes of x and over numbers.

    `read`: the numbers are read from tensors of no dims.
    """
    decides = {"decision", "value", "break"} & set(traits)

    def infer(context: Context, attrs: Attrs, x: Type, *others: Type) -> Type:
        if x.dtype not in _FLOATS or not x.ndim or any(other.plain == read or other.ndim for other in others):
            raise IllTyped("a tensor of floats, then numbers")
        if read and any(other.dtype == "int64" and other.below is None for other in others):
            raise IllTyped("an index is read, which is not negative")
        if not 1 <= len(attrs["roles"]) <= MOST_ROLES:
            raise IllTyped("no roles")
        told = [other.number for other in others if other.number is not None]
        if decides and any(size.depends_on_data for size in (*x.shape, *told)):
            raise IllTyped(BRANCH)
        leaves, used = _leaves((x, *others)), set[Any]()
        for role, expression in _roles(attrs):
            if role.trait not in traits:
                raise IllTyped(f"{role.text}: another operation's")
            fits(expression, role.kind, leaves, traits)
            used |= set(leaves_in(expression))
            for size in (x.shape[0], x.shape[-1]) if role.least else ():
                context.need(size, role.least)
        if any(leaf.expression not in used for leaf in leaves if leaf.expression[0] == "value"):
            raise IllTyped("a number that nothing uses")
        return x.of()

    return Operation(
        name=f"{name}_{what}",
        family=FAMILY,
        operands=(Operand(kinds=("float",), ndim=(1, 4), where=lambda x: x.dtype in _FLOATS), *numbers),
        infer=infer,
        attrs=_draw(traits),
        setup=functools.partial(_setup, read=read),
        source=_last,
        prelude=PRELUDE,
        guards=guards,
        graph_break="break" in traits,
        backed_only=BRANCH if decides else "",
        traced_only=VALUE,
        value_only=VALUE if {"value", "break"} & set(traits) else "",
    )


_OPERANDS = {
    "sizes": (),
    "int": (INTEGER,),
    "float": (FACTOR,),
    "int_and_float": (INTEGER, FACTOR),
    "floats": (FACTOR, FACTOR),
}
_READ = {
    "item": (Operand(matching=lambda choices, *earlier: Type("int64", below=Size.of(8))),),
    "float_item": (Operand(matching=lambda choices, *earlier: Type("float32")),),
}
_ARITHMETIC: tuple[Trait, ...] = ("arithmetic",)
# A float that is more than a factor is compiled for each of its values.
OPERATIONS = (
    *(
        computed("arithmetic_of", what, _ARITHMETIC, *numbers, guards=24 if FACTOR in numbers else 2)
        for what, numbers in _OPERANDS.items()
    ),
    *(
        computed("decision_by", what, ("arithmetic", "decision"), *numbers, guards=24)
        for what, numbers in _OPERANDS.items()
    ),
    *(computed("arithmetic_of", what, _ARITHMETIC, *numbers, guards=2, read=True) for what, numbers in _READ.items()),
    computed("value_of", "sizes", ("arithmetic", "decision", "value"), guards=24),
    computed("value_of", "int", ("arithmetic", "decision", "value"), INTEGER, guards=24),
    computed("break_at", "sizes", ("arithmetic", "decision", "value", "break"), guards=48),
    computed("break_at", "int", ("arithmetic", "decision", "value", "break"), INTEGER, guards=48),
)
