"""Expressions of Python over sizes and numbers, as data: what is computed before torch is asked.

An expression is a tuple: `("size", 1)` is a size of the first operand, `("value", 2)` the operand that is a number, `3`
a constant, and `("add", left, right)` a form of `FORMS`.
"""

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from eagerdiff.strategies.programs.operation import Choices, IllTyped

Expression = Any
"""A number, or a tuple as above."""
Kind = Literal["positive", "natural", "int", "float", "bool"]
Trait = Literal["arithmetic", "decision", "value", "break"]
"""What a compiler must do: keep a formula; choose a side, which costs it a guard; know the number; break the graph."""
_WIDER: Mapping[Kind, tuple[Kind, ...]] = MappingProxyType(
    {
        "positive": ("positive", "natural", "int", "float"),
        "natural": ("natural", "int", "float"),
        "int": ("int", "float"),
        "float": ("float",),
        "bool": ("bool",),
    }
)
DEEPEST = 4
CONSTANTS: Mapping[Kind, tuple[int | float, ...]] = MappingProxyType(
    {"positive": (2, 3, 1, 5, 8), "natural": (1, 0, 2, 4), "int": (-1, 2, -3, 0), "float": (0.5, 2.0, -1.5, 3)}
)


@dataclass(frozen=True)
class Form:
    """Describe one way of computing a number from others."""

    text: str
    """Python, with `{0}`, `{1}` for the parts."""
    takes: tuple[Kind, ...]
    gives: Kind
    trait: Trait = "arithmetic"


def _both(name: str, text: str, *kinds: Kind, trait: Trait = "arithmetic") -> dict[str, Form]:
    """Return a form for each kind that two parts and their result may have."""
    return {f"{name}_{kind}": Form(text, (kind, kind), kind, trait) for kind in kinds}


_COMPARED = {"lt": "<", "le": "<=", "eq": "==", "ne": "!=", "gt": ">", "ge": ">="}

