"""A program: a function as a user writes it, and which of its sizes change from call to call."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["bounded", "data-dependent", "control-dependent"]
"""What a size or a path depends on: the inputs' shapes, their values, or a decision taken on their values."""


@dataclass(frozen=True, kw_only=True)
class Program:
    """Hold one program of the operator `symbolic`."""

    function: Callable[..., Any]
    kind: Kind
    inputs: tuple[str, ...]
    """Axes of each tensor, in order: `batch seq .` is 3-d with a fixed last size. Equal names, equal sizes."""
    outputs: tuple[str, ...] | None = None
    """Axes of each output of zero-padded inputs, cut back to size; None where padding changes the result."""
    rows: str = ""
    """Axis along which rows are independent, so that permuting them permutes the outputs; empty where none is."""
    unpadded: str = ""
    """Why padding changes the result."""
    fullgraph: bool = True
    """Whether Dynamo can capture it whole; False where Python branches on a tensor's value."""
    backed_only: str = ""
    """Why its sizes cannot be unbacked (a documented limit)."""
    extra_compiles: int = 0
    """Compiles besides the mode's: one for each further side of a branch on a size, and what torch documents."""
    graphs: int = 1
    """Compiles of one frame a signature: turns of a loop that breaks the graph, classes of a value that has guards."""
    extra_reason: str = ""
    """Why there are extra compiles or several graphs."""


def axes(notation: str) -> Mapping[int, str]:
    """Return the named dims of a notation: `batch . seq` gives `{0: "batch", 2: "seq"}`."""
    return {dim: name for dim, name in enumerate(notation.split()) if name != "."}
