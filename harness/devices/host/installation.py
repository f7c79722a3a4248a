"""Have Triton compile and run kernels on this machine, once for the whole process."""

import contextlib
from collections.abc import Generator

from eagerdiff.harness.devices.host.watching import Watching
from eagerdiff.harness.devices.watch import MemoryWatch


def install(target: str = "sm_90", *, integers_wrap: bool = True) -> None:
    """Put the stages and the driver in place, and keep what kernels assert; unless integers may wrap around, that they
    do not, too."""
    from eagerdiff.harness.devices.autotuning import take_first
    from eagerdiff.harness.devices.host import inductor, stages
    from eagerdiff.harness.devices.host.driver import HostDriver
    from eagerdiff.harness.devices.interpreted import host
    from eagerdiff.harness.devices.offline_driver import install as install_driver
    from eagerdiff.harness.devices.targets import TARGETS
    from eagerdiff.harness.devices.uninitialised import Poison
    from eagerdiff.harness.internals.triton_knobs import HOOKS

    stages.install(integers_wrap=integers_wrap)
    HOOKS["debug"].replace(True)
    take_first()
    install_driver(HostDriver.for_target(*TARGETS[target]))
    inductor.prepare(TARGETS[target])
    host.stand_in()
    Poison.tell = staticmethod(lambda tensor: Watching.current.note(tensor))


@contextlib.contextmanager
def watching(
    watch: MemoryWatch, *, tracks: bool = False, interleaves: bool = False, whole: bool = False
) -> Generator[None]:
    """Send faults and launches to a watch."""
    outer, Watching.current = Watching.current, Watching(watch, tracks=tracks, interleaves=interleaves, whole=whole)
    try:
        yield
    finally:
        Watching.current = outer
