"""The device that interprets Triton kernels."""

import contextlib
import importlib.util
import os
from collections.abc import Generator

from eagerdiff.harness.devices.device import Device, DeviceKind
from eagerdiff.harness.devices.watch import MemoryWatch
from eagerdiff.harness.model.kernel_coverage import Places


class Interpreted(Device):
    """Run Triton kernels, Inductor's GPU code included, on Triton's interpreter with every access checked."""

    name = "interpreted"
    kind: DeviceKind = "interpreted"

    def unavailable(self) -> str | None:
        """Return a reason where Triton is not installed."""
        if importlib.util.find_spec("triton") is None:
            return "triton is not installed"
        return None

    def environment(self) -> dict[str, str]:
        """Switch the interpreter on besides placing the caches."""
        return super().environment() | {"TRITON_INTERPRET": "1"}

    def activate(self) -> None:
        """Install interpreter, offline driver and Inductor's GPU back end; raise RuntimeError where it is too late."""
        if os.environ.get("TRITON_INTERPRET") != "1":
            raise RuntimeError("TRITON_INTERPRET=1 must be set before the process starts: see Device.environment()")
        super().activate()
        from eagerdiff.harness.devices.interpreted import installation

        installation.install()

    @contextlib.contextmanager
    def watch(self, shuffle_seed: int = 0) -> Generator[MemoryWatch]:
        """Collect every wild access and count launches; shuffle the order of programs by the seed."""
        from eagerdiff.harness.devices.interpreted import installation

        with super().watch(shuffle_seed) as watch, installation.watching(watch):
            yield watch

    def kernel_coverage(self) -> dict[str, Places]:
        """Return what was reached of kernels' source, and not told yet."""
        from eagerdiff.harness.devices.interpreted import installation

        return installation.coverage_news()
