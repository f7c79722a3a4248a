"""Python numbers that come from tensors: `.item()` and `.tolist()`, with the checks that make them sizes."""

from collections.abc import Callable

from eagerdiff.strategies.programs.families.data_dependent import ROW_MASK, check_row_mask
from eagerdiff.strategies.programs.operation import Attrs, Context, IllTyped, Operand, Operation, kinds
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Kind, Type

FAMILY = "items"
_ANY: tuple[Kind, ...] = ("float", "int", "bool", "complex")
_NUMBERS: tuple[Kind, ...] = ("float", "int")
_COUNT = (
    "{out}_n = {1}.sum().item()\n"
    "torch._check({out}_n >= 0)\n"
    "torch._check({out}_n <= {0}.shape[0])"
)  # fmt: skip
"""How many rows a mask names: what the documentation asks for before a size may be used as one."""

Shape = Callable[[Type, Size], tuple[Size, ...]]


def by_count(
    name: str,
    source: str,
    shape: Shape,
    allowed: tuple[Kind, ...] = _ANY,
    *,
    ndim: tuple[int, int] = (1, 4),
    setup: str = _COUNT,
    overlaps: bool = False,
    view: bool = False,
) -> Operation:
    """Describe an operation of x and the count of a mask of its rows; `shape(x, count)` is what it gives."""

    def infer(context: Context, attrs: Attrs, x: Type, mask: Type) -> Type:
        kinds(x, *allowed)
        check_row_mask(x, mask)
        if not ndim[0] <= x.ndim <= ndim[1]:
            raise IllTyped(f"{x.ndim} dims do not do")
        found = shape(x, context.fresh())
        return Type(x.dtype, found, overlaps=True) if overlaps else x.view(*found) if view else x.of(shape=found)

    operands = (Operand(kinds=allowed, ndim=ndim), ROW_MASK)
    return Operation(name=name, family=FAMILY, operands=operands, infer=infer, source=source, setup=setup)


def made(name: str, source: str, dtype: str, *more: int) -> Operation:
    """Describe a tensor that is made with as many rows as a mask is true; further sizes are constants."""

    def infer(context: Context, attrs: Attrs, mask: Type) -> Type:
        kinds(mask, "bool")
        size = context.fresh()
        return Type(dtype, (size, *map(Size.of, more)), below=size if dtype == "int64" else None)

    return Operation(
        name=name,
        family=FAMILY,
        operands=(Operand(kinds=("bool",), ndim=(1, 3)),),
        infer=infer,
        setup="{out}_n = {0}.sum().item()\ntorch._check({out}_n >= 0)",
        source=source,
    )


def _rows(x: Type, size: Size) -> tuple[Size, ...]:
    return (size, *x.shape[1:])


def _rest(x: Type, size: Size) -> tuple[Size, ...]:
    return (x.shape[0] - size, *x.shape[1:])


def _split(context: Context, attrs: Attrs, x: Type, mask: Type) -> tuple[Type, Type]:
    check_row_mask(x, mask)
    size = context.fresh()
    return x.view(*_rows(x, size)), x.view(*_rest(x, size))


def _item(context: Context, attrs: Attrs, index: Type) -> Type:
    if index.below is None or index.ndim or index.dtype != "int64":
        raise IllTyped("a 0-d tensor of indices needed")
    context.need(index.below, 1)
    return Type("int64", plain=True, number=context.fresh())


def _count(context: Context, attrs: Attrs, mask: Type) -> Type:
    kinds(mask, "bool")
    return Type("int64", plain=True, number=context.fresh())


def _number(context: Context, attrs: Attrs, x: Type) -> Type:
    kinds(x, "float")
    if x.ndim:
        raise IllTyped("a 0-d tensor needed")
    return Type("float64", plain=True, number=context.fresh())


def _picked(context: Context, attrs: Attrs, x: Type, index: Type) -> Type:
    if index.ndim or index.below != x.shape[0] or index.dtype != "int64":
        raise IllTyped("a 0-d index of a row needed")
    context.need(x.shape[0], 1)
    context.fresh()
    return x.view(*x.shape[1:])


_ROWS = Operand(ndim=(1, 4))
_INDEX = Operand(matching=lambda choices, x: Type("int64", (), below=x.shape[0]))

