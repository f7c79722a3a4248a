"""The layers of what is compiled ahead of all calls: exported programs, precompiled functions."""

import time
from collections.abc import Callable
from typing import Any

from eagerdiff.harness.internals.hook import Hook
from eagerdiff.harness.model.outcome import CompileRecord


class AheadLayer:
    """Time each call of a function that compiles, while a ledger is open."""

    def __init__(self, name: str, function: Callable[[], Hook | None]) -> None:
        """Take the layer's name, and what returns the function; None where nothing of it is loaded yet."""
        self._name = name
        self._function = function
        self._pending: list[tuple[str, float, str]] = []
        self._hook: Hook | None = None
        self._original: Any = None

    def start(self) -> None:
        """Wrap the function, as soon as it is there: loading it costs a second."""
        if self._hook is None and (hook := self._function()) is not None:
            self._hook = hook
            self._original = self._hook.reach()
            hook.replace(self._timed(self._original))

    def drain(self, call: int) -> list[CompileRecord]:
        """Return one record a program."""
        self.start()
        pending, self._pending = self._pending, []
        return [
            CompileRecord(layer=self._name, frame=name, call=call, seconds=seconds, failed=failed)
            for name, seconds, failed in pending
        ]

    def stop(self) -> None:
        """Put the original back."""
        if self._hook is not None:
            self._hook.replace(self._original)
        self._hook = self._original = None

    def _timed(self, export: Callable[..., Any]) -> Callable[..., Any]:
        def timed(module: Any, *args: Any, **options: Any) -> Any:
            start, failed = time.perf_counter(), ""
            try:
                return export(module, *args, **options)
            except BaseException as error:
                failed = type(error).__name__
                raise
            finally:
                name = getattr(module, "__name__", type(module).__name__)
                self._pending.append((name, time.perf_counter() - start, failed))

        return timed