FORMS: Mapping[str, Form] = MappingProxyType(
    _both("add", "({0} + {1})", "positive", "natural", "int", "float")
    | _both("mul", "({0} * {1})", "positive", "natural", "int", "float")
    | _both("min", "min({0}, {1})", "positive", "natural", "int", "float")
    | _both("max", "max({0}, {1})", "positive", "natural", "int", "float")
    | _both("sum", "sum(({0}, {1}))", "natural", "int")
    | {
        # Arithmetic.
        "sub": Form("({0} - {1})", ("int", "int"), "int"),
        "sub_float": Form("({0} - {1})", ("float", "float"), "float"),
        "neg": Form("(-{0})", ("int",), "int"),
        "neg_float": Form("(-{0})", ("float",), "float"),
        "abs": Form("abs({0})", ("int",), "natural"),
        "abs_float": Form("abs({0})", ("float",), "float"),
        "floor_div": Form("({0} // {1})", ("natural", "positive"), "natural"),
        "floor_div_int": Form("({0} // {1})", ("int", "positive"), "int"),
        "floor_div_by_negative": Form("({0} // -{1})", ("int", "positive"), "int"),
        "mod": Form("({0} % {1})", ("int", "positive"), "natural"),
        "mod_of_negative": Form("(-{0} % {1})", ("natural", "positive"), "natural"),
        "mod_by_negative": Form("({0} % -{1})", ("int", "positive"), "int"),
        "div": Form("({0} / {1})", ("float", "positive"), "float"),
        "quotient": Form("divmod({0}, {1})[0]", ("int", "positive"), "int", "break"),
        "remainder": Form("divmod({0}, {1})[1]", ("int", "positive"), "natural", "break"),
        "square": Form("({0} ** 2)", ("int",), "natural"),
        "pow": Form("pow({0}, 2)", ("natural",), "natural"),
        "root": Form("{0} ** 0.5", ("natural",), "float"),
        "reciprocal_root": Form("{0} ** -0.5", ("positive",), "float"),
        "inverse": Form("(1 / {0})", ("positive",), "float"),
        "increment": Form("({0} + 1)", ("natural",), "positive"),
        "decrement": Form("({0} - 1)", ("positive",), "natural"),
        "float": Form("float({0})", ("int",), "float"),
        "int": Form("int({0})", ("float",), "int"),
        "round_half": Form("round({0} / 2)", ("int",), "int"),
        "round_tens": Form("round({0}, -1)", ("int",), "int"),
        "round_digits": Form("round({0}, 1)", ("float",), "float"),
        "round_int_digits": Form("round({0}, 2)", ("natural",), "natural"),
        "floor": Form("math.floor({0})", ("float",), "int"),
        "ceil": Form("math.ceil({0})", ("float",), "int"),
        "trunc": Form("math.trunc({0})", ("float",), "int"),
        "floor_of_ratio": Form("math.floor({0} / {1})", ("natural", "positive"), "natural"),
        "ceil_of_ratio": Form("math.ceil({0} / {1})", ("natural", "positive"), "natural"),
        "sqrt": Form("math.sqrt({0})", ("natural",), "float"),
        "floor_of_root": Form("math.floor(math.sqrt({0}))", ("natural",), "natural"),
        "log2": Form("math.log2({0})", ("positive",), "float", "arithmetic"),
        "exp": Form("math.exp(-{0})", ("natural",), "float", "value"),
        "sin": Form("math.sin({0})", ("float",), "float"),
        "pow_float": Form("math.pow({0}, 2)", ("natural",), "float", "value"),
        "left": Form("({0} << 2)", ("natural",), "natural"),
        "right": Form("({0} >> 1)", ("int",), "int"),
        "power_of_two": Form("(1 << ({0} % 5))", ("natural",), "positive"),
        "shifted_by": Form("({0} >> ({1} % 3))", ("natural", "natural"), "natural"),
        "bit_and": Form("({0} & {1})", ("natural", "natural"), "natural"),
        "bit_or": Form("({0} | {1})", ("natural", "natural"), "natural"),
        "bit_xor": Form("({0} ^ {1})", ("natural", "natural"), "natural"),
        "bit_not": Form("(~{0})", ("int",), "int", "break"),
        "prod": Form("math.prod(({0}, {1}))", ("int", "int"), "int"),
        "gcd": Form("math.gcd({0}, {1})", ("int", "int"), "natural", "break"),
        "isqrt": Form("math.isqrt({0})", ("natural",), "natural", "break"),
        "min_of_three": Form("min(({0}, {1}, 4))", ("natural", "natural"), "natural"),
        "max_of_three": Form("max({0}, {1}, 3)", ("natural", "natural"), "positive"),
        "in_closure": Form("(lambda: {0})()", ("int",), "int"),
        "in_natural_closure": Form("(lambda: {0})()", ("natural",), "natural"),
        "in_default": Form("(lambda k={0}: k + 1)()", ("natural",), "positive"),
        "in_keyword": Form("(lambda *, k: k)(k={0})", ("float",), "float"),
        "in_list": Form("[{0}, 1][0]", ("natural",), "natural"),
        "in_dict": Form("{{'k': {0}}}['k']", ("natural",), "natural"),
        "in_zip": Form("dict(zip(('j', 'k'), ({0}, {1})))['k']", ("natural", "natural"), "natural"),
        "in_enumerate": Form("sum(i * k for i, k in enumerate(({0}, {1})))", ("natural", "natural"), "natural"),
        "in_shape": Form("torch.Size(({0}, {1})).numel()", ("natural", "natural"), "natural"),
        "in_pair": Form("Pair({0}, {1}).total()", ("natural", "natural"), "natural"),
        "in_attribute": Form("Holder({0}).k", ("natural",), "natural"),
        # Decisions: a side is taken, or a loop has so many steps.
        "chosen": Form("({0} if {1} else {2})", ("natural", "bool", "natural"), "natural", "decision"),
        "sorted": Form("sorted(({0}, {1}, 3))[1]", ("natural", "natural"), "natural", "break"),
        "sorted_down": Form("sorted(({0}, {1}), reverse=True)[0]", ("int", "int"), "int", "break"),
        "or_else": Form("({0} or 1)", ("natural",), "positive", "decision"),
        "and_then": Form("({0} and {1})", ("natural", "natural"), "natural", "decision"),
        "of_bool": Form("int({0})", ("bool",), "natural", "decision"),
        "length_of_range": Form("len(range({0}, {1}, 2))", ("int", "int"), "natural", "value"),
        "length_of_range_down": Form("len(range({0}, -1, -3))", ("natural",), "natural", "value"),
        "end_of_range": Form("[9, *range(0, {0} % 5, 2), 7][-2]", ("natural",), "int", "decision"),
        "loop": Form("sum(i for i in range({0} % 4))", ("natural",), "natural", "decision"),
        "counted_loop": Form("sum(i * k for i, k in enumerate(range({0} % 4)))", ("natural",), "natural", "decision"),
        "index": Form("(2, 3, 5)[{0} % 3]", ("natural",), "positive", "decision"),
        "repeated": Form("len([0] * ({0} % 5))", ("natural",), "natural", "decision"),
        "any": Form("any(k > 2 for k in ({0}, {1}))", ("natural", "natural"), "bool", "decision"),
        "chained": Form("({0} < {1} <= 9)", ("int", "natural"), "bool", "decision"),
        "chained_equal": Form("({0} == {1} > 1)", ("natural", "natural"), "bool", "decision"),
        "not": Form("(not {0})", ("bool",), "bool", "decision"),
        "and": Form("({0} and {1})", ("bool", "bool"), "bool", "decision"),
        "or": Form("({0} or {1})", ("bool", "bool"), "bool", "decision"),
        "bool": Form("bool({0})", ("int",), "bool", "decision"),
        "even": Form("({0} % 2 == 0)", ("int",), "bool", "decision"),
        "member": Form("({0} in (2, {1}))", ("natural", "natural"), "bool", "decision"),
        # The number itself is needed.
        "length_of_text": Form("len(str({0}))", ("natural",), "positive", "break"),
        "formatted": Form("(lambda j, k: len(f'{{j}}x{{k}}'))({0}, {1})", ("natural", "natural"), "positive", "value"),
        "padded_text": Form("(lambda k: len(f'{{k:03d}}'))({0})", ("natural",), "positive", "value"),
        "key": Form("{{{0}: 1, 3: 2}}.get({1}, 0)", ("natural", "natural"), "natural", "value"),
        "set": Form("len({{{0}, {1}, 2}})", ("natural", "natural"), "positive", "value"),
        "in_set": Form("({0} in {{1, 2, {1}}})", ("natural", "natural"), "bool", "value"),
        "bits": Form("({0}).bit_length()", ("natural",), "natural", "value"),
        "hash": Form("(hash({0}) % 7)", ("natural",), "natural", "value"),
    }
    | {name: Form(f"({{0}} {sign} {{1}})", ("int", "int"), "bool", "decision") for name, sign in _COMPARED.items()}
    | {
        f"{name}_float": Form(f"({{0}} {sign} {{1}})", ("float", "float"), "bool", "decision")
        for name, sign in _COMPARED.items()
    }
)
_PAIR = """import dataclasses


@dataclasses.dataclass
class Pair:
    left: int
    right: int

    def total(self):
        return self.left + 2 * self.right
"""
_HOLDER = """class Holder(torch.nn.Module):
    def __init__(self, k):
        super().__init__()
        self.k = k
"""
PRELUDE = MappingProxyType({"math": "import math\n", "Pair": _PAIR, "Holder": _HOLDER})
"""What expressions name, with the statements that define it."""


