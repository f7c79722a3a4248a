"""Stages: who is at work on a case, as a worker tells it to the process that waits for it."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Protocol

from eagerdiff.harness.model.verdict import Verdict


class Stage(StrEnum):
    """Say whose time passes."""

    HARNESS = "harness"
    """Ours: the inputs, the reference and the judge."""
    IMPLEMENTATION = "implementation"
    """What is under test is built or called."""


class Announce(Protocol):
    """Take the index of the case that is worked on from now on, the stage, and the relation that is called for."""

    def __call__(self, case: int, stage: Stage, relation: str = "", /) -> None: ...


class Reach(Protocol):
    """Take the verdict on a case as soon as it is reached, with the kernel launches seen; a later one replaces it."""

    def __call__(self, case: int, verdict: Verdict, launched: Mapping[str, int], /) -> None: ...


def silently(_case: int, _stage: Stage, _relation: str = "", /) -> None:
    """Tell nobody."""


def unheard(_case: int, _verdict: Verdict, _launched: Mapping[str, int], /) -> None:
    """Keep it for the end."""
