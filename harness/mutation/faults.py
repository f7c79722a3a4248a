"""Faults: planted defects as data, applied to a copy of the source that they spoil."""

import shutil
from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from eagerdiff.harness.catalog.provenance import home
from eagerdiff.harness.model.operator import Operator
from eagerdiff.harness.reading import FAULTS, SOURCE, Unreadable, misfit, parse_yaml, read_text


class FaultError(ValueError):
    """Say in one line why a fault cannot be planted."""


class Fault(BaseModel):
    """Describe a defect as an edit of one file; reading one executes nothing."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(pattern=r"^[A-Za-z0-9_.-]+$")
    operator: str
    implementation: str
    """The implementation it spoils."""
    file: str
    """File that is edited, relative to the folder that the packages stand in: compiled/paged_attention/decode.py."""
    text: str = Field(min_length=1)
    """What is replaced; stands exactly once in the file."""
    replacement: str
    seen: str
    """Where the defect was seen in the wild."""
    what: str
    """One line."""
    hangs: bool = False
    """Whether it is a hang: of no other fault is a call that does not end the proof."""

    @property
    def package(self) -> str:
        """Return the top-level package that the file belongs to."""
        return Path(self.file).parts[0]


def load_faults(operators: Iterable[Operator]) -> list[Fault]:
    """Read the faults of operators, ordered by file.

    Raises FaultError, in one line, for a malformed file, a repeated id or a text that does not match.
    """
    faults = [fault for operator in operators for fault in faults_of(operator)]
    ids = [fault.id for fault in faults]
    if repeated := {name for name in ids if ids.count(name) > 1}:
        raise FaultError(f"two faults have the id {sorted(repeated)[0]!r}")
    for fault in faults:
        spoil(fault, home())
    return faults


def faults_of(operator: Operator) -> list[Fault]:
    """Read the faults of one operator, ordered by file; raise FaultError in one line."""
    files = sorted(operator.extras.faults.glob("*.yaml")) if operator.extras.faults is not None else []
    return [fault for path in files for fault in read_faults(path)]


def read_faults(path: Path) -> list[Fault]:
    """Read a YAML file that holds one fault or a list of them; raise FaultError in one line."""
    try:
        data = parse_yaml(read_text(path, FAULTS), FAULTS)
        return [Fault.model_validate(item) for item in (data if isinstance(data, list) else [data])]
    except ValidationError as error:
        raise FaultError(f"{path}: {misfit(error, 'fault')}") from error
    except Unreadable as error:
        raise FaultError(f"{path}: {error}") from error


def spoil(fault: Fault, root: Path) -> str:
    """Return the source of the fault's file under `root` with the fault in it.

    Raises FaultError unless the text stands there exactly once and the result is Python.
    """
    source = _source(fault, root)
    if (count := source.count(fault.text)) != 1:
        raise FaultError(f"fault {fault.id}: its text stands {count} times in {fault.file}, not once")
    spoilt = source.replace(fault.text, fault.replacement)
    try:
        compile(spoilt, fault.file, "exec")
    except SyntaxError as error:
        raise FaultError(f"fault {fault.id}: the spoilt {fault.file} is not Python: {error.msg}") from error
    except (ValueError, RecursionError, MemoryError) as error:  # a zero byte, or brackets without end
        raise FaultError(f"fault {fault.id}: the spoilt {fault.file} is not Python: {error}") from error
    return spoilt


def _source(fault: Fault, root: Path) -> str:
    try:
        path = (root / fault.file).resolve()
        found = path.is_relative_to(root.resolve()) and path.is_file()
    except (OSError, ValueError):  # a name that is too long, or holds a zero byte
        found = False
    if not found:
        raise FaultError(f"fault {fault.id}: no file {fault.file}")
    try:
        return read_text(root / fault.file, SOURCE)
    except Unreadable as error:
        raise FaultError(f"fault {fault.id}: {fault.file} {error}") from error


def plant(fault: Fault, folder: Path) -> Path:
    """Copy the fault's package into `folder`, spoil the copy and return `folder`: the worker's `source_root`."""
    spoilt = spoil(fault, home())
    shutil.copytree(
        home() / fault.package, folder / fault.package, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True
    )
    (folder / fault.file).write_text(spoilt, encoding="utf-8")
    return folder
