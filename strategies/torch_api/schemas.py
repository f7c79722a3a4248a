"""Samples of operators that torch's other tables lack: arguments of the kinds that a schema asks for."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.utils._pytree import tree_leaves

Sample = tuple[tuple[Any, ...], dict[str, Any]]
SHAPES = ((5,), (4, 6), (3, 4, 6), (2, 3, 4, 6), (2, 3, 4, 4, 6))
"""Shapes that all tensors of a sample have, or that one of them has while the others are vectors."""
MOST_TRIED = 400
MOST_TAKEN = 3
_LEFT_OUT = {
    "_test_": "there for torch's own tests",
    "_foobar": "there for torch's own tests",
}
"""How the names of operators begin that are not drawn."""


@dataclass(frozen=True)
class Packet:
    """Hold the overloads of one operator of `torch.ops.aten`, as its schemas."""

    name: str
    schemas: Sequence[Any]

    @property
    def left_out(self) -> str:
        """Why it is not drawn; an empty string where it is."""
        return next((why for start, why in _LEFT_OUT.items() if self.name.startswith(start)), "")

    def samples(self) -> Iterator[tuple[Any, Sample]]:
        """Return overloads, each with a few samples that eager takes."""
        for schema in self.schemas:
            operator = getattr(getattr(torch.ops.aten, self.name, None), schema.overload_name or "default", None)
            if operator is not None:
                yield from ((operator, sample) for sample in samples(operator, schema.arguments))


def samples(operator: Any, arguments: Sequence[Any]) -> Iterator[Sample]:
    """Return a few samples that eager takes of what has arguments like a schema's, each with a tensor in its result."""
    taken = 0
    for sample in itertools.islice(_candidates(arguments), MOST_TRIED):
        if taken < MOST_TAKEN and _takes(operator, sample):
            taken += 1
            yield sample


def _takes(operator: Any, sample: Sample) -> bool:
    try:
        result = operator(*sample[0], **sample[1])
    except Exception:  # noqa: BLE001 - eager refuses it
        return False
    tensors = [leaf for leaf in tree_leaves(result) if isinstance(leaf, Tensor)]
    return bool(tensors) and all(one.layout is torch.strided and not one.is_quantized for one in tensors)


def _candidates(every: Sequence[Any]) -> Iterator[Sample]:
    arguments = [one for one in every if not one.has_default_value() or _is_tensor(one)]
    kinds = [str(one.type) for one in arguments]
    tensors = sum(kind in ("Tensor", "Optional[Tensor]", "List[Tensor]") for kind in kinds)
    numbers = (1, 2, 0) if any("int" in kind or "number" in kind for kind in kinds) else (1,)
    for dtypes, number, shapes in itertools.product(_dtypes(tensors), numbers, _shapes(tensors)):
        values: list[Any] = []
        given = iter(zip(dtypes, shapes, strict=True))
        rank = len(shapes[0]) if shapes else 0
        for kind in kinds:
            shaped = next(given) if "Tensor" in kind else None
            values.append(_value(kind, shaped, number, rank))
        yield _sample(arguments, values)


def _is_tensor(argument: Any) -> bool:
    return "Tensor" in str(argument.type) and not argument.kwarg_only


def _sample(arguments: Sequence[Any], values: Sequence[Any]) -> Sample:
    positional = tuple(value for one, value in zip(arguments, values, strict=True) if not one.kwarg_only)
    return positional, {one.name: value for one, value in zip(arguments, values, strict=True) if one.kwarg_only}


def _dtypes(count: int) -> Iterator[tuple[torch.dtype, ...]]:
    """Return dtypes of the tensors: floats, one of them indices or a mask, all indices."""
    yield (torch.float32,) * count
    for dtype in (torch.int64, torch.bool):
        for at in reversed(range(count)):
            yield tuple(dtype if one == at else torch.float32 for one in range(count))
    yield (torch.int64,) * count


def _shapes(count: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    for shape in SHAPES:
        yield (shape,) * count
    for shape in SHAPES[1:]:
        for last in (shape[1:2], shape[-1:], shape[:1]):
            yield (shape, *(last,) * (count - 1))


def _value(kind: str, shaped: tuple[torch.dtype, tuple[int, ...]] | None, number: int, rank: int) -> Any:
    if shaped is not None:
        tensor = _tensor(*shaped)
        return [tensor, tensor.clone()] if kind.startswith("List") else tensor
    if kind.startswith("Optional"):
        return None
    if kind.startswith("List"):
        inner = {"bool": True, "float": 1.5}.get(kind[5:-1], number)
        return [inner] * max(rank - 2, 1)
    return _PLAIN.get(kind, number)


_PLAIN: Mapping[str, Any] = {"bool": True, "float": 0.5, "number": 1.5, "str": "mean"}


def _tensor(dtype: torch.dtype, shape: tuple[int, ...]) -> Tensor:
    if dtype is torch.float32:
        return torch.rand(shape) * 0.8 + 0.1
    return torch.randint(0, 2, shape).to(dtype)
