"""A process that a recording has started: nothing is imported for it before torch is."""

import os
from pathlib import Path

from eagerdiff.harness.recording.on_import import OnImport

FOLDER, CONTENTS = "EAGERDIFF_RECORD", "EAGERDIFF_RECORD_CONTENTS"
"""Variables: the folder of the parts; whether contents are kept."""
START = Path(__file__).parent / "start"
"""The folder that stands on PYTHONPATH."""


def environment(folder: Path, *, contents: bool) -> dict[str, str]:
    """Return the variables with which each Python that is started records into a folder."""
    path = [str(START), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return {FOLDER: str(folder), CONTENTS: "1" if contents else "", "PYTHONPATH": os.pathsep.join(path)}


def begin(folder: str) -> None:
    """Record into a folder, once torch has been imported: nothing is compiled or launched without it."""
    OnImport({"torch": lambda _: _record(Path(folder))}).install()


def _record(folder: Path) -> None:
    from eagerdiff.harness.recording.hooks import Hooks
    from eagerdiff.harness.recording.recorder import Recorder

    Hooks(Recorder(folder, contents=bool(os.environ.get(CONTENTS)))).install()
