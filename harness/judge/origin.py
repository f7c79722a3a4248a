"""Origins: which function of a framework an exception is due to, whatever carried it up."""

import re
import sys
import traceback
from collections.abc import Iterator
from typing import Any

from eagerdiff.harness.internals.compiler_packages import PLUMBING
from eagerdiff.harness.triage.normalisation import GENERATED

FRAMEWORKS = ("torch", "triton", "numpy")
TOLD_ORIGIN = "__eagerdiff_origin__"
"""What an exception that tells of another process's is due to: `engine:part`, for no frame of that process is here."""
_CAUSED_BY = re.compile(r"\((?P<file>[\w/]+)\.py:\d+ in (?P<function>\w+)\)")
"""What torch writes behind `Caused by:`, where it has taken the frames away."""

_TRACEBACK = "Traceback (most recent call last)"
_FRAME = re.compile(r'^\s*File "[^"]*/torch/([^"]+)\.py", line \d+, in (\w+)', re.MULTILINE)


def made_from(error: BaseException) -> Iterator[BaseException]:
    """Return an exception and those that it was made from: torch keeps them as `inner_exception`, Python as cause.

    Dynamo words some of its own anew, and keeps the first as what was handled meanwhile.
    """
    met: list[BaseException] = []
    inner: Any = error
    while isinstance(inner, BaseException) and inner not in met:
        met.append(inner)
        yield inner
        inner = getattr(inner, "inner_exception", None) or inner.__cause__ or _worded_before(inner)


def _worded_before(error: BaseException) -> BaseException | None:
    """Return the exception of the same module that one replaces, or None."""
    before, home = error.__context__, type(error).__module__
    return before if home in sys.modules and home.startswith("torch.") and type(before).__module__ == home else None


def origin_of(error: BaseException) -> str:
    """Return `module:function` of the function of a framework that an exception is due to; empty where none is told.

    It is what an exception of another process is told to be due to, what torch says that caused it, else the innermost
    frame that does not merely hand on what others ask.
    """
    chain = list(made_from(error))[::-1]
    if told := next((str(getattr(one, TOLD_ORIGIN)) for one in chain if hasattr(one, TOLD_ORIGIN)), ""):
        return told
    said = [found for one in chain for found in _CAUSED_BY.finditer(_causes(str(one)))]
    files = ((_module(found["file"]), found["function"]) for found in said)
    named = [f"{module}:{function}" for module, function in files if module in sys.modules]
    met = [frame for one in chain for frame in reversed(list(frames(one)))]
    return next((frame for frame in (*named, *met) if not _is_plumbing(frame.partition(":")[0])), "")


def origin_in(said: str) -> str:
    """Return the same of tracebacks that were printed: what caused another stands first."""
    caused = [(_module(found["file"]), found["function"]) for found in _CAUSED_BY.finditer(_causes(said))]
    blocks = said.split(_TRACEBACK)[1:]
    met = [(_module(file), function) for block in blocks for file, function in reversed(_FRAME.findall(block))]
    return next((f"{module}:{function}" for module, function in (*caused, *met) if not _is_plumbing(module)), "")


def frames(error: BaseException) -> Iterator[str]:
    """Return `module:function` of an exception's frames, the outermost first.

    A hash of generated code in a module's name is taken out: it would make every failure a bug of its own.
    """
    for frame, _ in traceback.walk_tb(error.__traceback__):
        yield f"{GENERATED.sub('generated', str(frame.f_globals.get('__name__', '?')))}:{frame.f_code.co_name}"


def _module(file: str) -> str:
    """Return the module of torch that a file within its folder is."""
    return f"torch.{file.strip('/').removesuffix('/__init__').replace('/', '.')}"


def _causes(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if line.startswith("Caused by:"))


def _is_plumbing(module: str) -> bool:
    if module.partition(".")[0] not in FRAMEWORKS:
        return True
    return module == "torch" or any(f"{module}.".startswith(f"{one}.") for one in PLUMBING[1:])
