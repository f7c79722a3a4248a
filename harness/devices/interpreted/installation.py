"""Put the checked interpreter in the place of Triton's own, once for the whole process."""

import contextlib
from collections.abc import Generator
from typing import TYPE_CHECKING, cast

from eagerdiff.harness.devices.watch import MemoryWatch
from eagerdiff.harness.model.kernel_coverage import Places

if TYPE_CHECKING:
    from eagerdiff.harness.devices.interpreted.builder import CheckedBuilder


class NotInstalled(RuntimeError):
    """The process was not activated for the interpreted device."""


def install() -> None:
    """Replace the interpreter's builder, launcher and language; raise RuntimeError where that is impossible."""
    import triton

    from eagerdiff.harness.devices.autotuning import take_first
    from eagerdiff.harness.devices.interpreted import host, inductor, language, layouts, operators
    from eagerdiff.harness.devices.interpreted.autotuning import note_choice
    from eagerdiff.harness.devices.interpreted.builder import CheckedBuilder
    from eagerdiff.harness.devices.interpreted.launch import Launcher
    from eagerdiff.harness.devices.offline_driver import OfflineDriver
    from eagerdiff.harness.devices.offline_driver import install as install_driver
    from eagerdiff.harness.devices.targets import TARGETS
    from eagerdiff.harness.internals.triton_interpreter import REPLACED, interpreter

    if isinstance(interpreter.interpreter_builder, CheckedBuilder):
        return
    if not isinstance(triton.language.cdiv, interpreter.InterpretedFunction):
        raise RuntimeError("triton was imported before TRITON_INTERPRET=1 was set")
    builder = CheckedBuilder()
    launcher = Launcher(builder)
    REPLACED["builder"].replace(builder)
    layouts.remember()
    REPLACED["semantic"].replace(layouts.BroadcastingSemantic(builder))
    REPLACED["validate"].replace(lambda *_: True)
    REPLACED["run"].replace(
        lambda self, *args, grid, warmup=False, **kwargs: None if warmup else launcher.launch(self, args, kwargs, grid)
    )
    REPLACED["call"].replace(lambda self, *args, **kwargs: launcher.call(self, args, kwargs))
    REPLACED["rewrite"].replace(lambda self: launcher.kernel(self).run)
    take_first(note_choice)
    language.take_over()
    operators.shorten()
    install_driver(OfflineDriver.for_target(*TARGETS["sm_90"]))
    inductor.prepare()
    host.stand_in()


@contextlib.contextmanager
def watching(watch: MemoryWatch) -> Generator[None]:
    """Send faults and launches to a watch; raise NotInstalled where `install` was not called."""
    from eagerdiff.harness.internals.triton_interpreter import interpreter

    builder = cast("CheckedBuilder", interpreter.interpreter_builder)
    if not hasattr(builder, "watch"):
        raise NotInstalled("activate the interpreted device before watching it")
    outer, builder.watch = builder.watch, watch
    try:
        yield
    finally:
        builder.watch = outer


def coverage_news() -> dict[str, Places]:
    """Return what was reached of kernels and not told yet; nothing where `install` was not called."""
    from eagerdiff.harness.internals.triton_interpreter import interpreter

    builder = cast("CheckedBuilder", interpreter.interpreter_builder)
    return builder.coverage.news() if hasattr(builder, "coverage") else {}
