"""`eagerdiff doctor`: what it says of what is here, and that it ends with 2 where the main job could not be done."""

import json
import subprocess
import sys
from typing import Any

import pytest
from packaging.specifiers import SpecifierSet

from eagerdiff.harness.cli.application import invoke
from eagerdiff.harness.devices import NAMES, Device, parse
from eagerdiff.harness.diagnosis import diagnosis, installation, starting
from eagerdiff.harness.internals import triton_semantic
from eagerdiff.harness.internals.hook import Hook
from eagerdiff.harness.internals.releases import installed, supported

PLANTED = Hook("triton", "triton.language.semantic:TritonSemantic._load_gone", "loads a block", since="3.6")


@pytest.fixture(autouse=True)
def _devices_start(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    """Have every device but cuda start at once: starting them is another test's."""
    monkeypatch.setattr(diagnosis, "why_not", lambda device: "no GPU" if device.name == "cuda" else "")


def doctor(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = invoke(["doctor", *arguments])
    return code, capfd.readouterr().out


def told(capfd: pytest.CaptureFixture[str]) -> dict[str, Any]:
    code, out = doctor(capfd, "--json")
    assert code == 0
    return json.loads(out)


def test_versions_devices_hooks_and_implementations_are_said(capfd: pytest.CaptureFixture[str]) -> None:
    said = told(capfd)
    versions = {one["name"]: one for one in said["versions"]}
    assert versions["torch"]["version"] == installed("torch")
    assert versions["torch"]["inside"]
    assert {"python", "triton", "numpy", "hypothesis", "pydantic", "asv"} <= set(versions)
    assert [one["name"] for one in said["devices"]] == list(NAMES)
    assert {one["state"] for one in said["hooks"]} <= {"present", "of other releases"}
    implementations = {f"{one['operator']}/{one['name']}": one for one in said["implementations"]}
    assert implementations["moe/triton.grouped_gemm"]["devices"] == ["host", "interpreted"]
    assert implementations["moe/deep_gemm.grouped"]["reason"] == "cuda: no GPU"


def test_a_planted_absent_hook_is_listed_with_what_it_is_for(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(triton_semantic.METHODS, "planted", PLANTED)
    absent = [one for one in told(capfd)["hooks"] if one["state"] == "absent"]
    assert [(one["file"], one["path"], one["why"]) for one in absent] == [
        ("triton_semantic", PLANTED.path, "loads a block")
    ]
    _, out = doctor(capfd)
    row = next(line for line in out.splitlines() if "_load_gone" in line)
    assert "absent" in row


@pytest.mark.parametrize("name", ["cpu", "interpreted"])
def test_a_device_that_cannot_start_ends_with_2(
    name: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diagnosis, "why_not", lambda device: "broken" if device.name == name else "")
    code, out = doctor(capfd)
    assert code == 2
    assert f"PROBLEM: device {name} cannot start: broken" in out


def test_without_torch_it_ends_with_2_and_says_so(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (diagnosis, installation):
        monkeypatch.setattr(module, "installed", lambda name: None if name == "torch" else installed(name))
    code, out = doctor(capfd)
    assert code == 2
    assert "PROBLEM: torch is not installed" in out


@pytest.mark.timeout(0)  # its process has a limit of its own
@pytest.mark.parametrize("name", ["cpu", "interpreted"])
def test_devices_start_here(name: str) -> None:
    assert starting.why_not(parse(name)) == ""


def test_a_device_whose_process_fails_says_its_last_line(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong(Device):
        name = "no-such-device"
        kind = "cpu"

        def unavailable(self) -> str | None:
            return None

    assert "no such device: 'no-such-device'" in starting.why_not(Wrong())


def test_a_night_is_told_what_is_installed_and_what_is_outside_its_range(monkeypatch: pytest.MonkeyPatch) -> None:
    ranges = dict(supported()) | {"numpy": SpecifierSet("<1")}
    monkeypatch.setattr(installation, "supported", lambda: ranges)
    told = {one.name: one for one in installation.installation()}
    assert (told["torch"].found, told["torch"].wrong) == (installed("torch"), False)
    assert [name for name, one in told.items() if one.wrong] == ["numpy"]
    assert (told["numpy"].said, told["g++"].part) == ("<1", "C++ compiler")


def test_what_is_installed_is_told_without_torch() -> None:
    program = (
        "import sys, eagerdiff.harness.diagnosis.installation as it; it.installation(); print('torch' in sys.modules)"
    )
    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "False\n"
    )
