"""The script process: writes scripts, for which an author's sources, inputs and builds are asked.

It gets a `Subject`, and gives a `Draft` for it and for each `NEXT` after that, until the empty message.
"""

import os
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import Any

from pydantic import BaseModel, ConfigDict

from eagerdiff.harness.catalog.plugin import in_one_line
from eagerdiff.harness.processes.serving import limit_memory, settle
from eagerdiff.harness.processes.task import Task, resolve
from eagerdiff.harness.repro.script import Draft, drafts
from eagerdiff.harness.triage.finding import Finding

NEXT = b"next"
END = b""


class Subject(BaseModel):
    """Say what a script is to show."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")

    task: Task
    """Without cases."""
    finding: Finding


def serve(descriptors: list[int], limits: dict[str, Any], device_name: str, fork_server: int) -> None:
    """Write scripts for the subjects that come in on the first descriptor; what is printed goes to the second."""
    channel, output = descriptors
    settle(output, fork_server)
    limit_memory(limits["memory"])
    campaign, pid = Connection(channel), os.getpid()
    while True:
        try:
            subject = Subject.model_validate_json(campaign.recv_bytes())
            for draft in _drafts(subject):
                if os.getpid() != pid:  # a build that forked came back twice
                    os._exit(1)
                campaign.send_bytes(draft.model_dump_json().encode())
                campaign.recv_bytes()
            campaign.send_bytes(END)
        except EOFError:
            return


def _drafts(subject: Subject) -> Iterator[Draft]:
    try:
        operator, implementation = resolve(subject.task)
        yield from drafts(subject.finding, operator, implementation)
    except GeneratorExit:
        raise
    except BaseException as error:  # noqa: BLE001  whatever an author's code raises, exits included, is told
        yield Draft(note=f"no script: {in_one_line(error)}")
