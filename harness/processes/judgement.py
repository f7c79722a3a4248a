"""Judgement: what a clean process says of what passed in the process that ran it."""

import functools
import os
import secrets
import tempfile
from pathlib import Path

from eagerdiff.harness.execution.exhibit_place import place
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict, harness_error

_SHARED_MEMORY = Path("/dev/shm")


@functools.cache
def prefix() -> Path:
    """Return what folders of this process' exhibits begin with, in memory where the system has a place for that."""
    home = _SHARED_MEMORY if os.access(_SHARED_MEMORY, os.W_OK) else Path(tempfile.gettempdir())
    return home / f"eagerdiff-{secrets.token_hex(8)}"


def new_folder() -> Path:
    """Return the name of a folder for exhibits; it is not made yet."""
    return prefix().with_name(f"{prefix().name}-{secrets.token_hex(4)}")


def settle(outcome: Outcome, again: Outcome, folder: Path) -> Outcome:
    """Return an outcome in which what passed, and was kept, is what the clean process says of it."""
    verdicts = [
        _settled(was, again, case) if was.status is Status.PASSED and place(folder, case).is_file() else was
        for case, was in enumerate(outcome.verdicts)
    ]
    return outcome.model_copy(update={"verdicts": verdicts})


def _settled(was: Verdict, again: Outcome, case: int) -> Verdict:
    if case >= len(again.verdicts):
        why = again.workload.reason or "nothing was said of it"
        return harness_error(f"it could not be judged in a clean process: {why}", Oracle.JUDGE)
    now = again.verdicts[case]
    if not now.failed:
        return now
    return now.model_copy(update={"reason": f"{now.reason}; where it ran it had {was.status.value}"})
