"""Devices: where code runs, and what is seen of it there; importing this costs neither torch nor Triton.

docs/devices.md says what each adds.
"""

from eagerdiff.harness.devices.choice import default_devices
from eagerdiff.harness.devices.cpu import Cpu
from eagerdiff.harness.devices.cuda import Cuda
from eagerdiff.harness.devices.device import Device, DeviceKind, cache_folder
from eagerdiff.harness.devices.host.host import Host
from eagerdiff.harness.devices.interpreted.interpreted import Interpreted
from eagerdiff.harness.devices.targets import TARGETS, OfflineTarget
from eagerdiff.harness.devices.watch import MemoryFault, MemoryWatch

__all__ = ["NAMES", "Device", "DeviceKind", "MemoryFault", "MemoryWatch", "cache_folder", "default_devices", "parse"]

NAMES: tuple[str, ...] = ("cpu", "host", "interpreted", "cuda", *(f"offline:{target}" for target in TARGETS))


def parse(name: str) -> Device:
    """Return the device of a name; raise ValueError, in one line, for a name that is not in `NAMES`."""
    match name:
        case "cpu":
            return Cpu()
        case "host":
            return Host()
        case "interpreted":
            return Interpreted()
        case "cuda":
            return Cuda()
        case _ if name in NAMES:
            return OfflineTarget(name.removeprefix("offline:"))
        case _:
            raise ValueError(f"no such device: {name!r} (one of {', '.join(NAMES)})")