OPERATIONS = (
    by_count("head_by_count", "{0}[:{out}_n]", _rows, view=True),
    by_count("tail_by_count", "{0}[{out}_n:]", _rest, view=True),
    by_count("narrow_by_count", "{0}.narrow(0, 0, {out}_n)", _rows, view=True),
    by_count("last_by_count", "{0}[{0}.shape[0] - {out}_n :]", _rows, view=True),
    by_count("head_sum_by_count", "{0}[:{out}_n].sum(0)", lambda x, size: x.shape[1:], ("float",)),
    by_count("pad_by_count", "F.pad({0}, (0, {out}_n))", lambda x, size: (*x.shape[:-1], x.shape[-1] + size), _NUMBERS),
    by_count(
        "expand_by_count",
        "{0}.unsqueeze(0).expand({out}_n, *{0}.shape)",
        lambda x, size: (size, *x.shape),
        ndim=(1, 3),
        overlaps=True,
    ),
    by_count(
        "repeat_by_count",
        "{0}.unsqueeze(0).repeat({out}_n, *[1] * {0}.dim())",
        lambda x, size: (size, *x.shape),
        ndim=(1, 3),
    ),
    by_count(
        "zeros_by_count",
        "{0}.new_zeros({out}_n, {0}.shape[-1])",
        lambda x, size: (size, x.shape[-1]),
    ),
    by_count(
        "cat_by_count",
        "torch.cat(({0}, {0}[:{out}_n]))",
        lambda x, size: (x.shape[0] + size, *x.shape[1:]),
    ),
    by_count("roll_by_count", "{0}.roll({out}_n, 0)", lambda x, size: x.shape),
    by_count(
        "rows_below_count",
        "{0} * ({out}_rows < {out}_n).reshape(-1, *[1] * ({0}.dim() - 1))",
        lambda x, size: x.shape,
        _NUMBERS,
        setup=_COUNT + "\n{out}_rows = torch.arange({0}.shape[0], device={0}.device)",
    ),
    by_count(
        "masked_mean_by_item",
        "({0} * {1}.reshape(-1, *[1] * ({0}.dim() - 1))).sum(0) / max({out}_n, 1)",
        lambda x, size: x.shape[1:],
        ("float",),
    ),
    made("zeros_of_count", "torch.zeros({out}_n, 3, device={0}.device)", "float32", 3),
    made("full_of_count", "torch.full(({out}_n,), 0.5, device={0}.device)", "float32"),
    made("arange_of_count", "torch.arange({out}_n, device={0}.device)", "int64"),
    Operation(
        name="split_by_count",
        family=FAMILY,
        operands=(_ROWS, ROW_MASK),
        infer=_split,
        setup=_COUNT,
        source="{0}.split([{out}_n, {0}.shape[0] - {out}_n])",
        results=2,
    ),
    Operation(
        name="split_by_tolist",
        family=FAMILY,
        operands=(_ROWS, ROW_MASK),
        infer=_split,
        setup="{out}_sizes = torch.stack(({1}.sum(), (~{1}).sum())).tolist()",
        source="{0}.split({out}_sizes)",
        results=2,
    ),
    Operation(
        name="item",
        family=FAMILY,
        operands=(Operand(matching=lambda choices: Type("int64", (), below=Size.of(choices.pick((8, 3))))),),
        infer=_item,
        setup="{out}_n = {0}.item()\ntorch._check({out}_n >= 0)\ntorch._check({out}_n <= 8)",
        source="{out}_n",
    ),
    Operation(
        name="count_item",
        family=FAMILY,
        operands=(Operand(kinds=("bool",), ndim=(1, 3)),),
        infer=_count,
        setup="{out}_n = {0}.sum().item()\ntorch._check({out}_n >= 0)\ntorch._check({out}_n <= {0}.numel())",
        source="{out}_n",
    ),
    Operation(
        name="float_item",
        family=FAMILY,
        operands=(Operand(matching=lambda choices: Type("float32")),),
        infer=_number,
        source="{0}.item()",
    ),
    Operation(
        name="row_by_item",
        family=FAMILY,
        operands=(_ROWS, _INDEX),
        infer=_picked,
        setup="{out}_n = {1}.item()\ntorch._check({out}_n >= 0)\ntorch._check({out}_n < {0}.shape[0])",
        source="{0}[{out}_n]",
    ),
)
