"""An operation: which operands it takes, what type it gives, how a user writes it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Kind, Type

Attrs = Mapping[str, Any]
NUMERIC: tuple[Kind, ...] = ("float", "int")
ANY: tuple[Kind, ...] = ("float", "int", "bool", "complex")


class IllTyped(Exception):
    """Say why an operation does not take these operands or attributes."""


@dataclass
class Context:
    """Collect what a program asks of its sizes and of the compiler, while types are inferred."""

    needs: list[tuple[Size, int]] = field(default_factory=list[tuple[Size, int]])
    """Sizes, and the least value that each must have for eager to accept the call."""
    unbacked: int = 0
    """How many sizes depend on data."""

    def need(self, size: Size | int, least: int) -> None:
        """Ask that a size be at least so large; raise IllTyped where no choice of the inputs can promise it."""
        size = Size.of(size)
        if size.lowest is not None and size.lowest >= least:
            return
        if size.constant is not None or size.depends_on_data:
            raise IllTyped(f"{size} may be less than {least}")
        self.needs.append((size, least))

    def fresh(self) -> Size:
        """Return a size that depends on data: known, when the program runs, as 0 or more."""
        self.unbacked += 1
        return Size.of(f"u{self.unbacked - 1}")


class Choices(Protocol):
    """Draw attributes."""

    def flag(self) -> bool:
        """Draw True or False."""
        ...

    def integer(self, least: int, most: int) -> int:
        """Draw an integer in [least, most]; small ones are drawn more often."""
        ...

    def number(self) -> float:
        """Draw a finite float of moderate size, that float32 holds exactly."""
        ...

    def pick(self, options: Sequence[Any]) -> Any:
        """Draw one of several options; the first is the simplest."""
        ...

    def dim(self, value: Type) -> int:
        """Draw a dim of a tensor, negative ones too."""
        ...

    def dims(self, value: Type) -> tuple[int, ...]:
        """Draw distinct dims of a tensor, at least one where it has any."""
        ...


@dataclass(frozen=True, kw_only=True)
class Operand:
    """Say what an operand may be: its kind and number of dims, or the very type that earlier operands ask for."""

    kinds: tuple[Kind, ...] = ANY
    ndim: tuple[int, int] = (0, 4)
    where: Callable[[Type], bool] = lambda value: True
    """A further condition on tensors."""
    matching: Callable[..., Type] | None = None
    """`matching(choices, *earlier types)`: the type wanted; raises IllTyped where none fits."""
    variadic: int = 0
    """Up to how many more operands of the same description follow (`cat`)."""

    def accepts(self, value: Type) -> bool:
        """Whether a value fits, where no type is prescribed."""
        low, high = self.ndim
        return not value.plain and value.kind in self.kinds and low <= value.ndim <= high and self.where(value)


@dataclass(frozen=True, kw_only=True)
class Operation:
    """Describe one operation of the language."""

    name: str
    family: str
    operands: tuple[Operand, ...]
    infer: Callable[..., "Type | tuple[Type, ...]"]
    """`infer(context, attrs, *types)`: the results' types; raises IllTyped. It alone decides what is well-typed."""
    source: "str | Callable[..., str]"
    """Expression, with `{0}`, `{1}` for operands and `{name}` for attributes; or `source(attrs, *names)`."""
    results: int | Callable[[Attrs], int] = 1
    """How many values it gives, which its attributes may decide (`split`)."""
    attrs: Callable[..., Attrs] = lambda choices, *types: {}
    """`attrs(choices, *types)`: drawn attributes."""
    setup: "str | Callable[..., str]" = ""
    """Statements before the expression, written as `source` is; `{out}` is the name of the first result."""
    prelude: Mapping[str, str] = field(default_factory=dict[str, str])
    """Statements of the module, by the name that they define; those that the source names stand before the program."""
    writes: tuple[int, ...] = ()
    """Operands that are written in place."""
    gradients: bool = True
    """Whether it may stand in a program whose gradients are taken (it need not be differentiable itself)."""
    graph_break: bool = False
    """Whether Dynamo breaks the graph at it, as documented."""
    guards: int = 0
    """How many graphs more its own branches on sizes may need, for each that the compile model has."""
    random: bool = False
    """Whether it draws random numbers: then compilers must use eager's generator."""
    decomposed_guards: int = 0
    """How many more where it is decomposed: sizes that divide take another path."""
    backed_only: str = ""
    """The documented limit that keeps it from sizes without a hint; empty where there is none."""
    data_only: str = ""
    """The documented limit by which compilers may ask for what the data alone tell; empty where there is none."""
    reads: bool = False
    """Whether it reads numbers: each that a piece of code is handed is an argument then, and may be compiled."""
    traced_only: str = ""
    """The documented limit that keeps it from exports that run Python itself; empty where there is none."""
    value_only: str = ""
    """The documented limit by which it holds a size for a constant, however it is traced; empty where there is none."""


def kinds(value: Type, *allowed: Kind) -> None:
    """Raise IllTyped unless a value is of one of the kinds."""
    if value.kind not in allowed:
        raise IllTyped(f"{value.dtype} is not {' or '.join(allowed)}")


def same_shape(left: Type, right: Type) -> None:
    """Raise IllTyped unless two values have the same shape, as formulas."""
    if left.shape != right.shape:
        raise IllTyped(f"{shape_text(left)} is not {shape_text(right)}")


def broadcast(*values: Type) -> tuple[Size, ...]:
    """Return the common shape; raise IllTyped where dims are neither equal formulas nor the constant 1."""
    shape: list[Size] = []
    for position in range(max(value.ndim for value in values)):
        sizes = [value.shape[value.ndim - 1 - position] for value in values if position < value.ndim]
        wide = {size for size in sizes if size.constant != 1}
        if len(wide) > 1:
            raise IllTyped(f"{' and '.join(map(shape_text, values))} do not broadcast")
        shape.append(wide.pop() if wide else Size.of(1))
    return tuple(reversed(shape))


def dim_of(value: Type, dim: Any) -> int:
    """Return a dim as a position from the left; raise IllTyped where the tensor has no such dim."""
    if not isinstance(dim, int) or isinstance(dim, bool) or not -value.ndim <= dim < value.ndim:
        raise IllTyped(f"no dim {dim!r} in {value.ndim} dims")
    return dim % value.ndim


def shape_text(value: Type) -> str:
    """Write a shape as `[a, 2*b]`."""
    return f"[{', '.join(map(str, value.shape))}]"
