"""The device that compiles Triton kernels for this machine's processor."""

import contextlib
import importlib.util
import platform
from collections.abc import Generator

from eagerdiff.harness.devices.device import Device, DeviceKind
from eagerdiff.harness.devices.watch import MemoryWatch
from eagerdiff.harness.model.kernel_coverage import Places

TRACKED = 4
"""Of so many calls one is tracked, which takes some times as long."""


class Host(Device):
    """Run Triton kernels, Inductor's GPU code included, as code for the processor, with every access checked."""

    name = "host"
    kind: DeviceKind = "host"
    stand_in = "interpreted"

    def unavailable(self) -> str | None:
        """Return a reason where Triton or a C++ compiler is not installed, or this is no Linux."""
        from eagerdiff.harness.devices.host import runtime

        if importlib.util.find_spec("triton") is None:
            return "triton is not installed"
        if platform.system() != "Linux":
            return "kernels are compiled for Linux alone"
        return None if runtime.compiler() else "no C++ compiler: install g++ or clang++, or name one in CXX"

    def environment(self) -> dict[str, str]:
        """Return the variables of every device, and the one that has LLVM select instructions in one quick pass.

        LLVM takes a fifth of the time for a kernel, which runs for up to half as long again: it runs a few times.
        """
        return super().environment() | {"DISABLE_LLVM_OPT": "1"}

    def activate(self) -> None:
        """Put stages and driver in place; raise NoCompiler where the runtime cannot be compiled."""
        super().activate()
        from eagerdiff.harness.devices.host import installation

        installation.install()

    @contextlib.contextmanager
    def watch(self, shuffle_seed: int = 0) -> Generator[MemoryWatch]:
        """Collect every wild access and count launches; shuffle the order of programs by the seed.

        By the seed one call in `TRACKED` is followed element by element: races and uninitialised reads are seen.
        """
        from eagerdiff.harness.devices.host import installation

        tracks = shuffle_seed % TRACKED == 0
        with super().watch(shuffle_seed) as watch, installation.watching(watch, tracks=tracks):
            yield watch

    def refusal(self, error: BaseException) -> str:
        """Return what of a kernel is not lowered: also where a framework raised an exception of its own from that."""
        from eagerdiff.harness.devices.host.lowering.elements import Unsupported

        met: list[BaseException] = []
        one: BaseException | None = error
        while one is not None and one not in met:
            if isinstance(one, Unsupported):
                return str(one)
            met.append(one)
            one = one.__cause__ or one.__context__
        return ""

    def kernel_coverage(self) -> dict[str, Places]:
        """Return what was reached of kernels, and not told yet."""
        from eagerdiff.harness.devices.host.launch import COVERAGE

        return COVERAGE.news()
