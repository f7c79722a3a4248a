"""How long a check searches, and where it writes scripts."""

import os
from dataclasses import replace
from pathlib import Path

from eagerdiff import Effort, cache_folder, check_settings


def effort(seconds: float | None, seed: int | None, workloads: int | None, usual: int = Effort.workloads) -> Effort:
    """Return what is asked for, else what holds here, and of workloads `usual`; raise ValueError in one line.

    No more workloads can be asked for than a batch has.
    """
    if workloads is not None and not 1 <= workloads <= Effort.examples:
        raise ValueError(f"workloads={workloads}: from 1 to {Effort.examples} can be asked for, whatever the time")
    return replace(check_settings(seconds, seed).effort, workloads=usual if workloads is None else workloads)


def scripts_folder() -> Path:
    """Return where scripts of findings go: into `.eagerdiff` of the folder that is worked in, else the cache."""
    folder = Path.cwd() / ".eagerdiff"
    return folder if os.access(Path.cwd(), os.W_OK) else cache_folder() / "findings"
