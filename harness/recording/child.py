"""A process that a recording has started: nothing is imported for it before torch is."""

import os
from collections.abc import Iterable
from pathlib import Path

from eagerdiff.harness.recording.on_import import OnImport

FOLDER, CONTENTS, FUNCTIONS = "EAGERDIFF_RECORD", "EAGERDIFF_RECORD_CONTENTS", "EAGERDIFF_RECORD_FUNCTIONS"
"""Variables: the folder of the parts; whether contents are kept; Python functions that are noted too."""
START = Path(__file__).parent / "start"
"""The folder that stands on PYTHONPATH."""


def environment(folder: Path, *, contents: bool, functions: Iterable[str]) -> dict[str, str]:
    """Return the variables with which each Python that is started records into a folder."""
    path = [str(START), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return {
        FOLDER: str(folder),
        CONTENTS: "1" if contents else "",
        FUNCTIONS: ",".join(functions),
        "PYTHONPATH": os.pathsep.join(path),
    }


def begin(folder: str) -> None:
    """Record into a folder, once torch has been imported: nothing is compiled or launched without it."""
    OnImport({"torch": lambda _: _record(Path(folder))}).install()


def _record(folder: Path) -> None:
    from eagerdiff.harness.recording.hooks import Hooks
    from eagerdiff.harness.recording.named import Named
    from eagerdiff.harness.recording.recorder import Recorder

    recorder = Recorder(folder, contents=bool(os.environ.get(CONTENTS)))
    Hooks(recorder).install()
    Named(recorder, filter(None, os.environ.get(FUNCTIONS, "").split(","))).install()
