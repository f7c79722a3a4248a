"""Kernels that Inductor generates, compiled by `test_kit_kernels.py` in a process of their own."""

import sys
from pathlib import Path

import torch
import torch._inductor.config as config
from torch._inductor.utils import get_code

from eagerdiff.harness.devices.offline_driver import OfflineDriver
from eagerdiff.harness.devices.targets import TARGETS
from eagerdiff.harness.internals.triton_driver import driving
from eagerdiff.harness.kit import kernels


def scores(x: torch.Tensor) -> torch.Tensor:
    return torch.softmax(x + 1, -1)


def powers(x: torch.Tensor) -> torch.Tensor:
    """Give libdevice's exp2 a float16, which Triton has not."""
    return x * 2.0 ** -torch.arange(x.shape[-1], dtype=x.dtype)


def main(folder: str) -> None:
    """Write what Inductor generates of both for a GPU into `0.py` and `1.py`, and their kernels into `kernels`."""
    files: list[str] = []
    with (
        driving(OfflineDriver.for_target(*TARGETS["sm_90"])),
        config.patch({"cpu_backend": "triton", "force_disable_caches": True, "compile_threads": 1}),
    ):
        for number, (function, dtype) in enumerate(((scores, torch.float32), (powers, torch.float16))):
            code = get_code(torch.compile(function, fullgraph=True), torch.ones(4, 8, dtype=dtype))
            files.append(f"{folder}/{number}.py")
            Path(files[-1]).write_text("\n".join(code), encoding="utf-8")
    script = Path(folder, "script.py")
    script.write_text("raise AssertionError('where Inductor has kernels the script is not run')\n", encoding="utf-8")
    Path(folder, "kernels").mkdir()
    kernels.main(str(script), f"{folder}/kernels", "sm_90", *files)


if __name__ == "__main__":
    main(*sys.argv[1:])
