"""Run a reference in float64 although it names narrower dtypes inside."""

from collections.abc import Callable
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

_NARROW = (torch.float32, torch.float16, torch.bfloat16)
_CASTS: tuple[Any, ...] = (torch.Tensor.float, torch.Tensor.half, torch.Tensor.bfloat16)


class Widening(TorchFunctionMode):
    """Turn every request for a narrower floating dtype into float64, so that `.float()` does not spoil the truth.

    Reinterpreting bits (`view(dtype)`) is left alone, and so is fp8: a reference that quantises means to.
    """

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if func in _CASTS:
            return args[0].double()
        options = kwargs or {}
        # Most calls name no dtype, and there are thousands a case.
        named = any(type(value) is torch.dtype for value in (*args, *options.values()))
        if not named or func is torch.Tensor.view:
            return func(*args, **options)
        return func(*map(_widen, args), **{name: _widen(value) for name, value in options.items()})

    def __enter__(self) -> "Widening":
        self._default = torch.get_default_dtype()
        torch.set_default_dtype(torch.float64)
        return super().__enter__()

    def __exit__(self, *details: Any) -> None:
        super().__exit__(*details)
        torch.set_default_dtype(self._default)


def _widen(value: Any) -> Any:
    if not isinstance(value, torch.dtype):
        return value
    return torch.complex128 if value == torch.complex64 else torch.float64 if value in _NARROW else value
