"""Which devices an implementation runs on where none is named."""

from eagerdiff.harness.devices.host.host import Host
from eagerdiff.harness.devices.interpreted.interpreted import Interpreted
from eagerdiff.harness.model.implementation import Implementation


def default_devices(implementation: Implementation) -> tuple[str, ...]:
    """Return the names of the devices that it runs on by default, here or not, each once.

    Kernels written by hand are compiled for this machine's processor where that can be done, for it takes a fraction
    of the time; where it cannot, they are interpreted. A compiler's kernels run once each, and are interpreted.
    """
    if not implementation.hand_written or Host().unavailable() is not None:
        return tuple(implementation.devices)
    return tuple(dict.fromkeys(Host.name if one == Interpreted.name else one for one in implementation.devices))
