"""NVIDIA GPUs: everything, for real."""

from typing import Literal

from eagerdiff.harness.devices.device import Device, DeviceKind


class Cuda(Device):
    """Run on the first visible NVIDIA GPU."""

    name = "cuda"
    kind: DeviceKind = "cuda"
    torch_device: Literal["cpu", "cuda"] = "cuda"

    def unavailable(self) -> str | None:
        """Return a reason where torch was built without CUDA or sees no GPU."""
        import torch

        if torch.version.cuda is None:
            return f"torch {torch.__version__} was built without CUDA"
        if not torch.cuda.is_available():
            return "torch sees no NVIDIA GPU (driver missing, or CUDA_VISIBLE_DEVICES empty)"
        return None

    def environment(self) -> dict[str, str]:
        """Have torch count GPUs without starting CUDA, which would not survive the fork of a worker."""
        return super().environment() | {"PYTORCH_NVML_BASED_CUDA_CHECK": "1"}

    def activate(self) -> None:
        """Keep Inductor's graph cache out of the way, so that every compilation is seen and counted."""
        super().activate()
        from eagerdiff.harness.internals import dynamo_config

        dynamo_config.switch_graph_caches_off()
