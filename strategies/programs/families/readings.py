"""Several numbers of one tensor: as bounds, sizes and factors together, read or not, and what is checked of them."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product
from math import gcd
from types import MappingProxyType
from typing import Any

from eagerdiff.strategies.programs.attributes import whole
from eagerdiff.strategies.programs.expression import Expression, Leaf, draw_expression, fits, leaves_in, written
from eagerdiff.strategies.programs.operation import Attrs, Choices, Context, IllTyped, Operand, Operation, kinds
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Type

FAMILY = "readings"
UNCHECKED = "of a number that is read, and not checked, nothing is known"
"""docs: "Dealing with GuardOnDataDependentSymNode errors"."""
COUNT = 4
LIMIT = 8
"""What is read lies in [0, LIMIT]."""
MOST_USES = 3

READ: Mapping[str, str] = MappingProxyType(
    {
        "listed": "{out}_a, {out}_b, {out}_c, {out}_d = {t}.sort().values.tolist()",
        "items": "{out}_t = {t}.sort().values\n"
        + "\n".join(f"{{out}}_{name} = {{out}}_t[{at}].item()" for at, name in enumerate("abcd")),
        "unbound": "{out}_a, {out}_b, {out}_c, {out}_d = [one.item() for one in {t}.sort().values.unbind()]",
        "largest": "\n".join(
            f"{{out}}_{name} = {{t}}[: {at}].amax().item()" for at, name in enumerate("abcd", 1)
        ),
    }
)  # fmt: skip
"""How four numbers are read, in ascending order."""
UNREAD = "{out}_a, {out}_b, {out}_c, {out}_d = {t}.sort().values.unbind()"
"""Four numbers as tensors of no dims: torch takes one for most numbers, and reads it."""
_CHECKS = "\n".join(
    [
        "torch._check({out}_a >= 0)",
        *(f"torch._check({{out}}_{low} <= {{out}}_{high})" for low, high in ("ab", "bc", "cd")),
        f"torch._check({{out}}_d <= {LIMIT})",
    ]
)
"""What the documentation asks for, of each number and of any two."""

USES: Mapping[str, str] = MappingProxyType(
    {
        "slice": "{x} + {x}[{a}:{b}].sum(0)",
        "slice_of_last": "{x} + {x}[..., {a}:{b}].sum()",
        "two_slices": "{x} + torch.ones(9, 9, device={x}.device)[{a}:{b}, {c}:{d}].sum()",
        "slices_behind": "{x} + torch.ones(2, 9, 9, device={x}.device)[:, {a}:{b}, {c}:].sum()",
        "slice_of_slice": "{x} + torch.arange(9, device={x}.device)[{a}:][:{b}].sum()",
        "slice_and_index": "{x} + torch.ones(9, 9, device={x}.device)[{a}, {b}:{d}].sum()",
        "slice_beside_index": "{x} + torch.ones(9, 9, device={x}.device)[:, {a}].sum()",
        "two_indices": "{x} + torch.ones(9, 9, device={x}.device)[{a}, {b}]",
        "between": "{x} + torch.arange({a}, {b}, device={x}.device).sum()",
        "between_by_step": "{x} + torch.arange({a}, {d}, {b} + 1, device={x}.device).sum()",
        "zeros": "{x} + torch.ones({a}, {b}, device={x}.device).sum()",
        "filled": "{x} + torch.full(({a},), {b}, device={x}.device).sum()",
        "eye": "{x} + torch.eye({a}, {b}, device={x}.device).sum()",
        "narrowed": "{x} + torch.arange(9, device={x}.device).narrow(0, {a}, {b} - {a}).sum()",
        "split": "{x} + torch.arange(9, device={x}.device).split([{a}, {b} - {a}, 9 - {b}])[1].sum()",
        "viewed": "{x} + torch.ones({a} * {b}, device={x}.device).view({a}, {b}).sum()",
        "unflattened": "{x} + torch.ones({b} * 2, device={x}.device).unflatten(0, ({b}, 2)).sum()",
        "repeated": "{x} + torch.ones(2, device={x}.device).repeat({a}, {b}).sum()",
        "expanded": "{x} + torch.ones(1, 1, device={x}.device).expand({a}, {b}).sum()",
        "padded": "{x} + F.pad({x}, ({a}, {b})).sum()",
        "rolled": "{x}.roll(({a}, {b}), (0, -1))",
        "joined": "{x} + torch.cat((torch.ones({a}, device={x}.device), torch.ones({b}, device={x}.device))).sum()",
        "clamped": "{x}.clamp({a}, {b})",
        "scaled": "{x} * {a} + {b}",
        "weighed": "torch.add({x}, {x}, alpha={a}) + {b}",
        "made": "{x} + torch.tensor([{a}, {b}], device={x}.device).sum()",
        "chosen": "torch.where({x} > {a}, {x}, {b})",
        "spaced": "{x} + torch.linspace({a}, {b}, 3, device={x}.device).sum().to({x}.dtype)",
        "triangle": "{x} + torch.ones({a}, {b}, device={x}.device).tril({c} - {a}).sum()",
        "product": "{x} + (torch.ones({a}, {b}, device={x}.device) @ torch.ones({b}, {c}, device={x}.device)).sum()",
    }
)
_NUMBERS = Operand(matching=lambda choices, *earlier: Type("int64", (Size.of(COUNT),), below=Size.of(LIMIT)))
_ROWS = Operand(kinds=("float",), ndim=(1, 3), where=lambda x: x.dtype in ("float32", "float64"))


def _check_operands(x: Type, numbers: Type) -> None:
    kinds(x, "float")
    if numbers.shape != (Size.of(COUNT),) or numbers.dtype != "int64" or numbers.below != Size.of(LIMIT) or not x.ndim:
        raise IllTyped(f"{COUNT} indices below {LIMIT} needed")


def _named(text: str, x: str) -> str:
    return text.format(x=x, **{name: f"{{out}}_{name}" for name in "abcd"})


def _uses(attrs: Attrs, x: str, numbers: str, *, checked: bool) -> str:
    lines = [{**READ, "not": UNREAD}[attrs["how"]].replace("{t}", numbers), *([_CHECKS] if checked else [])]
    for at, use in enumerate(attrs["uses"]):
        lines.append(f"{{out}}_{at} = {_named(USES[use], x if at == 0 else f'{{out}}_{at - 1}')}")
    return "\n".join(lines)


def _of_numbers(name: str, hows: Sequence[str], known: Sequence[str], *, checked: bool) -> Operation:
    """Describe uses of four numbers, got in one of some ways; what is not checked may be a branch on data."""

    def draw(choices: Choices, *operands: Type) -> Attrs:
        uses = tuple(choices.pick(known) for _ in range(1 + choices.integer(0, MOST_USES - 1)))
        return {"how": choices.pick(hows), "uses": uses}

    def infer(context: Context, attrs: Attrs, x: Type, numbers: Type) -> Type:
        _check_operands(x, numbers)
        if attrs["how"] not in hows or not 1 <= len(attrs["uses"]) <= MOST_USES or set(attrs["uses"]) - set(known):
            raise IllTyped("no such reading or use")
        return x.of()

    return Operation(
        name=name,
        family=FAMILY,
        operands=(_ROWS, _NUMBERS),
        infer=infer,
        attrs=draw,
        setup=partial(_uses, checked=checked),
        source=lambda attrs, x, numbers: f"{{out}}_{len(attrs['uses']) - 1}",
        data_only="" if checked else UNCHECKED,
        reads=True,
    )


RELATED = (
    *("add_int", "mul_int", "sub", "neg", "abs", "square", "min_int", "max_int"),
    *("floor_div_int", "floor_div_by_negative", "mod", "mod_by_negative", "increment", "add_positive", "mul_positive"),
)
_LEAVES = (Leaf(("value", 0), "positive"), Leaf(("value", 1), "positive"))
_FORMS = ("least", "most", "remainder")
_BOUNDS: Mapping[str, str] = MappingProxyType(
    {"positive": "torch._check({} >= 1)", "size": "torch._check_is_size({})", "natural": "torch._check({} >= 0)"}
)
"""What is checked of each number by itself, before the relation or after it."""


def relation(expression: Expression, form: str, factor: int, rest: int) -> str:
    """Return a relation that holds of whatever is read, over `{a}` and `{b}`; raise IllTyped for a form that is none.

    `a` lies in [1, LIMIT + 1]; `b` does too where the factor is 0, and is `factor * a + rest` elsewhere.
    """
    text = written(expression, ("{a}", "{b}"))
    names = text.format(a="a", b="b")
    code = compile(names, "<relation>", "eval")
    numbers = range(1, LIMIT + 2)
    pairs = product(numbers, numbers) if factor == 0 else ((a, factor * a + rest) for a in numbers)
    values = [eval(code, {"__builtins__": {}, "min": min, "max": max, "abs": abs}, {"a": a, "b": b}) for a, b in pairs]
    low, high = min(values), max(values)
    if low == high:
        return f"{text} == {low}"
    shared = gcd(*(value - low for value in values))
    relations = {"least": f"{text} >= {low}", "most": f"{text} <= {high}"}
    if shared > 1:
        relations["remainder"] = f"{text} % {shared} == {low % shared}"
    return relations.get(form, relations["least"])


def _relation(attrs: Attrs) -> str:
    return relation(attrs["expression"], attrs["form"], attrs["factor"], attrs["rest"])


def _checked(attrs: Attrs, x: str, numbers: str) -> str:
    factor, rest = attrs["factor"], attrs["rest"]
    second = f"{numbers}[1] + 1" if factor == 0 else f"{numbers}[0] * {factor} + {factor + rest}"
    lines = [f"{{out}}_a = ({numbers}[0] + 1).item()", f"{{out}}_b = ({second}).item()"]
    bounds = [_BOUNDS[attrs["bounds"]].format(f"{{out}}_{name}") for name in "ab"] if attrs["bounds"] != "none" else []
    told = _named(_relation(attrs), x)
    asked = f"not {told}" if attrs["denied"] else told
    checks = [f"torch._check({told})", *bounds] if attrs["last"] else [*bounds, f"torch._check({told})"]
    return "\n".join([*lines, *checks, f"{{out}}_y = {x} * {{out}}_a if {asked} else {x} + {{out}}_b"])


def _draw_relation(choices: Choices, *operands: Type) -> Attrs:
    names = choices.pick((("mod", "mod_by_negative"), RELATED))  # a remainder in one of two
    expression = draw_expression(choices, _LEAVES, "int", ("arithmetic",), choices.integer(1, 2), names)
    for leaf in _LEAVES:
        if leaf.expression not in leaves_in(expression):
            expression = (choices.pick(("sub", "add_int", "mul_int")), leaf.expression, expression)
    return {
        "expression": expression,
        "form": choices.pick(_FORMS),
        "factor": choices.pick((2, 0, 3, 1)),
        "rest": choices.pick((0, 1, 2)),
        "bounds": choices.pick(("none", *_BOUNDS)),
        "last": choices.flag(),
        "denied": choices.flag(),
    }


def _related(context: Context, attrs: Attrs, x: Type, numbers: Type) -> Type:
    _check_operands(x, numbers)
    fits(attrs["expression"], "int", _LEAVES, ("arithmetic",))
    if not all(isinstance(attrs[name], bool) for name in ("last", "denied")) or attrs["form"] not in _FORMS:
        raise IllTyped("no such relation")
    if attrs["bounds"] not in ("none", *_BOUNDS):
        raise IllTyped("no such bounds")
    if set(_names(attrs["expression"])) - {*RELATED, "value"}:
        raise IllTyped("no relation of integers")
    whole(attrs["factor"], 0, 3)
    whole(attrs["rest"], 0, 2)
    return x.of()


def _names(expression: Any) -> Sequence[str]:
    if not isinstance(expression, tuple):
        return ()
    return [str(expression[0]), *(name for part in expression[1:] for name in _names(part))]


OPERATIONS = (
    _of_numbers("numbers_read", tuple(READ), tuple(USES), checked=True),
    _of_numbers("numbers_read_unchecked", tuple(READ), tuple(USES), checked=False),
    _of_numbers("numbers_as_tensors", ("not",), tuple(USES), checked=False),
    Operation(
        name="relation_checked",
        family=FAMILY,
        operands=(_ROWS, _NUMBERS),
        infer=_related,
        attrs=_draw_relation,
        setup=_checked,
        source="{out}_y",
        reads=True,
    ),
)
