"""Compile-only targets: the architectures that Triton's wheel can assemble for without a GPU."""

from eagerdiff.harness.devices.device import Device, DeviceKind

TARGETS: dict[str, tuple[str, int | str, int]] = {
    "sm_80": ("cuda", 80, 32),
    "sm_89": ("cuda", 89, 32),
    "sm_90": ("cuda", 90, 32),
    "sm_100": ("cuda", 100, 32),
    "gfx942": ("hip", "gfx942", 64),
}
"""Arguments of `triton.backends.compiler.GPUTarget` by name: backend, architecture, threads a warp."""


class OfflineTarget(Device):
    """Compile Triton kernels for a GPU that is not there; nothing runs."""

    kind: DeviceKind = "offline"

    def __init__(self, target: str) -> None:
        self.target = target
        self.name = f"offline:{target}"

    def unavailable(self) -> str | None:
        """Return None: Triton's wheel carries the assemblers."""
        return None

    def activate(self) -> None:
        """Give Triton a driver for the target."""
        super().activate()
        from eagerdiff.harness.devices.offline_driver import OfflineDriver, install

        install(OfflineDriver.for_target(*TARGETS[self.target]))
