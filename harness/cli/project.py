"""A project's own settings: `[tool.eagerdiff]` of its pyproject.toml, in force where the command line says nothing."""

import difflib
import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from eagerdiff.harness.cli.duration import parse_duration
from eagerdiff.harness.cli.failure import BadInput

if TYPE_CHECKING:
    from eagerdiff.harness.campaign.checking import Effort

FILE = "pyproject.toml"
BUDGET, SEED = "EAGERDIFF_CHECK_BUDGET", "EAGERDIFF_CHECK_SEED"
"""Variables by which pytest's options reach `check`."""


class Project(BaseModel):
    """Hold what a project says of its checks."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
    commands: ClassVar = ("run", "nightly", "check", "bench")
    """Those whose options it gives."""

    budget: str | None = None
    """As `--budget`."""
    seed: int | None = None
    devices: list[str] = Field(default_factory=list[str])
    operators: list[str] = Field(default_factory=list[str])
    """Of `nightly` and `bench`."""
    implementations: list[str] = Field(default_factory=list[str])
    ways: list[str] = Field(default_factory=list[str])
    """Of `check`."""
    corpus: str = "eagerdiff_corpus"
    """Folder of kept findings, from the project's root on."""

    @classmethod
    def read(cls, folder: Path) -> "tuple[Self, Path]":
        """Return the settings of the project that a folder is in, and its root.

        The defaults and the folder itself, where no pyproject.toml above it has such a table. Raises BadInput in one
        line for a table that cannot be read.
        """
        for root in (folder, *folder.parents):
            if (path := root / FILE).is_file() and (table := _table(path)) is not None:
                try:
                    return cls.model_validate(table), root
                except ValidationError as error:
                    raise BadInput(f"{path}: {_misfit(error, list(cls.model_fields))}") from None
        return cls(), folder

    def defaults(self) -> dict[str, dict[str, Any]]:
        """Return by command what its options are where they are not given."""
        common = _given(budget=self.budget, seed=self.seed, device=self.devices, implementation=self.implementations)
        named = _given(operator=self.operators, implementation=self.implementations)
        check = _given(way=self.ways, seed=self.seed)
        return {"run": common, "nightly": common | named, "check": check, "bench": named}


@dataclass(frozen=True)
class CheckSettings:
    """Say how a check is made where its call does not."""

    effort: "Effort"
    ways: tuple[str, ...] = ()
    """None named: the usual ones."""


def check_settings(seconds: float | None = None, seed: int | None = None) -> CheckSettings:
    """Return what a call of `check` asks for, else pytest's options, else the project that is worked in.

    The `max_examples` of a Hypothesis profile that is loaded bounds the workloads.

    Raises BadInput in one line for a setting that cannot be read.
    """
    from eagerdiff.harness.campaign.checking import Effort
    from eagerdiff.harness.search.settings import profile_examples

    project, _ = Project.read(Path.cwd())
    budget, drawn = os.environ.get(BUDGET) or project.budget, os.environ.get(SEED) or project.seed or 0
    try:
        usual = parse_duration(budget) if budget else Effort.seconds
    except ValueError as error:
        raise BadInput(f"budget: {error}") from error
    effort = Effort(
        seconds=usual if seconds is None else seconds,
        seed=int(drawn) if seed is None else seed,
        batches=1 if seconds is None and not budget else None,  # a time that was asked for is used
        most=profile_examples(),
    )
    return CheckSettings(effort, tuple(project.ways))


def _table(path: Path) -> dict[str, Any] | None:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInput(f"{path} cannot be read: {error}") from error
    table = data.get("tool", {}).get("eagerdiff")
    if table is not None and not isinstance(table, dict):
        raise BadInput(f"{path}: tool.eagerdiff is no table")
    return table


def _given(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value not in (None, [])}


def _misfit(error: ValidationError, known: list[str]) -> str:
    first = error.errors()[0]
    name = ".".join(map(str, first["loc"]))
    if first["type"] != "extra_forbidden":
        return f"tool.eagerdiff.{name}: {first['msg'].lower()}"
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
    return f"tool.eagerdiff has no {name!r} ({f'did you mean {near[0]}?' if near else 'there is ' + ', '.join(known)})"
