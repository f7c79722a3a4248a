"""Python numbers among the arguments: sizes, offsets and factors that change from call to call."""

from collections.abc import Callable

from eagerdiff.strategies.programs.operation import Attrs, Context, IllTyped, Operand, Operation, kinds
from eagerdiff.strategies.programs.promotion import promoted
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Kind, Type

FAMILY = "numbers"
_ANY: tuple[Kind, ...] = ("float", "int", "bool", "complex")
_NUMBERS: tuple[Kind, ...] = ("float", "int")
_FLOAT: tuple[Kind, ...] = ("float",)
INTEGER = Operand(matching=lambda choices, *earlier: Type("int64", plain=True))
FACTOR = Operand(matching=lambda choices, *earlier: Type("float64", plain=True))
BRANCH = "a Python branch on a size without a hint raises GuardOnDataDependentSymNode"
"""docs: "Dealing with GuardOnDataDependentSymNode errors"."""

Shape = Callable[[Type, Size], tuple[Size, ...]]


def number_of(value: Type) -> Size:
    """Return the value of a Python integer as a formula; raise IllTyped for anything else."""
    if not value.plain or value.number is None:
        raise IllTyped("a Python integer needed")
    return value.number


def with_int(
    name: str,
    source: str,
    shape: Shape = lambda x, n: x.shape,
    allowed: tuple[Kind, ...] = _ANY,
    *,
    ndim: tuple[int, int] = (1, 4),
    setup: str = "",
    guards: int = 0,
    backed_only: str = "",
    form: str = "fresh",
) -> Operation:
    """Describe an operation of a tensor and a Python integer; `form`: fresh, view, overlaps, or promoted dtype."""

    def infer(context: Context, attrs: Attrs, x: Type, n: Type) -> Type:
        kinds(x, *allowed)
        number = number_of(n)
        if not ndim[0] <= x.ndim <= ndim[1]:
            raise IllTyped(f"{x.ndim} dims do not do")
        if backed_only and number.depends_on_data:
            raise IllTyped(backed_only)
        found = shape(x, number)
        forms = {"view": x.view(*found), "overlaps": Type(x.dtype, found, overlaps=True)}
        return forms.get(form, Type(promoted(x, n) if form == "promoted" else x.dtype, found))

    operands = (Operand(kinds=allowed, ndim=ndim), INTEGER)
    return Operation(
        name=name,
        family=FAMILY,
        operands=operands,
        infer=infer,
        source=source,
        setup=setup,
        guards=guards,
        backed_only=backed_only,
    )


def of_int(name: str, source: str, shape: Callable[[Size], tuple[Size, ...]], dtype: str = "float32") -> Operation:
    """Describe a tensor that is made from a Python integer."""

    def infer(context: Context, attrs: Attrs, n: Type) -> Type:
        return Type(dtype, shape(number_of(n)))

    return Operation(name=name, family=FAMILY, operands=(INTEGER,), infer=infer, source=source)


def with_float(name: str, source: str, allowed: tuple[Kind, ...] = _FLOAT, **options: object) -> Operation:
    """Describe an operation of a tensor and a Python float that keeps the shape."""

    def infer(context: Context, attrs: Attrs, x: Type, s: Type) -> Type:
        kinds(x, *allowed)
        if not s.plain or s.dtype != "float64":
            raise IllTyped("a Python float needed")
        return Type(promoted(x, s), x.shape)

    operands = (Operand(kinds=allowed), FACTOR)
    return Operation(name=name, family=FAMILY, operands=operands, infer=infer, source=source, **options)  # pyright: ignore[reportArgumentType]


def _arange(context: Context, attrs: Attrs, n: Type) -> Type:
    return Type("int64", (number_of(n),), below=number_of(n))


def _positions(context: Context, attrs: Attrs, x: Type, n: Type) -> Type:
    if not x.ndim:
        raise IllTyped("no dims")
    return Type("int64", (x.shape[0],), below=x.shape[0] + number_of(n))


def _head(x: Type, n: Size) -> tuple[Size, ...]:
    return (n.least(x.shape[0]), *x.shape[1:])


def _tail(x: Type, n: Size) -> tuple[Size, ...]:
    return (x.shape[0] - n.least(x.shape[0]), *x.shape[1:])


