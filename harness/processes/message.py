"""Messages: what a worker tells of its task, as data. Each names the task and has a number: what a kernel, or a
process that it forked, writes to the channel fits neither."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from eagerdiff.harness.execution.stage import Stage
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Verdict
from eagerdiff.harness.processes.framing import Unreadable
from eagerdiff.harness.processes.task import Task

DEAF = 74
"""The status with which a worker exits that finds its channel closed: the system's EX_IOERR."""


class _Told(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")


class Entered(_Told):
    """Say who is at work on which case from now on."""

    kind: Literal["entered"] = "entered"
    case: int = -1
    """-1: what the task names is loaded."""
    stage: Stage = Stage.HARNESS
    relation: str = ""
    """For which relation it is called; empty for the call that is judged."""


class Reached(_Told):
    """Say the verdict on a case; a later one on the same case replaces it."""

    kind: Literal["reached"] = "reached"
    case: int
    verdict: Verdict
    launched: dict[str, int] = Field(default_factory=dict[str, int])
    """Kernel launches seen in the call, by kernel."""


class Helped(_Told):
    """Say that another process works for the worker from now on, which it did not start."""

    kind: Literal["helped"] = "helped"
    by: int | None
    """None: it is waited for."""


class Finished(_Told):
    """Say what came of the whole task."""

    kind: Literal["finished"] = "finished"
    outcome: Outcome
    resident: int
    """Resident bytes of the process."""
    changed: str = ""
    """What of the process is not as it was before the task: then it runs no other."""


Message = Entered | Reached | Helped | Finished


class Envelope(_Told):
    """Say of which task a message is, and the how manieth of it."""

    task: str
    number: int
    message: Annotated[Message, Field(discriminator="kind")]


class Order(_Told):
    """Hand a worker a task, under a name that its answers bear."""

    name: str
    task: Task
    exhibits: str = ""
    """Folder for what passes, where the implementation is not one of ours."""
    again: bool = False
    """Whether that is to be judged again, and nothing of the implementation to be touched."""


_ENVELOPE: TypeAdapter[Envelope] = TypeAdapter(Envelope)


def read(data: bytes, task: str, number: int) -> Message:
    """Return message `number` of a task; raise Unreadable for anything else."""
    try:
        envelope = _ENVELOPE.validate_json(data)
    except ValidationError as error:
        raise Unreadable(f"{data[:80]!r}") from error
    if (envelope.task, envelope.number) != (task, number):
        raise Unreadable(f"message {envelope.number} of task {envelope.task!r:.40} in place of {number} of {task!r}")
    return envelope.message
