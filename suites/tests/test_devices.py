"""Devices parse, say why they are missing, and keep their caches out of the repository."""

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from eagerdiff.harness.devices import NAMES, Device, MemoryFault, MemoryWatch, parse
from eagerdiff.harness.internals.dynamo_config import SETTINGS
from eagerdiff.suites.tests.device_process import on_cpu


@pytest.mark.parametrize("name", NAMES)
def test_every_name_parses_to_a_device_of_that_name(name: str) -> None:
    device = parse(name)
    assert device.name == name
    assert device.kind == name.partition(":")[0]


@pytest.mark.parametrize("name", ["gpu", "offline", "offline:sm_13", ""])
def test_an_unknown_name_is_refused_in_one_line(name: str) -> None:
    with pytest.raises(ValueError, match=r"^no such device: .*interpreted") as refused:
        parse(name)
    assert "\n" not in str(refused.value)


def test_devices_import_neither_torch_nor_triton() -> None:
    check = "import eagerdiff.harness.devices, sys; sys.exit('torch' in sys.modules or 'triton' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


@pytest.mark.parametrize("name", NAMES)
def test_caches_lie_under_the_chosen_folder(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EAGERDIFF_CACHE", str(tmp_path))
    environment = parse(name).environment()
    for variable in ("TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR"):
        assert Path(environment[variable]).is_relative_to(tmp_path)
    assert environment["TRITON_INTERPRET"] == ("1" if name == "interpreted" else "0")


@pytest.mark.parametrize("name", NAMES)
def test_no_gpu_is_seen_where_tensors_live_on_the_processor(name: str) -> None:
    """A compiler that finds one would start CUDA in a forked worker, which cannot be."""
    device = parse(name)
    hidden = device.environment().get("CUDA_VISIBLE_DEVICES")
    assert hidden == (None if device.torch_device == "cuda" else "")


def test_caches_never_lie_in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EAGERDIFF_CACHE", raising=False)
    repository = Path(__file__).resolve().parents[2]
    for name in NAMES:
        assert not Path(parse(name).environment()["TRITON_CACHE_DIR"]).is_relative_to(repository)


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a GPU")
def test_cuda_says_why_it_is_unavailable() -> None:
    reason = parse("cuda").unavailable()
    assert reason is not None
    assert "CUDA" in reason or "GPU" in reason


def test_activating_the_interpreter_too_late_is_refused() -> None:
    script = "from eagerdiff.harness.devices import parse; parse('interpreted').activate()"
    environment = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    late = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, env=environment)
    assert late.returncode == 1
    assert "TRITON_INTERPRET=1 must be set before the process starts" in late.stderr.splitlines()[-1]


@pytest.mark.parametrize("name", ["cpu", "cuda"])
def test_inductor_compiles_in_the_process_that_is_watched(name: str) -> None:
    """Else its pool's threads are told as what a call left beside it."""
    threads = SETTINGS["compile_threads"]
    threads.replace(8)
    parse(name).activate()
    assert threads.reach() == 1


def test_watching_before_activating_is_refused() -> None:
    script = "from eagerdiff.harness.devices import parse\nwith parse('cpu').watch(): pass"
    early = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "activate the device" in early.stderr.splitlines()[-1]


def filled(dtype: torch.dtype) -> list[float]:
    """Allocate without writing; run where the cpu device is active."""
    with parse("cpu").watch() as watch:
        tensors = [
            torch.empty(2, dtype=dtype),
            torch.empty_like(torch.ones(2, dtype=dtype)),
            torch.ones(1).new_empty(2, dtype=dtype),
        ]
    assert (watch.faults, watch.launches) == ([], 0)
    return [value for tensor in tensors for value in tensor.float().tolist()]


def unfilled() -> bool:
    """Tell whether allocations outside a watch are left alone; run where the cpu device is active."""
    torch.full((64,), 3.0)
    return not torch.empty(64).isnan().all().item()


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2], ids=str)
def test_uninitialised_memory_is_nan_while_watched(dtype: torch.dtype) -> None:
    assert all(math.isnan(value) for value in on_cpu(__name__, "filled", dtype))
    assert on_cpu(__name__, "unfilled")


@pytest.mark.parametrize(("dtype", "wild"), [(torch.int32, 0x5A5A5A5A), (torch.int8, 0x5A), (torch.bool, 1)], ids=str)
def test_uninitialised_integers_are_wild_while_watched(dtype: torch.dtype, wild: int) -> None:
    assert set(on_cpu(__name__, "filled", dtype)) == {torch.tensor(float(wild)).item()}


def test_a_watch_keeps_a_bounded_number_of_faults() -> None:
    watch = MemoryWatch()
    for lane in range(100):
        watch.report(MemoryFault("load", "kernel", "x_ptr", 1, lane, 4))
    assert len(watch.faults) == 32
    assert watch.faults[0].describe() == "kernel: load of 1 lane outside `x_ptr`: element 0 of 4, program (0, 0, 0)"


def test_a_device_cannot_be_made_without_its_parts() -> None:
    with pytest.raises(TypeError):
        Device()  # type: ignore[abstract]
