"""Begin to record in a Python that `eagerdiff record` started, or one that it started: Python imports this by itself.

https://docs.python.org/3/library/site.html#module-sitecustomize: the folder stands on PYTHONPATH. What another folder
has under this name is imported after it, as if this one were not there.
"""

import importlib
import os
import sys


def _begin() -> None:
    folder = os.environ["EAGERDIFF_RECORD"]
    try:
        from eagerdiff.harness.recording.child import begin
    except ImportError as error:
        with open(os.path.join(folder, f"{os.getpid()}.refused"), "w", encoding="utf-8") as file:
            file.write(f"{sys.executable}: {error}")
    else:
        begin(folder)


def _next() -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [place for place in sys.path if os.path.abspath(place) != here]
    mine = sys.modules.pop("sitecustomize", None)
    try:
        importlib.import_module("sitecustomize")
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
        if mine is not None:
            sys.modules["sitecustomize"] = mine


if os.environ.get("EAGERDIFF_RECORD"):
    try:
        _begin()
    except OSError:
        print("eagerdiff: the folder of the recording is gone: nothing is noted", file=sys.stderr)
_next()
