"""What a signature and a docstring say of tensors: annotations of jaxtyping, and shapes that are written down."""

import inspect
import re
import typing
from collections.abc import Callable, Iterator
from typing import Any

import torch

from eagerdiff.strategies.own_code.argument import TensorOf, tensor

_DTYPES = {
    "float": torch.float32,
    "bfloat16": torch.bfloat16,
    "float16": torch.float16,
    "float32": torch.float32,
    "float64": torch.float64,
    "int": torch.int64,
    "int32": torch.int32,
    "int64": torch.int64,
    "uint8": torch.uint8,
    "bool": torch.bool,
    "bool_": torch.bool,
}
_SHAPE = r"[\[(]\s*([A-Za-z_0-9*+ ]+(?:,\s*[A-Za-z_0-9*+ ]+)*,?)\s*[\])]"
_SIZE = re.compile(r"(\d+\*)?[A-Za-z]\w*(\+\d+)?|\d+")


def described(code: Callable[..., Any]) -> dict[str, TensorOf]:
    """Return the tensors that are told by annotations or by the docstring, by parameter."""
    target = code.forward if isinstance(code, torch.nn.Module) else code
    try:
        names = list(inspect.signature(target).parameters)
        hints = typing.get_type_hints(target, include_extras=True)
    except (TypeError, ValueError, NameError):
        names, hints = [], {}
    text = "\n".join(filter(None, (inspect.getdoc(target), inspect.getdoc(code))))
    return {name: told for name in names if (told := _annotated(hints.get(name)) or _written(name, text)) is not None}


def _annotated(hint: Any) -> TensorOf | None:
    """Read an annotation of jaxtyping (`Float[Tensor, "batch length 64"]`); None for any other."""
    sizes, dtypes = getattr(hint, "dim_str", None), getattr(hint, "dtypes", ())
    if not isinstance(sizes, str):
        return None
    shape = list(_sizes(sizes.split()))
    known = [_DTYPES[name] for name in map(str, dtypes) if name in _DTYPES] if not isinstance(dtypes, str) else []
    usual = next((one for one in (torch.float32, torch.int64, torch.bool) if one in known), known[0] if known else None)
    return tensor(*shape, dtype=usual) if shape or not sizes else None


def _written(name: str, text: str) -> TensorOf | None:
    """Read a line of a docstring that names a parameter and then a shape: `x: [batch, length, 64]`."""
    line = re.search(rf"(?m)^[\s*-]*[`*]*{re.escape(name)}[`*]*\s*(?:\([^)\n]*\)\s*)?:?[^\n\[(]*?{_SHAPE}", text)
    if line is None:
        return None
    parts = [part.strip().replace(" ", "") for part in line[1].split(",") if part.strip()]
    if not all(map(_SIZE.fullmatch, parts)):
        return None
    return tensor(*_sizes(parts))


def _sizes(parts: list[str]) -> Iterator[int | str]:
    """Return sizes as `tensor` takes them: names in lower case."""
    for part in parts:
        yield int(part) if part.isdigit() else part.lower()
