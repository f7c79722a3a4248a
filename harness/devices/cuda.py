"""NVIDIA GPUs: everything, for real."""

import importlib.util
import runpy
from pathlib import Path
from typing import Any, Literal

from eagerdiff.harness.devices.device import Device, DeviceKind


class Cuda(Device):
    """Run on the first visible NVIDIA GPU."""

    name = "cuda"
    kind: DeviceKind = "cuda"
    torch_device: Literal["cpu", "cuda"] = "cuda"
    asserts = True

    def unavailable(self) -> str | None:
        """Return a reason where torch was built without CUDA or sees no GPU."""
        build = _build()
        if build["cuda"] is None:
            return f"torch {build['__version__']} was built without CUDA"
        import torch

        if not torch.cuda.is_available():
            return "torch sees no NVIDIA GPU (driver missing, or CUDA_VISIBLE_DEVICES empty)"
        return None

    def environment(self) -> dict[str, str]:
        """Have torch count GPUs without starting CUDA, which would not survive the fork of a worker."""
        return super().environment() | {"PYTORCH_NVML_BASED_CUDA_CHECK": "1"}

    def activate(self) -> None:
        """Compile in this process and without Inductor's graph cache, so that every compilation is seen and counted."""
        super().activate()
        from eagerdiff.harness.internals import dynamo_config

        dynamo_config.compile_here()
        dynamo_config.switch_graph_caches_off()

    def begin(self) -> None:
        """Start CUDA: its threads would seem left behind by the first task, and the process would be replaced."""
        import torch
        import triton

        torch.ones(1, device="cuda").add_(1).item()
        triton.runtime.driver.active.get_current_target()


def _build() -> dict[str, Any]:
    """Return what torch's build wrote of itself (`torch.version`); to import torch takes more than a second."""
    spec = importlib.util.find_spec("torch")
    assert spec is not None  # a package that we require
    assert spec.origin is not None
    return runpy.run_path(str(Path(spec.origin).with_name("version.py")))
