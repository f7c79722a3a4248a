"""NVIDIA's libdevice on numpy arrays, function by function, by symbol (`__nv_expf`)."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from eagerdiff.harness.devices.interpreted.values import Array

Function = Callable[..., Array]
"""Compute lane by lane, from as many blocks as the function has arguments."""


def call(symbol: str, *arguments: Array) -> Array:
    """Compute a libdevice symbol; raise NotImplementedError naming it where it is not known."""
    name = symbol.removeprefix("__nv_")
    arguments = tuple(np.broadcast_arrays(*arguments)) if len(arguments) > 1 else arguments
    dtype = next(iter(arguments)).dtype
    for candidate in (name, name.removesuffix("f"), name.removesuffix("d"), name.removesuffix("ll")):
        if candidate in FUNCTIONS:
            return FUNCTIONS[candidate](*arguments)
    stem, _, mode = name.rpartition("_")
    if mode in ("rn", "rz", "rd", "ru") and stem in EXACT:
        return _directed(EXACT[stem](*(_widen(argument) for argument in arguments)), dtype, mode)
    if mode in ("rn", "rz", "rd", "ru") and "2" in stem:
        return _convert(next(iter(arguments)), stem.split("2")[1], mode)
    raise NotImplementedError(f"libdevice function {symbol} is not interpreted")


def erf(x: Array) -> Array:
    """Return the error function, in the argument's dtype."""
    return _special(torch.special.erf)(x)


def high_product(a: Array, b: Array) -> Array:
    """Return the upper half of the product of two unsigned arrays of one dtype."""
    bits = a.dtype.itemsize * 8
    if bits < 64:
        return ((a.astype(np.uint64) * b.astype(np.uint64)) >> np.uint64(bits)).astype(a.dtype)
    half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
    a_high, a_low, b_high, b_low = a >> half, a & low, b >> half, b & low
    middle = a_high * b_low + ((a_low * b_low) >> half)
    other = a_low * b_high + (middle & low)
    return a_high * b_high + (middle >> half) + (other >> half)


def _special(function: Callable[[torch.Tensor], torch.Tensor]) -> Function:
    def apply(x: Array) -> Array:
        return function(torch.from_numpy(np.array(x, dtype=np.float64))).numpy().astype(x.dtype)

    return apply


def _bessel(function: Callable[[torch.Tensor], torch.Tensor], at_infinity: Function) -> Function:
    inside = _special(function)
    return lambda x: np.where(np.isinf(x), at_infinity(x), inside(x)).astype(x.dtype)


def _each(function: Callable[..., float]) -> Function:
    vectorised = np.vectorize(function, otypes=[np.float64])
    return lambda *arguments: vectorised(*arguments).astype(arguments[-1].dtype)


def _gamma(x: float) -> float:
    try:
        return math.gamma(x)
    except OverflowError:
        return math.inf
    except ValueError:
        return math.copysign(math.inf, x) if x == 0 else math.nan


def _bessel_first(order: int, x: float) -> float:
    steps = np.linspace(0, np.pi, 2001)
    return float(np.trapezoid(np.cos(order * steps - x * np.sin(steps)), steps) / np.pi)


def _erfcinv(x: Array) -> Array:
    return -_special(torch.special.ndtri)(np.asarray(x / 2)) / np.sqrt(x.dtype.type(2))


def _reciprocal(function: Function) -> Function:
    return lambda *arguments: (1 / function(*(_widen(argument) for argument in arguments))).astype(arguments[0].dtype)


def _wide(function: Function) -> Function:
    """Compute in float64 and round once."""
    return lambda *arguments: function(*(_widen(argument) for argument in arguments)).astype(arguments[0].dtype)


def _widen(data: Array) -> NDArray[np.float64]:
    return data.astype(np.float64)


def _ilogb(x: Array) -> NDArray[np.int32]:
    exponent = np.frexp(np.abs(x))[1].astype(np.int64) - 1
    special = np.where(np.isinf(x), 2**31 - 1, -(2**31))
    return np.where(np.isfinite(x) & (x != 0), exponent, special).astype(np.int32)


def _sine_of_turns(x: Array) -> Array:
    """Return sin(pi x), exactly 0 at whole numbers."""
    turned = np.sin(np.pi * np.fmod(x, 2))
    return np.where(np.isfinite(x) & (x == np.floor(x)), np.copysign(0.0, x), turned)


def _logb(x: Array) -> Array:
    exponent = (np.frexp(np.abs(x))[1] - 1).astype(x.dtype)
    return np.where(x == 0, -np.inf, np.where(np.isinf(x), np.inf, np.where(np.isnan(x), np.nan, exponent))).astype(
        x.dtype
    )


def _leading_zeros(x: Array) -> NDArray[np.int32]:
    width = x.dtype.itemsize * 8
    bits = x.view(f"u{x.dtype.itemsize}").copy()
    count = np.full(x.shape, width, dtype=np.int32)
    while bits.any():
        count -= bits != 0
        bits >>= bits.dtype.type(1)
    return count


