"""Sizes as values: tensors made from the sizes of others, tensors scaled by their own size."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from eagerdiff.strategies.programs.attributes import real_number, whole
from eagerdiff.strategies.programs.families.one_tensor import dim_attr, one_tensor, two_dims
from eagerdiff.strategies.programs.operation import ANY, Attrs, Choices, Context, IllTyped, Operation, dim_of
from eagerdiff.strategies.programs.promotion import floating, promoted
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Kind, Type

FAMILY = "sized"
_DTYPES = ("float32", "int64", "bool", "bfloat16")
_INT = Type("int64", plain=True)
_FLOAT_NUMBER = Type("float64", plain=True)


def _value(choices: Choices, x: Type) -> Attrs:
    return {"value": choices.number() if x.kind in ("float", "complex") else choices.integer(0, 5)}


def _filled(context: Context, attrs: Attrs, x: Type) -> Type:
    value = real_number(attrs["value"])
    if isinstance(value, float) and x.kind not in ("float", "complex"):
        raise IllTyped(f"{value} in {x.dtype}")
    return x.of()


def _like(context: Context, attrs: Attrs, x: Type) -> Type:
    if attrs["dtype"] not in _DTYPES:
        raise IllTyped(f"no dtype {attrs['dtype']!r}")
    return x.of(attrs["dtype"])


def _dtype(choices: Choices, x: Type) -> Attrs:
    return {"dtype": choices.pick(_DTYPES)}


def made(name: str, source: str, rule: Callable[[Type, Size], Type]) -> Operation:
    """Describe a tensor made from the size `{n}` of one dim; only shape, dtype and device of x count."""

    def infer(context: Context, attrs: Attrs, x: Type) -> Type:
        return rule(x, x.shape[dim_of(x, attrs["dim"])])

    written = source.replace("{n}", "{0}.shape[{dim}]").replace("{device}", "device={0}.device")
    return one_tensor(FAMILY, name, written, infer, dim_attr, ndim=(1, 4))


def grid(name: str, source: str, rule: Callable[[Type, Size, Size], Type]) -> Operation:
    """Describe a tensor made from the sizes `{n}` and `{m}` of two dims, which may be the same."""

    def infer(context: Context, attrs: Attrs, x: Type) -> Type:
        return rule(x, x.shape[dim_of(x, attrs["dim"])], x.shape[dim_of(x, attrs["other"])])

    written = source.replace("{n}", "{0}.shape[{dim}]").replace("{m}", "{0}.shape[{other}]")
    return one_tensor(FAMILY, name, written.replace("{device}", "device={0}.device"), infer, two_dims, ndim=(1, 4))


def scaled(
    name: str,
    source: str,
    dtype: Callable[[Type], str] = lambda x: promoted(x, _INT),
    *,
    least: int = 0,
    allowed: tuple[Kind, ...] = ANY,
    gradients: bool = True,
    traced_only: str = "",
) -> Operation:
    """Describe arithmetic of a tensor and the size `{n}` of one of its dims, at least `least`."""

    def infer(context: Context, attrs: Attrs, x: Type) -> Type:
        context.need(x.shape[dim_of(x, attrs["dim"])], least)
        return x.of(dtype(x))

    written = source.replace("{n}", "{0}.size({dim})")
    return one_tensor(
        FAMILY,
        name,
        written,
        infer,
        dim_attr,
        ndim=(1, 4),
        allowed=allowed,
        gradients=gradients,
        traced_only=traced_only,
    )


def _same_dtype(x: Type) -> str:
    return x.dtype


def _by_float(x: Type) -> str:
    return promoted(x, _FLOAT_NUMBER)


def _divided(x: Type) -> str:
    return floating(promoted(x, _INT))


def _row(dtype: str, size: Size, below: Size | None = None) -> Type:
    return Type(dtype, (size,), below)


def _bounded(context: Context, attrs: Attrs, x: Type) -> Type:
    """Type integers brought into [0, n): they may serve as indices."""
    size = x.shape[dim_of(x, attrs["dim"])]
    context.need(size, 1)
    if x.dtype != "int64":
        raise IllTyped(f"indices are int64, not {x.dtype}")
    return replace(x.of(), below=size)


def _by_ratio(context: Context, attrs: Attrs, x: Type) -> Type:
    dim_of(x, attrs["dim"])
    context.need(x.shape[dim_of(x, attrs["other"])], 1)
    return x.of(_by_float(x))


def _by_numel(context: Context, attrs: Attrs, x: Type) -> Type:
    return x.of(promoted(x, _INT))


def _mean(context: Context, attrs: Attrs, x: Type) -> Type:
    return Type(x.dtype)


def _numel_filled(context: Context, attrs: Attrs, x: Type) -> Type:
    return _filled(context, attrs, x).of(shape=(x.numel,))


def _head_and(context: Context, attrs: Attrs, x: Type) -> Type:
    return x.of(shape=(*x.shape[:-1], Size.of(whole(attrs["count"], 0, 4))))


sized = partial(one_tensor, FAMILY)
_TWO = Size.of(2)
_INTEGERS: tuple[Kind, ...] = ("int",)
_REAL: tuple[Kind, ...] = ("float", "int", "bool")
_NUMBERS: tuple[Kind, ...] = ("float", "int")
_RANGE = "torch.arange({n}, {device})"

OPERATIONS = (
    *(sized(f"{name}_like", f"torch.{name}_like({{0}}, dtype={{dtype}})", _like, _dtype) for name in ("zeros", "ones")),
    sized("full_like", "torch.full_like({0}, {value})", _filled, _value),
    sized("empty_like_filled", "torch.empty_like({0}).fill_({value})", _filled, _value),
    sized("new_full_numel", "{0}.new_full(({0}.numel(),), {value})", _numel_filled, _value),
    sized(
        "new_zeros_head",
        "{0}.new_zeros({0}.shape[:-1] + ({count},))",
        _head_and,
        lambda choices, x: {"count": choices.integer(0, 3)},
        ndim=(1, 4),
    ),
    grid("new_zeros", "{0}.new_zeros({n}, 2 * {m})", lambda x, n, m: x.of(shape=(n, m * 2))),
    grid("new_ones", "{0}.new_ones(({n} + 1, {m}))", lambda x, n, m: x.of(shape=(n + 1, m))),
    made("zeros", "torch.zeros({n}, 3, {device})", lambda x, n: Type("float32", (n, Size.of(3)))),
    made("full_of_size", "torch.full(({n},), {n}, {device})", lambda x, n: _row("int64", n, n + 1)),
    made("arange", _RANGE, lambda x, n: _row("int64", n, n)),
    made("arange_float", "torch.arange({n}, dtype=torch.float32, {device})", lambda x, n: _row("float32", n)),
    made("arange_from_one", "torch.arange(1, {n} + 1, {device})", lambda x, n: _row("int64", n, n + 1)),
    made("arange_even", "torch.arange(0, {n}, 2, {device})", lambda x, n: _row("int64", (n + 1) // 2, n)),
    made("arange_down", "torch.arange({n} - 1, -1, -1, {device})", lambda x, n: _row("int64", n, n)),
    made("arange_around", "torch.arange(-{n}, {n}, {device})", lambda x, n: _row("int64", n * 2)),
    made("linspace", "torch.linspace(0, 1, {n}, {device})", lambda x, n: _row("float32", n)),
    made("linspace_to_size", "torch.linspace(-1, {n}, {n} + 1, {device})", lambda x, n: _row("float32", n + 1)),
    made("eye", "torch.eye({n}, {device})", lambda x, n: Type("float32", (n, n))),
    grid("eye_wide", "torch.eye({n}, {m}, dtype=torch.int64, {device})", lambda x, n, m: Type("int64", (n, m))),
    grid(
        "causal_mask",
        "torch.ones({n}, {m}, dtype=torch.bool, {device}).tril()",
        lambda x, n, m: Type("bool", (n, m)),
    ),
    grid(
        "window_mask",
        "(torch.arange({n}, {device})[:, None] - torch.arange({m}, {device})[None]).abs() < 3",
        lambda x, n, m: Type("bool", (n, m)),
    ),
    made("half_mask", f"{_RANGE} < {{n}} // 2", lambda x, n: _row("bool", n)),
    made(
        "tril_indices",
        "torch.tril_indices({n}, {n}, {device})",
        lambda x, n: Type("int64", (_TWO, n * (n + 1) // 2), n),
    ),
    scaled("div_size", "{0} / {n}", _divided),
    scaled("mul_size", "{0} * {n}"),
    scaled("add_size", "{0} + {n}"),
    scaled("rsub_size", "{n} - {0}", allowed=("float", "int", "complex")),
    scaled("floor_div_size", "{0} // {n}", least=1, allowed=_NUMBERS, gradients=False),
    scaled("mod_size", "{0} % {n}", least=1, allowed=_NUMBERS),
    scaled("rsqrt_size", "{0} * {n} ** -0.5", _by_float, least=1),
    scaled("sqrt_size", "{0} / {n} ** 0.5", _by_float, least=1),
    scaled("reciprocal_size", "{0} * (1.0 / {n})", _by_float, least=1),
    scaled("parity_of_size", "{0} * ({n} % 2)"),
    scaled("third_of_size", "{0} + {n} // 3"),
    scaled("smaller_size", "{0} * min({n}, 4)"),
    scaled("larger_size", "{0} + max({n}, {0}.size(0))"),
    scaled("squared_size", "{0} - {n} * {n}", allowed=("float", "int", "complex")),
    scaled(
        "float_of_size",
        "{0} * float({n})",
        _by_float,
        traced_only="float() of a size must have a value where Python itself runs",
    ),
    scaled("clamp_to_size", "{0}.clamp(max={n})", _same_dtype, allowed=("float",)),
    scaled("below_size", "{0} < {n}", lambda x: "bool", allowed=_REAL),
    sized("wrap_indices", "{0} % {0}.shape[{dim}]", _bounded, dim_attr, ndim=(1, 4), allowed=_INTEGERS),
    sized("clamp_indices", "{0}.clamp(0, {0}.shape[{dim}] - 1)", _bounded, dim_attr, ndim=(1, 4), allowed=_INTEGERS),
    sized("ratio_of_sizes", "{0} * ({0}.shape[{dim}] / {0}.shape[{other}])", _by_ratio, two_dims, ndim=(1, 4)),
    sized("mul_numel", "{0} * {0}.numel()", _by_numel),
    sized("mean_by_numel", "{0}.sum() / {0}.numel()", _mean, allowed=("float", "complex")),
)