@dataclass(frozen=True)
class Leaf:
    """Hold an expression that is read off an operand."""

    expression: Expression
    kind: Kind


@functools.cache
def _giving(kind: Kind, traits: tuple[Trait, ...], names: tuple[str, ...], *, shallow: bool) -> tuple[str, ...]:
    """Return which forms of some traits, or of some names, give a kind; `shallow`: of those that take no bool."""
    return tuple(
        name
        for name, form in FORMS.items()
        if kind in _WIDER[form.gives]
        and form.trait in traits
        and (name in names or not names)
        and not (shallow and "bool" in form.takes)
    )


def draw_expression(
    choices: Choices,
    leaves: Sequence[Leaf],
    kind: Kind,
    traits: tuple[Trait, ...],
    depth: int,
    names: tuple[str, ...] = (),
) -> Expression:
    """Draw an expression of a kind, of forms with some traits, or with some names, at most so deep."""
    fitting = [leaf.expression for leaf in leaves if kind in _WIDER[leaf.kind]]
    if depth == 0 and kind != "bool":
        constant = kind in CONSTANTS and (not fitting or choices.integer(0, 3) == 3)
        return choices.pick(CONSTANTS[kind] if constant else fitting)
    name = choices.pick(
        _giving(kind, traits, names, shallow=depth == 0) or _giving(kind, traits, (), shallow=depth == 0)
    )
    below = max(depth - 1 - choices.integer(0, 1), 0)
    return (name, *(draw_expression(choices, leaves, part, traits, below, names) for part in FORMS[name].takes))


