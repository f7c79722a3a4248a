"""`eagerdiff check`, in a process of its own: it imports what is checked."""

import json
import sys
from pathlib import Path
from typing import Any, NoReturn

from torch import nn

from eagerdiff import Recording, Spec, read_recording, resolve_spec
from eagerdiff.suites.own.check import check
from eagerdiff.suites.own.checked import CheckFailed
from eagerdiff.suites.own.nearby import Elsewhere, spec_of

_WORST = (0, 2, 1)
"""Exit codes: of several the last one of these that was met."""


def main(told: str) -> NoReturn:
    """Check what a JSON object names, print what came of it, and end with the exit code."""
    asked: dict[str, Any] = json.loads(told)
    try:
        like = read_recording(Path(asked["like"])) if asked["like"] else None
    except ValueError as error:
        sys.exit(_complain(str(error)))
    if like is not None and not asked["target"]:
        sys.exit(_all(like, asked["options"]))
    sys.exit(_one(asked["target"], asked["example"], like, asked["options"]))


def _one(target: str, example: str, like: Recording | None, options: dict[str, Any]) -> int:
    try:
        args, named = _example(target, example)
        return _checked(target, *args, inputs=named, like=like, **options)
    except Exception as error:  # noqa: BLE001 - whatever the user's code raises is told in a line
        return _complain(f"{target}: {_line(error)}")


def _all(recording: Recording, options: dict[str, Any]) -> int:
    """Check each function of a recording that can be imported from here; say which cannot, and why."""
    codes: list[int] = []
    for function in recording.functions:
        try:
            target = spec_of(function, Path.cwd())
            codes.append(_checked(target, like=recording.of(function), **options))
        except Elsewhere as error:
            print(f"{function.name}: not checked: {error}")
        except Exception as error:  # noqa: BLE001 - as above
            codes.append(2)
            print(f"{function.name}: not checked: {_line(error)}")
    return max(codes, key=_WORST.index) if codes else _complain("nothing of the recording can be checked here")


def _checked(target: str, *args: Any, **options: Any) -> int:
    code = resolve_spec(Spec(target))
    if isinstance(code, type) and issubclass(code, nn.Module):
        code = code()
    try:
        print(check(code, *args, **options))
    except CheckFailed as failed:
        print(failed)
        return 1
    return 0


def _complain(line: str) -> int:
    print(f"eagerdiff: {line}", file=sys.stderr)
    return 2


def _line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _example(target: str, example: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments that a function of the user's makes: a tuple, a dict by name, or one tensor."""
    if not example:
        return (), {}
    spec = example if ":" in example else f"{target.rpartition(':')[0]}:{example}"
    made = resolve_spec(Spec(spec))()
    if isinstance(made, dict):
        return (), made
    return (tuple(made) if isinstance(made, tuple | list) else (made,)), {}
