"""Python functions that the user names: what launches a kernel has a reference, the kernel alone has none."""

import functools
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from eagerdiff.harness.recording.on_import import OnImport
from eagerdiff.harness.recording.recorder import Recorder

_NAME = re.compile(r"\w+(\.\w+)*:\w+")


def checked_names(names: Iterable[str]) -> list[str]:
    """Return names of functions, `module:function`; raise ValueError in one line for what is none."""
    found = list(names)
    if wrong := next((name for name in found if not _NAME.fullmatch(name)), None):
        raise ValueError(f"{wrong!r} names no function of a module: write module:function")
    return found


class Named:
    """Send calls of functions to a recorder, as soon as their modules have been imported."""

    def __init__(self, recorder: Recorder, names: Iterable[str]) -> None:
        self._recorder = recorder
        self._wanted: dict[str, list[str]] = defaultdict(list)
        for module, _, name in (one.partition(":") for one in names):
            self._wanted[module].append(name)
        self._before: list[tuple[Any, str, Any]] = []
        self._finder = OnImport(dict.fromkeys(self._wanted, self._take))

    def install(self) -> None:
        """Stand in for the functions, now or when their modules are imported."""
        self._finder.install()

    def uninstall(self) -> None:
        """Put back what was there."""
        self._finder.uninstall()
        for module, name, before in self._before:
            setattr(module, name, before)
        self._before.clear()

    def _take(self, module_name: str) -> None:
        module = sys.modules[module_name]
        for name in self._wanted[module_name]:
            before = getattr(module, name, None)
            if not callable(before):
                self._recorder.miss(f"{module_name}:{name}: no such function")
                continue
            self._before.append((module, name, before))
            setattr(module, name, _noting(before, self._recorder))


def _noting(before: Callable[..., Any], recorder: Recorder) -> Callable[..., Any]:
    from torch.compiler import is_compiling

    @functools.wraps(before)
    def function(*args: Any, **kwargs: Any) -> Any:
        if not is_compiling():  # the compiled function that it is part of is noted
            recorder.called(before, args, kwargs, None)
        return before(*args, **kwargs)

    return function
