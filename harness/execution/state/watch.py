"""A watch over the state of this process: what a call changed besides its arguments."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from eagerdiff.harness.execution.state.company import company, newcomers
from eagerdiff.harness.execution.state.interpreter import interpreter
from eagerdiff.harness.execution.state.namespaces import original
from eagerdiff.harness.execution.state.settings import settings
from eagerdiff.harness.execution.state.surroundings import MANY, VARIABLE, surroundings
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict

_PLAIN = (bool, int, float, str, bytes, tuple, frozenset)
_LONG = 60
COMPANY = "who runs beside it"
SEARCHED = ("sys.path", "sys.meta_path", "sys.path_hooks")
TORCHS_OWN = {
    r"torch\.manual_seed": "Dynamo wraps it where it is first imported (`torch._dynamo`)",
    r"os\.environ\['TORCHINDUCTOR_\w+'\]": "Inductor names its cache (`torch._inductor.runtime.cache_dir_utils`)",
    r"os\.environ\['TRITON_CACHE_DIR'\]": "Inductor names Triton's cache (`torch._inductor.runtime.cache_dir_utils`)",
    r"os\.environ\['TRITON_(?:PTXAS|LIBDEVICE)_PATH'\]": (
        "Inductor hands Triton the tools of CUDA that torch carries (`torch._inductor.runtime.compile_tasks`)"
    ),
}
"""What torch changes by itself at the first use of a compiler, and where; never what was set before."""
ADDRESS = "os.environ['_TORCHINDUCTOR_PYOBJECT_TENSOR_DATA_PTR']"
"""Where Inductor hands an address on to the code that it loads (`codecache`): what a process has of the one that
started it is wrong in it."""


@dataclass(frozen=True)
class Change:
    """Say what is not as it was."""

    what: str
    was: str
    now: str

    def __str__(self) -> str:
        """Write it for a person."""
        return f"{self.what} from {self.was} to {self.now}"


@dataclass(frozen=True)
class Look:
    """Hold the state at one moment, but for names: those are remembered from one comparison to the next."""

    values: dict[str, object]
    company: frozenset[int]


class Watch:
    """Look at the state of this process, and again."""

    def __init__(self, *, alone: bool = True) -> None:
        """Say whether nothing but what is watched could change names, for all else is ours."""
        self._namespaces = original().copied()
        self._namespaces.replaced()
        self._alone = alone

    def look(self) -> Look:
        """Return the state as it is."""
        if not self._alone:
            self._namespaces.replaced()
        return Look(_values(), company())

    def renamed(self) -> list[Change]:
        """Return what stands for something else since the last look, where others' code runs beside what is watched."""
        found = [] if self._alone else [Change(*one) for one in self._replaced()]
        return [change for change in found if not _is_torchs_own(change)]

    def _replaced(self) -> list[tuple[str, str, str]]:
        return [(what, _text(was), _text(new)) for what, was, new in self._namespaces.replaced()]

    def changes(self, before: Look, meant: Collection[str] = ()) -> list[Change]:
        """Return what has changed since, but for what was `meant` to.

        What torch changes by itself (`TORCHS_OWN`, `ADDRESS`) is nobody's doing.
        """
        found = _between(before.values, _values())
        found += [Change(*one) for one in self._replaced()]
        if COMPANY not in meant and company() - before.company:
            found += [Change(COMPANY, "nobody", name) for name in newcomers(before.company)]
        return [change for change in found if change.what not in meant and not _is_torchs_own(change)]


def _is_torchs_own(change: Change) -> bool:
    if change.what == ADDRESS:
        return True
    return change.was in ("None", change.now) and any(re.fullmatch(own, change.what) for own in TORCHS_OWN)


def left_behind(changes: list[Change], what: str) -> Verdict:
    """Return the verdict on a call, or a build, that changed its process."""
    first = changes[0]
    more = f", and {len(changes) - 1} more" if len(changes) > 1 else ""
    return Verdict(
        status=Status.WRONG_MUTATION,
        reason=f"{what} changed {first}{more}"[:240],
        oracle=Oracle.STATE,
        output=first.what,
        got=first.now,
        expected=first.was,
    )


def _values() -> dict[str, object]:
    return settings() | surroundings() | interpreter()


def _between(before: Mapping[str, object], now: Mapping[str, object]) -> list[Change]:
    if before == now:  # which takes identity for equality, and is thirty times as fast as what follows
        return []
    pairs = [one for what, was in before.items() for one in _one_by_one(what, was, now[what])]
    return [Change(what, _text(was), _text(new)) for what, was, new in pairs if not _same(was, new)]


def _one_by_one(what: str, was: Any, now: Any) -> list[tuple[str, Any, Any]]:
    """Return the name, the old and the new value of each thing that a value holds."""
    if what == VARIABLE:
        names = sorted(was.keys() | now.keys())
        return [(f"{VARIABLE}[{_text(name)}]", was.get(name), now.get(name)) for name in names]
    if what in MANY:
        return list(zip(MANY[what], was, now, strict=True))
    return [] if _grew(what, was, now) else [(what, was, now)]


def _grew(what: str, was: object, now: object) -> bool:
    """Whether a search path has more at its end, as importing may leave it: nothing that was there is hidden."""
    return what in SEARCHED and isinstance(was, tuple) and isinstance(now, tuple) and now[: len(was)] == was


def _same(was: object, now: object) -> bool:
    return was is now or was == now


def _text(value: object) -> str:
    """Write a value for a person: without addresses, for a changed function is one bug wherever it stands."""
    if isinstance(value, bytes):
        value = value.decode(errors="replace")
    name = getattr(value, "__qualname__", None)
    if isinstance(name, str):
        return f"{getattr(value, '__module__', '')}.{name}"[:_LONG]
    shown = repr(value) if value is None or isinstance(value, (*_PLAIN, list)) else f"a {type(value).__name__}"
    return shown if len(shown) <= _LONG else f"{shown[:_LONG]}…"