def kind_of(expression: Expression, leaves: Sequence[Leaf], traits: Sequence[Trait], depth: int = DEEPEST) -> Kind:
    """Return what an expression gives; raise IllTyped for what is none of the leaves and forms."""
    if isinstance(expression, int | float) and not isinstance(expression, bool) and -100 <= expression <= 100:
        if isinstance(expression, float):
            return "float"
        return "positive" if expression > 0 else "natural" if expression == 0 else "int"
    for leaf in leaves:
        if leaf.expression == expression:
            return leaf.kind
    name, *parts = expression if isinstance(expression, tuple) and expression else ("",)
    form = FORMS.get(name) if isinstance(name, str) else None
    if form is None or form.trait not in traits or len(parts) != len(form.takes) or depth < 0:
        raise IllTyped(f"no expression: {str(expression)[:60]}")
    for part, wanted in zip(parts, form.takes, strict=True):
        if wanted not in _WIDER[kind_of(part, leaves, traits, depth - 1)]:
            raise IllTyped(f"{str(part)[:60]} is not {wanted}")
    return form.gives


def fits(expression: Expression, kind: Kind, leaves: Sequence[Leaf], traits: Sequence[Trait]) -> None:
    """Raise IllTyped unless an expression gives a kind of number."""
    if kind not in _WIDER[kind_of(expression, leaves, traits)]:
        raise IllTyped(f"{str(expression)[:60]} is not {kind}")


def written(expression: Expression, names: Sequence[str]) -> str:
    """Return an expression as Python, of operands by name; constants are literals."""
    if not isinstance(expression, tuple):
        return f"({expression!r})" if expression < 0 else repr(expression)
    name, *parts = expression
    if name == "size":
        return f"{names[0]}.shape[{parts[0]}]"
    if name == "value":
        return str(names[parts[0]])
    return FORMS[name].text.format(*(written(part, names) for part in parts))


def leaves_in(expression: Expression) -> Iterator[Expression]:
    """Return the sizes and values that an expression is made of."""
    if isinstance(expression, tuple):
        if expression[0] in ("size", "value"):
            yield expression
        else:
            for part in expression[1:]:
                yield from leaves_in(part)


def simpler_expressions(expression: Expression) -> Iterator[Expression]:
    """Return expressions with a part in the place of a whole."""
    if not isinstance(expression, tuple) or expression[0] in ("size", "value"):
        return
    yield from expression[1:]
    for at, part in enumerate(expression[1:], 1):
        for simpler in simpler_expressions(part):
            yield (*expression[:at], simpler, *expression[at + 1 :])
