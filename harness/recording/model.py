"""A recording as data: what was called, each different call once, and the order. Reading one runs no code."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field

from eagerdiff.harness.reading import Bounds, fitted, parse_yaml, read_text

if TYPE_CHECKING:
    from yaml import SafeDumper as Dumper
else:
    Dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)  # libyaml, where PyYAML was built with it

VERSION = 1
BOUNDS = Bounds(size=64 << 20, nodes=8_000_000, nonfinite=True)
"""Of a file: 256 functions with 512 different calls each."""
_WIDTH = 160


class _Data(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=True)


class RecordedTensor(_Data):
    """Describe a tensor by its metadata."""

    tensor: tuple[int, ...]
    """Its shape."""
    dtype: str
    strides: tuple[int, ...] | None = None
    """In elements; None where it is contiguous."""
    offset: int = 0
    """Of its first element in its storage, in elements."""
    storage: int | None = None
    """Elements of the storage that it is a view of, where they are more than it spans."""
    shares: int | None = None
    """Number of an earlier tensor of the call in the same storage, of those that have one."""
    device: str = "cpu"
    requires_grad: bool = False
    layout: str = "strided"
    stored: int | None = None
    """Elements that a sparse tensor stores."""
    values: tuple[int, ...] | None = None
    """Contents of the first of equal calls, in row-major order, where they were asked for and are few."""
    least: int | None = None
    most: int | None = None
    """The least and the greatest of them, where they were asked for."""


class RecordedList(_Data):
    """Describe a list."""

    list: "tuple[RecordedValue, ...]"


class RecordedTuple(_Data):
    """Describe a tuple."""

    tuple: "tuple[RecordedValue, ...]"


class RecordedMapping(_Data):
    """Describe a dict whose keys are texts."""

    mapping: dict[str, "RecordedValue"]


class RecordedDType(_Data):
    """Name a dtype that is an argument."""

    dtype: str


class RecordedObject(_Data):
    """Name the type of anything else, `module:qualname`."""

    object: str


RecordedValue = (
    bool
    | int
    | float
    | str
    | None
    | RecordedTensor
    | RecordedList
    | RecordedTuple
    | RecordedMapping
    | RecordedDType
    | RecordedObject
)


class RecordedCall(_Data):
    """Describe one call."""

    arguments: dict[str, RecordedValue]
    """By parameter; those of `*args` are numbered."""
    grad: bool = False
    """Whether gradients were on."""
    training: bool = False
    """Whether the module was in training."""
    grid: tuple[int, ...] | None = None
    """Of a kernel's launch."""
    options: dict[str, RecordedValue] = Field(default_factory=dict[str, RecordedValue])
    """Of a kernel's launch: `num_warps` and what else is no parameter."""


class LeftOut(_Data):
    """Count what is not in the file, for there is more of it than is kept."""

    calls: int = 0
    """Calls that equal none of those kept."""
    places: int = 0
    """Calls whose place in the order is not kept."""


class RecordedFunction(_Data):
    """Hold the calls of one function, module or kernel."""

    name: str
    """`module:qualname`, or `folder/file.py:qualname` of a script."""
    kind: Literal["function", "module", "kernel"]
    file: str
    line: int
    parameters: tuple[str, ...]
    constexprs: tuple[str, ...] = ()
    """Those of a kernel's parameters that it is compiled for."""
    called: int
    """Times, what is left out included."""
    left_out: LeftOut = LeftOut()
    calls: tuple[RecordedCall, ...]
    """Each different one once."""
    order: tuple[tuple[int, int], ...]
    """Runs of equal calls: number of the call, from 0 on, and times; process after process."""

    def in_order(self) -> Iterator[int]:
        """Return the number of the call of each run; raise ValueError for one that there is not."""
        for number, _ in self.order:
            if not 0 <= number < len(self.calls):
                raise ValueError(f"{self.name}: the order names call {number}, of {len(self.calls)}")
            yield number


class Recording(_Data):
    """Hold what was recorded."""

    eagerdiff_recording: Literal[1] = VERSION
    """The version of this schema."""
    torch: str = ""
    triton: str = ""
    processes: int = 1
    functions: tuple[RecordedFunction, ...] = ()
    not_noted: tuple[str, ...] = ()
    """What could not be noted, and why, in a line each."""

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file that anyone may have written; raise ValueError, in one line, for what is no recording."""
        data = parse_yaml(read_text(path, BOUNDS), BOUNDS)
        if not isinstance(data, dict) or "eagerdiff_recording" not in data:
            raise ValueError("is no recording of eagerdiff: it has no eagerdiff_recording")
        return fitted(cls, data)

    def of(self, function: RecordedFunction) -> Self:
        """Return the recording of one function alone."""
        return self.model_copy(update={"functions": (function,)})

    def to_yaml(self) -> str:
        """Return the file's text: a line a call."""
        data: dict[str, Any] = self.model_dump(mode="json", exclude_defaults=True)
        data["eagerdiff_recording"] = VERSION
        head = {name: data.pop(name) for name in ("eagerdiff_recording", "torch", "triton") if name in data}
        for function in data.get("functions", []):
            calls = [_Line(call) for call in function.pop("calls", [])]
            order = _Line(function.pop("order", []))
            function["parameters"] = _Line(function.pop("parameters", []))
            function |= {"calls": calls, "order": order}
        return yaml.dump(head | data, Dumper=_Dumper, sort_keys=False, width=_WIDTH, allow_unicode=True)

    def summary(self) -> str:
        """Return in a line what is in it."""
        called, calls = sum(one.called for one in self.functions), sum(len(one.calls) for one in self.functions)
        left = sum(one.left_out.calls for one in self.functions)
        beyond = f", {left:,} more calls left out" if left else ""
        names = f"{len(self.functions)} function{'s' * (len(self.functions) != 1)}"
        where = f" in {self.processes} processes" if self.processes > 1 else ""
        return f"{names}, {calls:,} different calls of {called:,}{where}{beyond}"


class _Line:
    """Be written in flow style."""

    def __init__(self, data: Any) -> None:
        self.data = data


class _Dumper(Dumper):
    """Write a call, or an order, in a line or few."""


def _flow(dumper: Any, line: _Line) -> Any:
    data = line.data
    if isinstance(data, Mapping):
        return dumper.represent_mapping("tag:yaml.org,2002:map", data, flow_style=True)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=True)


_Dumper.add_representer(_Line, _flow)
