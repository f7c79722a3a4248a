"""A task: what a worker is asked to run, as data."""

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

import eagerdiff
from eagerdiff.harness.catalog.plugin import Spec

if TYPE_CHECKING:
    from eagerdiff.harness.model.implementation import Implementation
    from eagerdiff.harness.model.operator import Operator
    from eagerdiff.harness.model.workload import Workload


class Task(BaseModel):
    """Name an operator, an implementation and a workload so that another process can find and run them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    operator: Spec | str
    """A name in the catalog, or a spec; a plain text is a name, whatever it looks like."""
    implementation: Spec | str
    """A name among the operator's implementations, or a spec."""
    workload: list[dict[str, Any]]
    """The cases, in call order."""
    plugins: tuple[Spec, ...] = ()
    """Specs of further implementations, among which `implementation` may be a name."""
    source_root: str = ""
    """Folder that stands in for `eagerdiff`'s own: a copy of `compiled` with a planted fault; empty for none."""
    relations: bool = True
    """Whether the operator's relations are checked too."""
    rehearses: bool = False
    """Whether only the operator's own code is run, and nothing of the implementation."""
    relation: str = ""
    """In a rehearsal, the relation for which inputs are changed."""
    process: str = ""
    """What all that may share a process with it has in common, where ways of a back end do; empty: nothing may."""
    baseline_suite: str = ""
    """Name of the operator's baseline suites by whose rule each case is judged; empty for the ordinary judge."""

    @property
    def subject(self) -> tuple[str, ...]:
        """What it runs, whatever the cases: one process runs no two of these."""
        runs = self.process or self.implementation
        return (self.operator, "" if self.rehearses else runs, self.source_root, *self.plugins)

    def with_cases(self, workload: "Workload") -> "Task":
        """Return the same task on another workload."""
        return self.model_copy(update={"workload": workload.to_data()})


class Unresolved(Exception):
    """Say in one line why a task names nothing that can run."""


def resolve(task: Task) -> "tuple[Operator, Implementation]":
    """Import what a task names; raise Unresolved in one line, whatever the import raises."""
    from eagerdiff.harness.catalog import catalog

    if task.source_root and task.source_root not in eagerdiff.__path__:
        eagerdiff.__path__.insert(0, task.source_root)
    found = catalog.load([task.operator], [*task.plugins, task.implementation], strangers=())
    name = _named(found, task.operator)
    if name not in found.operators:
        raise Unresolved(_why(found, task.operator))
    wanted = _named(found, task.implementation).removeprefix(f"{name}/")
    if wanted not in found.implementations[name]:
        raise Unresolved(_why(found, task.implementation))
    return found.operators[name], found.implementations[name][wanted]


def resolve_operator(task: Task) -> "Operator":
    """Import the operator that a task names, and no implementation that was plugged in; raise Unresolved."""
    from eagerdiff.harness.catalog import plugin
    from eagerdiff.harness.catalog.catalog import declared

    try:
        spec = task.operator if isinstance(task.operator, Spec) else declared(task.operator)
        return plugin.as_operator(plugin.resolve(spec), spec)
    except plugin.PluginError as error:
        raise Unresolved(str(error)) from error


def _named(found: Any, text: str) -> str:
    names: list[str] = found.specs.get(text, [])
    return names[0] if names else text


def _why(found: Any, text: str) -> str:
    return found.refused.get(text) or "; ".join(found.problems) or f"{text} is not in the catalog"
