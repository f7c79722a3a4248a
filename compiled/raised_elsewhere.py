"""What a call raised in another process, told as text and raised again here: types, messages, frames and causes."""

import builtins
import importlib
import json
import sys
import traceback
import types
from collections.abc import Sequence
from typing import Any

__eagerdiff_glue__ = True
"""What this module raises itself is a harness error, not a finding about the compiler (docs/judge.md)."""

MOST_CAUSES = 8
"""Of a chain of causes, what is told."""


def told(error: BaseException) -> str:
    """Write an exception and those that it was made from."""
    chain: list[dict[str, Any]] = []
    inner: BaseException | None = error
    while inner is not None and len(chain) < MOST_CAUSES:
        frames = [
            (str(frame.f_globals.get("__name__", "?")), frame.f_code.co_name, frame.f_code.co_filename)
            for frame, _ in traceback.walk_tb(inner.__traceback__)
        ]
        kind, cause = type(inner), getattr(inner, "inner_exception", None) or inner.__cause__
        named = {"module": kind.__module__, "name": kind.__name__}
        chain.append({**named, "said": str(inner), "frames": frames, "caused": cause is not None})
        inner = cause or inner.__context__
    return json.dumps(chain)


def again(text: str) -> BaseException:
    """Return the exception that was told: of a type of that name, a subclass of it where it is one of torch's."""
    found: BaseException | None = None
    for one in reversed(json.loads(text)):
        error = _exception(one["module"], one["name"], one["said"])
        error.__cause__, error.__context__ = found if one["caused"] else None, found
        found = error.with_traceback(_traceback(one["frames"]))
    assert found is not None
    return found


def _exception(module: str, name: str, said: str) -> BaseException:
    kind = type(name, (_known(module, name),), {"__str__": lambda _: said, "__module__": module})
    return kind.__new__(kind, said)


def _known(module: str, name: str) -> type[BaseException]:
    """Return the type of a name, of Python or of torch, else Exception."""
    found: Any = getattr(builtins, name, None)
    if module.partition(".")[0] == "torch":
        found = getattr(importlib.import_module(module), name, None)
    return found if isinstance(found, type) and issubclass(found, BaseException) else Exception


def _traceback(frames: Sequence[tuple[str, str, str]]) -> types.TracebackType | None:
    """Return frames of those modules, functions and files, the outermost first."""
    found: types.TracebackType | None = None
    for module, function, file in reversed(frames):
        code = _here.__code__.replace(co_name=function, co_filename=file)
        frame = types.FunctionType(code, {"__name__": module, "sys": sys})()
        found = types.TracebackType(found, frame, 0, 1)
    return found


def _here() -> types.FrameType:
    return sys._getframe()
