"""Requirements: whether what an implementation needs is there."""

import importlib.util
from collections.abc import Iterable

from harness.devices import Device
from harness.implementation import Requirements


def unmet(requirements: Requirements, device: Device) -> str | None:
    """Return which package or compute capability is missing on a device that is there, in one line, or None."""
    missing = [name for name in requirements.packages if not _is_installed(name)]
    if missing:
        return f"needs {', '.join(missing)}, not installed"
    least = requirements.compute_capability
    if least is not None and device.kind == "cuda":
        import torch

        found = torch.cuda.get_device_capability()
        return f"needs compute capability {_dotted(least)}, found {_dotted(found)}" if found < least else None
    return None


def _is_installed(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def _dotted(numbers: Iterable[int]) -> str:
    return ".".join(map(str, numbers))
