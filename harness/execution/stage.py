"""Stages: who is at work on a case, as a worker tells it to the process that waits for it."""

from enum import StrEnum
from typing import Protocol


class Stage(StrEnum):
    """Say whose time passes."""

    HARNESS = "harness"
    """Ours: the inputs, the reference and the judge."""
    IMPLEMENTATION = "implementation"
    """What is under test is built or called."""


class Announce(Protocol):
    """Take the index of the case that is worked on from now on, and the stage."""

    def __call__(self, case: int, stage: Stage, /) -> None: ...


def silently(_case: int, _stage: Stage, /) -> None:
    """Tell nobody."""
