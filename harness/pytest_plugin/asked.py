"""What tests ask for: by a mark, the command line or the project's settings; nothing where none of them says."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from eagerdiff.harness.campaign.differential import Subject
    from eagerdiff.harness.catalog.catalog import Catalog
    from eagerdiff.harness.cli.project import Project
    from eagerdiff.harness.model.shard import Shard

MARK = "differential"
ALL = "all"
"""In place of operators: the whole catalog."""
MARK_HELP = (
    f"{MARK}(operator=None, implementation=None): what the fixture `differential_check` checks, each a name or "
    f"file.py:ATTRIBUTE, or several; operator={ALL!r} is the whole catalog"
)
CATALOGS = pytest.StashKey[dict["Asked", "Catalog"]]()


@dataclass(frozen=True)
class Asked:
    """Name operators and implementations, each as a person types them."""

    operators: tuple[str, ...] = ()
    """Those of the catalog, where none is named."""
    implementations: tuple[str, ...] = ()
    """All of the operators', where none is named."""
    everything: bool = field(default=False, compare=False)
    """Whether nothing was named because all of it was asked for."""

    def __bool__(self) -> bool:
        """Whether anything was asked for."""
        return bool(self.operators or self.implementations or self.everything)


def asked_of(config: pytest.Config) -> Asked:
    """Return what the command line asks for, else the project's settings."""
    operators, implementations = _option(config, "operator"), _option(config, "implementation")
    if not (operators or implementations):
        operators, implementations = tuple(settings().operators), tuple(settings().implementations)
    return _asked(operators, implementations)


def asked_by(config: pytest.Config, marks: Sequence[pytest.Mark]) -> Asked:
    """Return what a test with such marks, the closest first, asks for; raise pytest.UsageError where nothing says."""
    given = asked_of(config)
    asked = _marked(marks[0], given) if marks else given
    if not asked:
        raise pytest.UsageError(
            "nothing says what differential_check checks: "
            f'mark the test @pytest.mark.{MARK}(operator="file.py:OPERATOR"), '
            "give --eagerdiff-operator or --eagerdiff-implementation, or name them in [tool.eagerdiff]"
        )
    return asked


def subjects_of(config: pytest.Config, marks: Sequence[pytest.Mark]) -> "list[Subject]":
    """Return what a test with such marks is about, as the command line narrows it.

    Raises pytest.UsageError in one line where nothing says what that is, or what is named is not there.
    """
    from eagerdiff.harness.campaign.differential import subjects

    asked = asked_by(config, marks)
    catalog = catalog_for(config, asked)
    wanted = _named(catalog, asked.implementations)
    if asked.operators and not wanted:
        operators = [name for text in asked.operators for name in catalog.specs.get(text, [text])]
        wanted = [f"{name}/{one}" for name in operators for one in catalog.implementations[name]]
    narrower = _option(config, "implementation")
    if marks and narrower and narrower != asked.implementations:
        wanted = [name for name in wanted or _names(catalog) if {name, name.partition("/")[2]} & {*narrower}]
        if not wanted:
            return []
    return list(subjects(catalog, wanted, _devices(config)))


def catalog_of(config: pytest.Config) -> "Catalog":
    """Return the catalog with what the command line names; raise pytest.UsageError for what cannot be loaded."""
    return catalog_for(config, asked_of(config))


def catalog_for(config: pytest.Config, asked: Asked) -> "Catalog":
    """Load a catalog with what was asked for, once a session; raise pytest.UsageError for what cannot be loaded."""
    from eagerdiff.harness.catalog.plugin import typed
    from eagerdiff.harness.loading.loader import LoadError, load_apart

    known = config.stash.setdefault(CATALOGS, {})
    if asked not in known:
        try:
            catalog = load_apart(typed(asked.operators), typed(asked.implementations))
        except LoadError as error:
            raise pytest.UsageError(str(error)) from error
        for line in catalog.refused.values():
            raise pytest.UsageError(line)
        for line in catalog.problems:
            config.issue_config_time_warning(pytest.PytestWarning(f"eagerdiff: {line}"), stacklevel=2)
        known[asked] = catalog
    return known[asked]


def settings() -> "Project":
    """Return the settings of the project that is worked in; raise pytest.UsageError for some that cannot be read."""
    from pathlib import Path

    from eagerdiff.harness.cli.failure import BadInput
    from eagerdiff.harness.cli.project import Project

    try:
        return Project.read(Path.cwd())[0]
    except BadInput as error:
        raise pytest.UsageError(str(error)) from error


def budget_of(config: pytest.Config) -> float | None:
    """Return the seconds of each search, as the command line or the project says; None where neither does."""
    from eagerdiff.harness.cli.duration import parse_duration

    try:
        return parse_duration(text) if (text := config.getoption("eagerdiff_budget") or settings().budget) else None
    except ValueError as error:
        raise pytest.UsageError(f"budget: {error}") from error


def shard_of(config: pytest.Config) -> "Shard":
    """Return the part of each search that the command line names; raise pytest.UsageError for none."""
    from eagerdiff.harness.model.shard import WHOLE, Shard

    try:
        return Shard.parse(text) if (text := config.getoption("eagerdiff_shard")) else WHOLE
    except ValueError as error:
        raise pytest.UsageError(f"shard: {error}") from error


def seed_of(config: pytest.Config) -> int:
    """Return the seed of the search, as the command line or the project says."""
    given = config.getoption("eagerdiff_seed")
    return int(given if given is not None else settings().seed or 0)


def _asked(operators: Sequence[str], implementations: Sequence[str]) -> Asked:
    everything = ALL in operators
    return Asked(() if everything else tuple(operators), tuple(implementations), everything)


def _option(config: pytest.Config, name: str) -> tuple[str, ...]:
    return tuple(config.getoption(f"eagerdiff_{name}") or ())


def _marked(mark: pytest.Mark, given: Asked) -> Asked:
    """Return what a mark asks for; of the whole catalog what the command line names is a part."""
    if mark.args or mark.kwargs.keys() - {"operator", "implementation"}:
        raise pytest.UsageError(f"a mark that cannot be read: write {MARK_HELP}")
    asked = _asked(_several(mark.kwargs.get("operator")), _several(mark.kwargs.get("implementation")))
    return given if asked.everything and (given.operators or given.implementations) else asked


def _several(value: Any) -> list[str]:
    values: list[Any] = list(value) if isinstance(value, list | tuple) else [] if value is None else [value]
    if wrong := [one for one in values if not isinstance(one, str)]:
        raise pytest.UsageError(f"a mark names {wrong[0]!r:.60}: write its name, or file.py:ATTRIBUTE")
    return values


def _names(catalog: "Catalog") -> set[str]:
    return {f"{operator}/{name}" for operator, found in catalog.implementations.items() for name in found}


def _named(catalog: "Catalog", texts: Sequence[str]) -> list[str]:
    from eagerdiff.harness.catalog.catalog import unknown

    known = _names(catalog) | {name for found in catalog.implementations.values() for name in found}
    chosen: list[str] = []
    for text in texts:
        named = catalog.specs.get(text, [text])
        if missing := [name for name in named if name not in known]:
            raise pytest.UsageError(unknown("implementation", missing[0], known))
        chosen += named
    return chosen


def _devices(config: pytest.Config) -> Sequence[str]:
    from eagerdiff.harness import devices

    names = _option(config, "device") or settings().devices
    for name in names:
        try:
            reason = devices.parse(name).unavailable()
        except ValueError as error:
            raise pytest.UsageError(str(error)) from error
        if reason:
            raise pytest.UsageError(f"device {name} is not available: {reason}")
    return names
