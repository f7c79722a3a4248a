"""Devices: where implementations run, one per process (docs/devices.md)."""

import contextlib
import os
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Generator
from pathlib import Path
from typing import Literal

from eagerdiff.harness.devices.watch import MemoryWatch
from eagerdiff.harness.model.kernel_coverage import Places

DeviceKind = Literal["cpu", "host", "interpreted", "cuda", "offline"]


class Device(ABC):
    """Say how a process runs kernels.

    A process holds one device for its whole life: Triton chooses the interpreter when a kernel is decorated.
    """

    name: str
    """What `parse` accepts: `cpu`, `host`, `interpreted`, `cuda`, `offline:sm_90`."""
    kind: DeviceKind
    torch_device: Literal["cpu", "cuda"] = "cpu"
    """Where the tensors live."""
    stand_in: str = ""
    """Name of the device that runs what this one refuses."""

    asserts: bool = False
    """Whether values that a processor's kernel raises of (an index outside) end the process' use of this device."""

    @abstractmethod
    def unavailable(self) -> str | None:
        """Return why this machine cannot run it, in one line, or None."""

    def environment(self) -> dict[str, str]:
        """Return the variables that a process must start with: compile caches, the interpreter's switch, which GPUs.

        Where tensors live on the processor no GPU is to be seen: workers are forked, and compilers that find one would
        use CUDA, which does not survive a fork.
        """
        caches = cache_folder() / self.name.replace(":", "-")
        gpus = {} if self.torch_device == "cuda" else {"CUDA_VISIBLE_DEVICES": ""}
        return gpus | {
            "TORCHINDUCTOR_CACHE_DIR": str(caches / "inductor"),
            "TRITON_CACHE_DIR": str(caches / "triton"),
            "TRITON_INTERPRET": "0",
        }

    def activate(self) -> None:
        """Prepare this process, once, before any kernel is decorated or imported."""
        from eagerdiff.harness.devices import uninitialised
        from eagerdiff.harness.internals.progress_bars import without_monitor

        uninitialised.install()
        without_monitor()

    def begin(self) -> None:  # noqa: B027  most have nothing to start
        """Start, in a forked process and before its first task, what does not survive a fork."""

    @contextlib.contextmanager
    def watch(self, shuffle_seed: int = 0) -> Generator[MemoryWatch]:
        """Watch one call: fill uninitialised memory with NaN, collect faults where the device sees them."""
        from eagerdiff.harness.devices import uninitialised

        with uninitialised.poisoned():
            yield MemoryWatch(shuffle_seed)

    def refusal(self, error: BaseException) -> str:
        """Return what of a kernel this device does not take, by name and line, where an exception says so; else ''."""
        return ""

    def kernel_coverage(self) -> dict[str, Places]:
        """Return what was reached of kernels, by name, and not told yet; nothing where the device does not see it."""
        return {}


def cache_folder() -> Path:
    """Return the folder of compile caches: `EAGERDIFF_CACHE`, else the user's cache folder; never the repository."""
    chosen = os.environ.get("EAGERDIFF_CACHE")
    if chosen:
        return Path(chosen).absolute()
    if home := os.environ.get("XDG_CACHE_HOME"):
        return Path(home) / "eagerdiff"
    try:
        return Path.home() / ".cache" / "eagerdiff"
    except RuntimeError:  # neither HOME nor an entry in the list of users, as in some containers
        return Path(tempfile.gettempdir()) / f"eagerdiff-{os.getuid()}"
