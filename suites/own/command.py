"""`eagerdiff check`, in a process of its own: it imports what is checked."""

import json
import sys
from typing import Any, NoReturn

from torch import nn

from eagerdiff import Spec, resolve_spec
from eagerdiff.suites.own.check import CheckFailed, check


def main(told: str) -> NoReturn:
    """Check what a JSON object names, print what came of it, and end with the exit code."""
    sys.exit(_checked(told))


def _checked(told: str) -> int:
    asked: dict[str, Any] = json.loads(told)
    try:
        code = resolve_spec(Spec(asked["target"]))
        if isinstance(code, type) and issubclass(code, nn.Module):
            code = code()
        args, named = _example(asked["target"], asked["example"])
        print(check(code, *args, inputs=named, **asked["options"]))
    except CheckFailed as failed:
        print(failed)
        return 1
    except Exception as error:  # noqa: BLE001 - whatever the user's code raises is told in a line
        print(f"eagerdiff: {asked['target']}: {' '.join(str(error).split()) or type(error).__name__}", file=sys.stderr)
        return 2
    return 0


def _example(target: str, example: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments that a function of the user's makes: a tuple, a dict by name, or one tensor."""
    if not example:
        return (), {}
    spec = example if ":" in example else f"{target.rpartition(':')[0]}:{example}"
    made = resolve_spec(Spec(spec))()
    if isinstance(made, dict):
        return (), made
    return (tuple(made) if isinstance(made, tuple | list) else (made,)), {}
