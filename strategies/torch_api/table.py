"""The table of what torch's own tests call: entries, and calls with sizes as formulas, read once for each release."""

import functools
import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import torch
from filelock import FileLock
from pydantic import BaseModel, ConfigDict, Field

from eagerdiff import cache_folder
from eagerdiff.strategies.torch_api.call import Call


class Template(BaseModel):
    """Hold one call of an entry, with the sizes of the sample that it was made of."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    call: Call
    sizes: dict[str, int]
    """The sample's sizes by symbol: eager takes them."""
    example: dict[str, int]
    """Sizes of at least 2, distinct where eager takes such: what is exported is traced with them."""
    floors: dict[str, int]
    """The least size by symbol, others as in the sample, that eager takes."""
    dtype: str
    """The sample's dtype, that of its tensors without one."""
    single: bool = False
    """Whether it gives one tensor."""
    random: bool = False
    """Whether two calls give different values."""


class Entry(BaseModel):
    """Describe one entry of torch's tables."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    table: str
    """`op_db`, `module_db`, `functional` or `schemas`."""
    name: str
    templates: tuple[Template, ...] = ()
    dtypes: tuple[str, ...] = ()
    """Dtypes that the table says eager supports on the CPU."""
    differentiable: bool = False
    method: str = ""
    """Dotted name of the method that does the same."""
    inplace: str = ""
    """Dotted name of the method that does it in place."""
    out: bool = False
    """Whether it takes `out`."""
    why: str = ""
    """Why there are no templates."""
    left_out: dict[str, int] = Field(default_factory=dict[str, int])
    """How many samples were left out, by reason."""


_READING = (
    "call",
    "describing",
    "extraction",
    "forms",
    "functionals",
    "names",
    "probing",
    "recording",
    "running",
    "schemas",
    "table",
    "values",
)
"""Modules that decide what is read."""
_EXTRACTION = "eagerdiff.strategies.torch_api.extraction"


@functools.cache
def entries() -> Mapping[str, Entry]:
    """Return every entry by table and name (`op_db:add`); those of this release are read once a machine.

    Raises RuntimeError where torch's tables cannot be read.
    """
    path = _place()
    if not path.exists():
        _read(path)
    found = [Entry.model_validate_json(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return MappingProxyType({f"{entry.table}:{entry.name}": entry for entry in found})


@functools.cache
def drawable() -> tuple[str, ...]:
    """Return the names of the entries that have a call."""
    return tuple(name for name, entry in entries().items() if entry.templates)


def _place() -> Path:
    """Return the file of this release of torch, and of this way of reading it."""
    code = b"".join(Path(__file__).with_name(f"{name}.py").read_bytes() for name in _READING)
    return cache_folder() / "torch_tables" / f"{torch.__version__}-{hashlib.sha256(code).hexdigest()[:12]}.jsonl"


def _read(path: Path) -> None:
    """Read torch's tables in a process of its own, for importing them switches flags; others wait for the first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path.with_suffix(".lock")):
        if path.exists():
            return
        partial = path.with_suffix(".part")
        command = [sys.executable, "-W", "ignore", "-m", _EXTRACTION, str(partial)]
        # It imports as this process does, which may be told so by its parent alone; the tables ask for GPUs, whose
        # driver does not start within a search process' limit of memory, and what is read is read on the processor.
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "CUDA_VISIBLE_DEVICES": ""}
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no word"])[-1]
            raise RuntimeError(f"torch's tables cannot be read: {last[:200]}")
        partial.replace(path)
