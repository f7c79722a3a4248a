"""Signatures: what a compiler may tell apart between two calls."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eagerdiff.harness.model.operator import Inputs


@dataclass(frozen=True)
class TensorSignature:
    """Describe one tensor argument."""

    path: str
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    dtype: str
    device: str
    requires_grad: bool = False


@dataclass(frozen=True)
class PlainSignature:
    """Describe one argument that is no tensor."""

    path: str
    kind: str
    value: Any


@dataclass(frozen=True)
class Signature:
    """Describe one call: its tensors and its plain values, in order. Hashable."""

    tensors: tuple[TensorSignature, ...]
    plain: tuple[PlainSignature, ...] = ()

    def describe(self) -> str:
        """Return one line: `args[0] float32[3, 4]`, `options['k'] 5`."""
        tensors = [f"{tensor.path} {tensor.dtype}{list(tensor.shape)}" for tensor in self.tensors]
        return ", ".join(tensors + [f"{plain.path} {plain.value!r}" for plain in self.plain])


def signature(inputs: "Inputs") -> Signature:
    """Describe one call's arguments; containers are walked, other objects count by their type and text."""
    leaves = [*_leaves("args", inputs.args), *_leaves("options", inputs.options)]
    tensors = tuple(leaf for leaf in leaves if isinstance(leaf, TensorSignature))
    return Signature(tensors, tuple(leaf for leaf in leaves if isinstance(leaf, PlainSignature)))


def _leaves(path: str, value: Any) -> Iterator[TensorSignature | PlainSignature]:
    if hasattr(value, "data_ptr") and hasattr(value, "stride"):
        yield _tensor(path, value)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _leaves(f"{path}[{key!r}]", item)
    elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
        yield PlainSignature(path, "len", len(value))
        for index, item in enumerate(value):
            yield from _leaves(f"{path}[{index}]", item)
    else:
        hashable = isinstance(value, int | float | str | bytes | type(None))
        yield PlainSignature(path, type(value).__name__, value if hashable else str(value))


def _tensor(path: str, value: Any) -> TensorSignature:
    return TensorSignature(
        path=path,
        shape=tuple(int(size) for size in value.shape),
        stride=tuple(int(step) for step in value.stride()) if str(value.layout) == "torch.strided" else (),
        dtype=str(value.dtype).removeprefix("torch."),
        device=str(value.device),
        requires_grad=bool(value.requires_grad),
    )
