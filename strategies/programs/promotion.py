"""Result dtypes, as torch promotes them."""

import functools

import torch

from eagerdiff.strategies.programs.value_type import KINDS, Type


def promoted(*values: Type) -> str:
    """Return the dtype of an arithmetic result: 0-d tensors and Python numbers count less than tensors with dims."""
    return _result(tuple((value.dtype, value.ndim > 0, value.plain) for value in values))


def floating(dtype: str) -> str:
    """Return the dtype of `sin(x)`: float32 where x is integer or bool."""
    return dtype if KINDS[dtype] in ("float", "complex") else "float32"


def summed(dtype: str) -> str:
    """Return the dtype of `x.sum()`: int64 where x is integer or bool."""
    return dtype if KINDS[dtype] in ("float", "complex") else "int64"


def real(dtype: str) -> str:
    """Return the dtype of `x.abs()`: a complex number's is its real part's."""
    return {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)


@functools.cache
def _result(values: tuple[tuple[str, bool, bool], ...]) -> str:
    total, *rest = [_operand(*value) for value in values]
    for operand in rest:
        total = _merged(total, operand, torch.result_type(total, operand))
    found = total.dtype if isinstance(total, torch.Tensor) else torch.result_type(torch.empty(0), total)
    return str(found).removeprefix("torch.")


def _operand(dtype: str, has_dims: bool, plain: bool) -> "torch.Tensor | float | int":
    if plain:
        return 1 if KINDS[dtype] == "int" else 1.0
    return torch.empty((1,) if has_dims else (), dtype=getattr(torch, dtype), device="meta")


def _merged(left: object, right: object, dtype: torch.dtype) -> torch.Tensor:
    has_dims = any(isinstance(value, torch.Tensor) and value.dim() > 0 for value in (left, right))
    return torch.empty((1,) if has_dims else (), dtype=dtype, device="meta")
