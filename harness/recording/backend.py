"""`torch.compile(f, backend="eagerdiff_record")`: Inductor, and what is compiled so is recorded.

torch finds it by its entry point, `torch_dynamo_backends`, with no import of ours.
"""

import atexit
import os
import sys
from pathlib import Path
from typing import Any

from eagerdiff.harness.internals.dynamo_backends import lookup_backend
from eagerdiff.harness.internals.dynamo_calls import backend_of
from eagerdiff.harness.recording.child import FOLDER
from eagerdiff.harness.recording.session import DEFAULT, begin

OUT = "EAGERDIFF_RECORD_OUT"
"""Variable: where the file goes; into the folder that is worked in where there is none."""


def eagerdiff_record(graph: Any, inputs: Any, **options: Any) -> Any:
    """Compile a graph by Inductor; calls of what is compiled by this are noted and written when the process ends."""
    return lookup_backend("inductor")(graph, inputs, **options)


def _begin() -> None:
    if os.environ.get(FOLDER):  # `eagerdiff record` notes all
        return
    path = Path(os.environ.get(OUT) or DEFAULT).absolute()
    try:
        begun = begin(path, wanted=lambda context: context is None or backend_of(context) is eagerdiff_record)
    except (OSError, ValueError) as error:
        print(f"eagerdiff: nothing is recorded: {error}", file=sys.stderr)
        return
    mine = os.getpid()

    @atexit.register
    def end() -> None:  # pyright: ignore[reportUnusedFunction]
        if os.getpid() == mine:
            print(f"eagerdiff: written: {path}: {begun.end().summary()}", file=sys.stderr)


_begin()  # torch imports this module when something is compiled by its name, before the first call
