"""Requirements: whether what an implementation needs is there."""

from collections.abc import Iterable

from eagerdiff.harness import environments
from eagerdiff.harness.devices import Device
from eagerdiff.harness.model.implementation import Requirements
from eagerdiff.harness.model.source_tree import is_installed


def unmet(requirements: Requirements, device: Device) -> str | None:
    """Return in one line which package, environment or capability is missing on a device that is there, or None."""
    missing = [name for name in requirements.packages if not is_installed(name)]
    if missing:
        return f"needs {', '.join(missing)}, not installed"
    if requirements.source_tree is not None and (reason := requirements.source_tree.unmet()) is not None:
        return reason
    if requirements.environment is not None and (reason := environments.unmet(requirements.environment)) is not None:
        return reason
    least = requirements.compute_capability
    if least is not None and device.kind == "cuda":
        import torch

        found = torch.cuda.get_device_capability()
        return f"needs compute capability {_dotted(least)}, found {_dotted(found)}" if found < least else None
    return None


def _dotted(numbers: Iterable[int]) -> str:
    return ".".join(map(str, numbers))
