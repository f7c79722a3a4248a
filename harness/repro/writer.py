"""A writer: the campaign's end of a script process."""

from collections.abc import Iterator
from typing import Self

from eagerdiff.harness.processes.apart import Apart, NoAnswer, Vanished
from eagerdiff.harness.processes.limits import Limits
from eagerdiff.harness.processes.pool import WorkerPool
from eagerdiff.harness.processes.task import Task
from eagerdiff.harness.repro import script_process
from eagerdiff.harness.repro.script import Draft
from eagerdiff.harness.repro.script_process import NEXT, Subject
from eagerdiff.harness.triage.finding import Finding


class Writer:
    """Write scripts in a process apart. Use it as a context manager, from one thread."""

    def __init__(self, device: str, worker_pool: WorkerPool, limits: Limits | None = None) -> None:
        self._apart = Apart("writing a script", script_process, device, worker_pool, limits or Limits())

    def drafts(self, task: Task, finding: Finding) -> Iterator[Draft]:
        """Return the scripts that a finding may have, the one that reads best first, or why there is none."""
        try:
            self._apart.send(Subject(task=task, finding=finding).model_dump_json().encode())
            while said := self._apart.receive():
                yield Draft.model_validate_json(said)
                self._apart.send(NEXT)
        except NoAnswer as end:
            yield Draft(note=f"no script: {end.why}")
        except Vanished:
            yield Draft(note="no script: writing it ended with its fork server")
        except ValueError:
            yield Draft(note="no script: what came back cannot be read")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._apart.close()
