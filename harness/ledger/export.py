"""Export's layer: programs captured ahead of time."""

import time
from collections.abc import Callable
from typing import Any

from eagerdiff.harness.internals.export_trace import export_function
from eagerdiff.harness.internals.hook import Hook
from eagerdiff.harness.model.outcome import CompileRecord


class ExportLayer:
    """Time each `torch.export.export` while a ledger is open."""

    def __init__(self) -> None:
        self._pending: list[tuple[str, float, str]] = []
        self._hook: Hook | None = None
        self._original: Any = None

    def start(self) -> None:
        """Wrap export's inner function, or its public one where export was never used: loading it costs a second."""
        self._hook = export_function()
        if self._hook is not None:
            self._original = self._hook.reach()
            self._hook.replace(self._timed(self._original))

    def drain(self, call: int) -> list[CompileRecord]:
        """Return one `export` record a program."""
        pending, self._pending = self._pending, []
        return [
            CompileRecord(layer="export", frame=name, call=call, seconds=seconds, failed=failed)
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
                self._pending.append((type(module).__name__, time.perf_counter() - start, failed))

        return timed