def _strided(x: Type, n: Size) -> tuple[Size, ...]:
    return ((x.shape[0] + n) // (n + 1), *x.shape[1:])


OPERATIONS = (
    with_int("head", "{0}[:{1}]", _head, guards=1, form="view"),
    with_int("head_min", "{0}[: min({1}, {0}.shape[0])]", _head, guards=1, form="view"),
    with_int("narrow_min", "{0}.narrow(0, 0, min({1}, {0}.shape[0]))", _head, guards=1, form="view"),
    with_int("tail", "{0}[{1}:]", _tail, guards=1, form="view"),
    with_int("half_head", "{0}[: {1} // 2]", lambda x, n: _head(x, n // 2), guards=2, form="view"),
    with_int("every_nth", "{0}[:: {1} + 1]", _strided, guards=2, form="view"),
    with_int("roll_by", "{0}.roll({1}, -1)"),
    with_int("pad_by", "F.pad({0}, ({1}, 1))", lambda x, n: (*x.shape[:-1], x.shape[-1] + n + 1), _NUMBERS),
    with_int("tril_by", "{0}.tril({1})", allowed=_NUMBERS, ndim=(2, 4)),
    with_int("triu_by", "{0}.triu({1} - 1)", allowed=_NUMBERS, ndim=(2, 4)),
    with_int("repeat_by", "{0}.repeat({1}, 1)", lambda x, n: (x.shape[0] * n, x.shape[1]), ndim=(2, 2)),
    with_int("repeat_interleave_by", "{0}.repeat_interleave({1}, 0)", lambda x, n: (x.shape[0] * n, *x.shape[1:])),
    with_int(
        "expand_by",
        "{0}.unsqueeze(1).expand(-1, {1}, *{0}.shape[1:])",
        lambda x, n: (x.shape[0], n, *x.shape[1:]),
        ndim=(1, 3),
        form="overlaps",
    ),
    with_int("new_zeros_by", "{0}.new_zeros({0}.shape[0], {1})", lambda x, n: (x.shape[0], n)),
    with_int("new_full_by", "{0}.new_full(({1},), 3)", lambda x, n: (n,), _NUMBERS),
    with_int("times_int", "{0} * {1}", allowed=_NUMBERS, ndim=(0, 4), form="promoted"),
    with_int("plus_int_squared", "{0} + {1} ** 2", allowed=_NUMBERS, ndim=(0, 4), form="promoted"),
    with_int("over_int", "{0} / ({1} + 1)", allowed=_FLOAT, ndim=(0, 4), form="promoted"),
    with_int("clamp_by_int", "{0}.clamp(max={1})", allowed=_NUMBERS, ndim=(0, 4)),
    with_int("rows_before", "{0} * (torch.arange({0}.shape[-1], device={0}.device) < {1})", allowed=_NUMBERS),
    with_int(
        "branch_on_int",
        "{0} * 2 if {1} > 2 else {0} + 1",
        allowed=_NUMBERS,
        ndim=(0, 4),
        guards=1,
        backed_only=BRANCH,
    ),
    with_int(
        "loop_over_int",
        "{out}_sum",
        allowed=_NUMBERS,
        ndim=(0, 4),
        setup="{out}_sum = {0} + 1\nfor {out}_i in range(min({1}, 3)):\n    {out}_sum = {out}_sum + {0} * {out}_i",
        guards=4,
        backed_only=BRANCH,
    ),
    of_int("full_of", "torch.full(({0}, 3), 0.5)", lambda n: (n, Size.of(3))),
    of_int("ones_of", "torch.ones({0}, {0} + 1)", lambda n: (n, n + 1)),
    of_int("eye_of", "torch.eye({0})", lambda n: (n, n)),
    of_int("linspace_of", "torch.linspace(0, 1, {0})", lambda n: (n,)),
    of_int("arange_twice_of", "torch.arange({0}, 3 * {0} + 1)", lambda n: (n * 2 + 1,), "int64"),
    of_int("tensor_of", "torch.tensor({0})", lambda n: (), "int64"),
    Operation(name="arange_of", family=FAMILY, operands=(INTEGER,), infer=_arange, source="torch.arange({0})"),
    Operation(
        name="positions",
        family=FAMILY,
        operands=(Operand(ndim=(1, 4)), INTEGER),
        infer=_positions,
        source="torch.arange({1}, {1} + {0}.shape[0], device={0}.device)",
    ),
    with_float("times_float", "{0} * {1}", _NUMBERS),
    with_float("plus_float", "{0} + {1}", _NUMBERS),
    # AOTAutograd makes tensors only of floats in arithmetic: each value of another is compiled.
    with_float("alpha_float", "torch.add({0}, {0}, alpha={1})", guards=8),
    with_float("over_temperature", "({0} / {1}).sigmoid()"),
    with_float("clamp_max_float", "{0}.clamp(max={1})"),
    with_float("full_like_float", "torch.full_like({0}, {1})"),
    with_float("where_float", "torch.where({0} > {1}, {0}, {1})", guards=8),
    with_float("leaky_by_float", "F.leaky_relu({0}, {1})"),
    with_float("threshold_float", "F.threshold({0}, {1}, 0.0)"),
    with_float("float_arithmetic", "{0} * ({1} * 2 + 1) - {1} ** 2"),
    with_float("branch_on_float", "{0} * {1} if {1} > 0 else {0} - 1", guards=1),
)