def _reverse_bits(x: Array) -> Array:
    flat = np.ascontiguousarray(x).view(np.uint8).reshape(*x.shape, x.dtype.itemsize)
    turned = np.packbits(np.unpackbits(flat, axis=-1)[..., ::-1], axis=-1)
    return np.ascontiguousarray(turned).view(x.dtype).reshape(x.shape)


def _find_first_set(x: Array) -> NDArray[np.int32]:
    lowest = x & -x
    return np.where(x == 0, 0, x.dtype.itemsize * 8 - _leading_zeros(lowest)).astype(np.int32)


def _byte_perm(x: Array, y: Array, selector: Array) -> Array:
    both = x.view(np.uint32).astype(np.uint64) | (y.view(np.uint32).astype(np.uint64) << np.uint64(32))
    result = np.zeros(x.shape, dtype=np.uint64)
    for place in range(4):
        chosen = (selector.view(np.uint32).astype(np.uint64) >> np.uint64(4 * place)) & np.uint64(7)
        result |= ((both >> (chosen * np.uint64(8))) & np.uint64(0xFF)) << np.uint64(8 * place)
    return result.astype(np.uint32).view(x.dtype)


def _signed_high_product(a: Array, b: Array) -> Array:
    unsigned = f"u{a.dtype.itemsize}"
    high = high_product(a.view(unsigned), b.view(unsigned)).view(a.dtype)
    return high - np.where(a < 0, b, 0).astype(a.dtype) - np.where(b < 0, a, 0).astype(a.dtype)


def _round_half_away(x: Array) -> Array:
    return np.where(np.abs(x - np.trunc(x)) == 0.5, np.trunc(x) + np.copysign(1, x), np.rint(x)).astype(x.dtype)


def _to_integer(x: Array, held: type[np.number[Any]]) -> Array:
    from eagerdiff.harness.devices.interpreted.casts import float_to_integer

    return float_to_integer(x, np.dtype(held))


def _directed(exact: NDArray[np.float64], dtype: np.dtype[Any], mode: str) -> Array:
    near = exact.astype(dtype)
    if mode == "rn":
        return near
    wrong = {
        "rz": np.abs(near.astype(np.float64)) > np.abs(exact),
        "rd": near > exact,
        "ru": near < exact,
    }[mode]
    towards = {"rz": 0.0, "rd": -np.inf, "ru": np.inf}[mode]
    return np.where(wrong, np.nextafter(near, dtype.type(towards)), near)


_TARGETS: dict[str, type[np.number[Any]]] = {
    "int": np.int32,
    "uint": np.uint32,
    "ll": np.int64,
    "ull": np.uint64,
    "float": np.float32,
    "double": np.float64,
}


def _convert(x: Array, target: str, mode: str) -> Array:
    held = np.dtype(_TARGETS[target])
    if held.kind == "f":
        return _directed(x.astype(np.float64), held, mode)
    rounded = {"rn": np.rint, "rz": np.trunc, "rd": np.floor, "ru": np.ceil}[mode](x)
    return _to_integer(rounded, held.type)


EXACT: dict[str, Function] = {
    stem: function
    for prefix in ("f", "d", "")
    for stem, function in {
        f"{prefix}add": np.add,
        f"{prefix}sub": np.subtract,
        f"{prefix}mul": np.multiply,
        f"{prefix}div": np.divide,
        f"{prefix}sqrt": np.sqrt,
        f"{prefix}rcp": lambda x: 1 / x,
        f"{prefix}rsqrt": lambda x: 1 / np.sqrt(x),
    }.items()
} | {"fma": lambda x, y, z: x * y + z, "fmaf": lambda x, y, z: x * y + z}
"""Functions with a rounding mode, by symbol without it."""

