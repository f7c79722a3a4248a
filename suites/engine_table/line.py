"""A line of the table: what was measured of one program under one way of compiling, and why a figure is not there."""

import platform
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import torch
from pydantic import BaseModel

COMMAND = "python -m eagerdiff.suites.engine_table"
MEASURED = Path(__file__).with_name("measured.jsonl")
"""The run that is kept; its first line says when and where."""


class Line(BaseModel, extra="forbid"):
    """Hold one program under one way."""

    program: str
    kind: str
    """Of dynamism: static, bounded, data-dependent, control-dependent."""
    way: str
    """The implementation."""
    right: int = 0
    """Calls of the fixed workload that are right."""
    of: int = 0
    """All its calls."""
    failed: int = 0
    why: str = ""
    """What the first call that is not right says; why none was judged."""
    figures: dict[str, float] = {}
    """By name, those of FIGURES."""
    missing: dict[str, str] = {}
    """Why others are not there, by name, where it is not what `why` says."""


class Head(BaseModel, extra="forbid"):
    """Hold when and where lines were measured."""

    made: str
    torch: str
    processor: str

    @classmethod
    def now(cls) -> "Head":
        """Return that of this moment and machine."""
        cpu = Path("/proc/cpuinfo").read_text(encoding="utf-8").partition("model name\t: ")[2].partition("\n")[0]
        return cls(
            made=datetime.now(UTC).date().isoformat(), torch=torch.__version__, processor=cpu or platform.machine()
        )


FIGURES = {
    "artifacts": "Compilations over the workload's sizes: 1 is one artifact for all",
    "export_seconds": "Seconds to export, of the program and its example",
    "compile_seconds": "Seconds to compile: until the first result is there, without export",
    "first_seconds": "Seconds of the first call",
    "to_eager": "Time of a later call, as a multiple of eager's",
    "to_inductor": "Time of a later call, as a multiple of Inductor's with dynamic sizes",
    "artifact_bytes": "Kilobytes of the artifact",
    "peak_bytes": "Megabytes that its process holds at most while it compiles and calls, beyond what it held before",
    "padding": "Share of the elements that are padding, % over the workload's sizes",
}
"""What is measured, in the order of the page."""


def write(path: Path, head: Head, lines: Iterable[Line]) -> None:
    """Write a run, a line of JSON each."""
    text = "\n".join(one.model_dump_json(exclude_defaults=True) for one in (head, *lines))
    path.write_text(f"{text}\n", encoding="utf-8")


def read(path: Path = MEASURED) -> tuple[Head, list[Line]] | None:
    """Return a run, or None where there is none."""
    if not path.is_file():
        return None
    head, *lines = path.read_text(encoding="utf-8").splitlines()
    return Head.model_validate_json(head), [Line.model_validate_json(line) for line in lines]
