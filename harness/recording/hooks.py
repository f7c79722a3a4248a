"""Where calls pass: one place of Dynamo's and two of Triton's, taken over when their modules are there, or come."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from eagerdiff.harness.internals import dynamo_calls
from eagerdiff.harness.internals.hook import Gone, Hook
from eagerdiff.harness.internals.triton_interpreter import REPLACED
from eagerdiff.harness.internals.triton_jit import METHODS
from eagerdiff.harness.recording.on_import import OnImport
from eagerdiff.harness.recording.recorder import Recorder


class Hooks:
    """Send calls to a recorder."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        launch = self._launching
        self._makers: dict[Hook, Callable[[Any], Any]] = {
            dynamo_calls.HOOKS["stance"]: self._asking,
            METHODS["run"]: launch,
            REPLACED["run"]: launch,
        }
        self._before: dict[Hook, Any] = {}
        self._finder = OnImport({_module(hook): self._take for hook in self._makers})

    def install(self) -> None:
        """Take the places over, now or when their modules are imported."""
        self._finder.install()

    def uninstall(self) -> None:
        """Put back what was there."""
        self._finder.uninstall()
        for hook, before in self._before.items():
            hook.replace(before)
        self._before.clear()

    def _take(self, module: str) -> None:
        for hook, make in self._makers.items():
            if _module(hook) == module:
                try:
                    self._before[hook] = before = hook.reach()
                    hook.replace(make(before))
                except Gone as error:
                    self._recorder.miss(str(error))

    def _asking(self, before: Callable[..., Any]) -> Callable[..., Any]:
        called, call_of, frame = self._recorder.called, dynamo_calls.call_of, sys._getframe

        def stance(callback: Any) -> Any:
            asking: FrameType = frame(1)
            call = call_of(asking)
            if call is not None:
                called(*call)
            return before(callback)

        return stance

    def _launching(self, before: Callable[..., Any]) -> Callable[..., Any]:
        launched = self._recorder.launched

        def run(self: Any, *args: Any, grid: Any, warmup: bool = False, **kwargs: Any) -> Any:
            if warmup:
                return before(self, *args, grid=grid, warmup=warmup, **kwargs)
            if not callable(grid):
                launched(self, args, kwargs, grid)
                return before(self, *args, grid=grid, warmup=False, **kwargs)

            def computed(meta: Any) -> Any:  # called once, as without a recording
                found = grid(meta)
                launched(self, args, kwargs, found)
                return found

            return before(self, *args, grid=computed, warmup=False, **kwargs)

        return run


def _module(hook: Hook) -> str:
    return hook.path.partition(":")[0]
