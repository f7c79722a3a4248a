"""Start a device in a process of its own and compute something on it: `python -m eagerdiff.harness.diagnosis.starting`.

A device belongs to a process, and one that cannot start may take its process with it.
"""

import os
import subprocess
import sys

from eagerdiff.harness.devices import Device, parse

SECONDS = 300.0
"""Wall-clock time after which a device counts as not starting; loading torch takes seconds on an idle machine."""


def why_not(device: Device) -> str:
    """Return in one line why a device cannot be used here, or ''; offline targets are only asked whether they are."""
    if (reason := device.unavailable()) is not None or device.kind == "offline":
        return reason or ""
    command = [sys.executable, "-m", "eagerdiff.harness.diagnosis.starting", device.name]
    environment = {**os.environ, **device.environment()}
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"did not start within {SECONDS:g} s"
    if done.returncode == 0:
        return ""
    lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    return (lines[-1] if lines else f"its process ended with status {done.returncode}")[:400]


def start(name: str) -> None:
    """Activate the device of a name in this process and add on it; raise what goes wrong."""
    device = parse(name)
    device.activate()
    import torch

    given = torch.arange(8.0, device=device.torch_device)
    with device.watch():
        if device.kind == "interpreted":
            from eagerdiff.harness.diagnosis.addition import added_by_kernel

            result = added_by_kernel(given)
        else:
            result = torch.compile(lambda x: x + 1)(given)
    if not torch.equal(result, given + 1):
        raise AssertionError(f"wrong sum on {name}: {result.tolist()}")


if __name__ == "__main__":
    start(sys.argv[1])
