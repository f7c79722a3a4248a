"""Pointwise operations: one element of each operand gives one of the result; broadcasting, type promotion."""

from collections.abc import Iterable

from eagerdiff.strategies.programs.operation import (
    Attrs,
    Choices,
    Context,
    IllTyped,
    Operand,
    Operation,
    broadcast,
    kinds,
)
from eagerdiff.strategies.programs.promotion import floating, promoted, real
from eagerdiff.strategies.programs.value_type import Kind, Type

FAMILY = "pointwise"
FLOAT: tuple[Kind, ...] = ("float",)


def unary(name: str, source: str, allowed: Iterable[Kind], result: str = "same", **options: object) -> Operation:
    """Describe an operation of one operand; `result`: same, floating, real, or a dtype."""
    allowed = tuple(allowed)

    def infer(context: Context, attrs: Attrs, x: Type) -> Type:
        kinds(x, *allowed)
        rules = {"same": x.dtype, "floating": floating(x.dtype), "real": real(x.dtype)}
        return x.of(rules.get(result, result))

    return Operation(name=name, family=FAMILY, operands=(Operand(kinds=allowed),), infer=infer, source=source)


def like(choices: Choices, x: Type) -> Type:
    """Ask for a second operand that broadcasts with the first, of its dtype or another of a kind it mixes with."""
    form = choices.pick(("same", "row", "scalar", "number", "other dtype"))
    if form == "number":
        return Type("int64" if x.kind in ("int", "bool") else "float64", plain=True)
    shape = {"row": x.shape[-1:], "scalar": ()}.get(form, x.shape)
    dtype = choices.pick(_MIXED[x.kind]) if form == "other dtype" else x.dtype
    return Type(dtype, shape)


_MIXED = {
    "float": ("float32", "int64", "bool", "float16", "bfloat16", "float64"),
    "int": ("int64", "int32", "bool", "uint8"),
    "bool": ("bool", "int64", "float32"),
    "complex": ("complex64", "float32"),
}


def binary(
    name: str,
    source: str,
    allowed: Iterable[Kind],
    result: str = "promoted",
    *,
    numbers: bool = True,
    masks: bool = True,
) -> Operation:
    """Describe an operation of two operands that broadcast; `result`: promoted, floating, or a dtype.

    `numbers` says whether the second may be a Python number, `masks` whether either may be bool.
    """
    allowed = tuple(allowed)

    def infer(context: Context, attrs: Attrs, x: Type, y: Type) -> Type:
        kinds(x, *allowed)
        kinds(y, *allowed, *(("int", "bool") if "float" in allowed else ()))
        if x.plain or (y.plain and not numbers):
            raise IllTyped("an operand must be a tensor")
        if not masks and "bool" in (x.kind, y.kind):
            raise IllTyped("no arithmetic of masks")
        shape = broadcast(x, y) if not y.plain else x.shape
        dtype = promoted(x, y)
        return Type({"promoted": dtype, "floating": floating(dtype)}.get(result, result), shape)

    operands = (Operand(kinds=allowed), Operand(matching=like))
    return Operation(name=name, family=FAMILY, operands=operands, infer=infer, source=source)


def _clamp_attrs(choices: Choices, x: Type) -> Attrs:
    low = choices.integer(-3, 2)
    return {"low": low, "high": low + choices.integer(0, 4)}


def _same(context: Context, attrs: Attrs, x: Type) -> Type:
    return x.of()


def _where(context: Context, attrs: Attrs, mask: Type, x: Type, y: Type) -> Type:
    kinds(mask, "bool")
    return Type(promoted(x, y), broadcast(mask, x, y))


def _cast(context: Context, attrs: Attrs, x: Type) -> Type:
    if attrs["dtype"] not in _CASTS[x.kind]:
        raise IllTyped(f"no cast from {x.dtype} to {attrs['dtype']}")
    return x.of(attrs["dtype"])


_CASTS = {
    "float": ("float32", "float64", "float16", "bfloat16"),
    "int": ("int64", "float32", "int32", "int16", "bool", "bfloat16", "float64"),
    "bool": ("int64", "float32", "uint8", "float16"),
    "complex": ("complex64", "complex128"),
}

_REAL: tuple[Kind, ...] = ("float", "int", "bool")
_NUMBERS: tuple[Kind, ...] = ("float", "int")
_FIELD: tuple[Kind, ...] = ("float", "complex")
_ALL: tuple[Kind, ...] = ("float", "int", "bool", "complex")

OPERATIONS = (
    *(unary(name, f"torch.{name}({{0}})", _FIELD) for name in ("sin", "cos", "tanh", "exp", "sqrt", "reciprocal")),
    *(
        unary(name, f"torch.{name}({{0}})", _REAL, "floating")
        for name in ("sigmoid", "erf", "log1p", "rsqrt", "atan", "expm1")
    ),
    *(unary(name, f"torch.{name}({{0}})", FLOAT) for name in ("floor", "ceil", "trunc", "round", "frac", "lgamma")),
    *(
        unary(name, f"F.{name}({{0}})", FLOAT)
        for name in ("relu", "silu", "gelu", "softplus", "mish", "hardswish", "elu", "leaky_relu")
    ),
    unary("log", "torch.log({0}.abs())", FLOAT),
    unary("neg", "-{0}", ("float", "int", "complex")),
    unary("abs", "{0}.abs()", ("float", "int", "complex"), "real"),
    unary("sign", "{0}.sign()", _NUMBERS),
    unary("square", "{0}.square()", ("float", "int", "complex")),
    unary("logical_not", "{0}.logical_not()", _ALL, "bool"),
    unary("bitwise_not", "~{0}", ("int", "bool")),
    unary("isnan", "{0}.isnan()", _ALL, "bool"),
    unary("isfinite", "{0}.isfinite()", _REAL, "bool"),
    unary("isinf", "{0}.isinf()", _REAL, "bool"),
    unary("signbit", "{0}.signbit()", _NUMBERS, "bool"),
    unary("nan_to_num", "{0}.nan_to_num()", FLOAT),
    *(
        binary(name, f"{{0}} {sign} {{1}}", _ALL if name == "mul" else ("float", "int", "complex"), masks=name != "sub")
        for name, sign in (("add", "+"), ("sub", "-"), ("mul", "*"))
    ),
    binary("div", "{0} / {1}", ("float", "complex"), "floating"),
    *(
        binary(name, f"torch.{name}({{0}}, {{1}})", FLOAT, numbers=False)
        for name in ("atan2", "hypot", "copysign", "logaddexp", "nextafter")
    ),
    *(
        binary(name, f"{{0}} {sign} {{1}}", _REAL, "bool")
        for name, sign in (("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="))
    ),
    Operation(
        name="clamp",
        family=FAMILY,
        operands=(Operand(kinds=_NUMBERS),),
        attrs=_clamp_attrs,
        infer=_same,
        source="{0}.clamp({low}, {high})",
    ),
    Operation(
        name="where",
        family=FAMILY,
        operands=(
            Operand(kinds=("bool",)),
            Operand(matching=lambda choices, mask: Type(choices.pick(("float32", "int64", "bfloat16")), mask.shape)),
            Operand(matching=lambda choices, mask, x: Type(x.dtype, choices.pick((x.shape, x.shape[-1:], ())))),
        ),
        infer=_where,
        source="torch.where({0}, {1}, {2})",
    ),
    Operation(
        name="to",
        family=FAMILY,
        operands=(Operand(),),
        attrs=lambda choices, x: {"dtype": choices.pick(_CASTS[x.kind])},
        infer=_cast,
        source="{0}.to({dtype})",
    ),
)