FUNCTIONS: dict[str, Function] = {
    "abs": np.abs, "fabs": np.abs, "llabs": np.abs,
    "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh,
    "atan": np.arctan, "atan2": np.arctan2, "atanh": np.arctanh,
    "brev": _reverse_bits, "byte_perm": _byte_perm, "clz": _leading_zeros, "ffs": _find_first_set,
    "popc": lambda x: np.bitwise_count(x.view(f"u{x.dtype.itemsize}")).astype(np.int32),
    "cbrt": np.cbrt, "rcbrt": _reciprocal(np.cbrt),
    "ceil": np.ceil, "floor": np.floor, "trunc": np.trunc, "rint": np.rint, "nearbyint": np.rint,
    "round": _round_half_away,
    "llrint": lambda x: _to_integer(np.rint(x), np.int64),
    "llround": lambda x: _to_integer(_round_half_away(x), np.int64),
    "copysign": np.copysign, "signbit": lambda x: np.signbit(x).astype(np.int32),
    "cos": np.cos, "sin": np.sin, "tan": np.tan, "cosh": np.cosh, "sinh": np.sinh, "tanh": np.tanh,
    "cospi": _wide(lambda x: _sine_of_turns(x + 0.5)), "sinpi": _wide(lambda x: _sine_of_turns(x)),
    "fast_cos": np.cos, "fast_sin": np.sin, "fast_tan": np.tan, "fast_tanh": np.tanh,
    "fast_exp": np.exp, "fast_exp10": _wide(lambda x: 10.0**x), "fast_log": np.log, "fast_log2": np.log2,
    "fast_log10": np.log10, "fast_pow": np.power, "fast_fdivide": np.divide,
    "cyl_bessel_i0": _bessel(torch.special.i0, np.abs), "cyl_bessel_i1": _bessel(torch.special.i1, np.positive),
    "j0": _bessel(torch.special.bessel_j0, np.zeros_like), "j1": _bessel(torch.special.bessel_j1, np.zeros_like),
    "y0": _bessel(torch.special.bessel_y0, np.zeros_like), "y1": _bessel(torch.special.bessel_y1, np.zeros_like),
    "jn": _each(_bessel_first),
    "erf": erf, "erfc": _special(torch.special.erfc), "erfcx": _special(torch.special.erfcx),
    "erfinv": _special(torch.special.erfinv), "erfcinv": _erfcinv,
    "normcdf": _special(torch.special.ndtr), "normcdfinv": _special(torch.special.ndtri),
    "lgamma": _special(torch.special.gammaln), "tgamma": _each(_gamma), "digamma": _special(torch.special.digamma),
    "exp": np.exp, "exp2": np.exp2, "exp10": _wide(lambda x: 10.0**x), "expm1": np.expm1,
    "log": np.log, "log2": np.log2, "log10": np.log10, "log1p": np.log1p,
    "pow": np.power, "powi": lambda x, y: np.power(x, y.astype(x.dtype)),
    "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x),
    "fdim": lambda x, y: np.where(np.isnan(x) | np.isnan(y), x + y, np.fmax(x - y, 0)).astype(x.dtype),
    "fma": _wide(lambda x, y, z: x * y + z),
    "fmod": np.fmod,
    "remainder": lambda x, y: _each(lambda a, b: math.remainder(a, b) if b and math.isfinite(a) else math.nan)(x, y),
    "hypot": np.hypot, "rhypot": _reciprocal(np.hypot),
    "norm3d": _wide(lambda x, y, z: np.sqrt(x * x + y * y + z * z)),
    "rnorm3d": _wide(lambda x, y, z: 1 / np.sqrt(x * x + y * y + z * z)),
    "norm4d": _wide(lambda x, y, z, t: np.sqrt(x * x + y * y + z * z + t * t)),
    "rnorm4d": _wide(lambda x, y, z, t: 1 / np.sqrt(x * x + y * y + z * z + t * t)),
    "ilogb": _ilogb, "logb": _logb, "ldexp": np.ldexp, "scalbn": np.ldexp,
    "nextafter": np.nextafter,
    "isnan": lambda x: np.isnan(x).astype(np.int32), "isinf": lambda x: np.isinf(x).astype(np.int32),
    "finite": lambda x: np.isfinite(x).astype(np.int32), "isfinite": lambda x: np.isfinite(x).astype(np.int32),
    "saturate": lambda x: np.fmin(np.fmax(x, 0), 1).astype(x.dtype),
    "mulhi": _signed_high_product, "mul64hi": _signed_high_product,
    "umulhi": high_product, "umul64hi": high_product,
    "mul24": np.multiply, "umul24": np.multiply,
    "hadd": lambda x, y: (x & y) + ((x ^ y) >> 1), "uhadd": lambda x, y: (x & y) + ((x ^ y) >> 1),
    "rhadd": lambda x, y: (x | y) - ((x ^ y) >> 1), "urhadd": lambda x, y: (x | y) - ((x ^ y) >> 1),
    "sad": lambda x, y, z: (np.abs(x.astype(np.int64) - y) + z).astype(np.int32),
    "usad": lambda x, y, z: (np.abs(x.astype(np.int64) - y) + z).astype(np.uint32),
    "int_as_float": lambda x: x.view(np.float32), "uint_as_float": lambda x: x.view(np.float32),
    "float_as_int": lambda x: x.view(np.int32), "float_as_uint": lambda x: x.view(np.uint32),
    "longlong_as_double": lambda x: x.view(np.float64), "double_as_longlong": lambda x: x.view(np.int64),
    "double2hiint": lambda x: (x.view(np.int64) >> 32).astype(np.int32),
    "double2loint": lambda x: x.view(np.int64).astype(np.int32),
    "hiloint2double": lambda high, low: ((high.astype(np.int64) << 32) | low.view(np.uint32)).view(np.float64),
}  # fmt: skip
"""By symbol, without `__nv_` and without the suffix that names the width."""
