"""Kernels of a kit: what Inductor generates, and what a script launches, compiled for a GPU or refused."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from eagerdiff.harness.devices.generated import sources_in
from eagerdiff.harness.kit import kernels

HERE = Path(__file__).resolve()
REFUSED = """\
import torch, triton, triton.language as tl
@triton.jit
def plus(x):
    tl.store(x + tl.arange(0, 7), 1.0)
plus[(1,)](torch.zeros(8))
"""


def told(folder: Path, *command: str) -> list[dict[str, Any]]:
    """Run Python in a process that is not the interpreter's; return what it wrote of kernels into `folder`."""
    environment = {**os.environ, "TRITON_INTERPRET": "0", "TRITON_CACHE_DIR": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, *command],
        cwd=HERE.parents[2],
        env=environment,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads((folder / "kernels" / kernels.FILE).read_text())


def test_kernels_that_inductor_generates_are_compiled_and_a_refusal_is_told(tmp_path: Path) -> None:
    softmax, powers = told(tmp_path, "-m", "eagerdiff.suites.tests.generated_kernels", str(tmp_path))
    assert "softmax" in softmax["name"]
    assert [file.rpartition(".")[2] for file in softmax["files"]] == ["ttir", "ttgir", "ptx", "sass"]
    assert softmax["name"] in (tmp_path / "kernels" / softmax["files"][2]).read_text()
    assert softmax["registers"] > 0
    assert "XBLOCK" in softmax["specialisation"]
    assert powers["files"] == []
    assert "float16" in powers["refused"] or "fp16" in powers["refused"]


def test_a_kernel_that_a_script_launches_and_triton_refuses_is_told(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(REFUSED)
    (tmp_path / "kernels").mkdir()
    run = "import sys; from eagerdiff.harness.kit import kernels; kernels.main(*sys.argv[1:])"
    (plus,) = told(tmp_path, "-c", run, str(tmp_path / "script.py"), str(tmp_path / "kernels"), "sm_90")
    assert (plus["name"], plus["files"]) == ("plus", [])
    assert "power of 2" in plus["refused"]


@pytest.mark.parametrize("code", ["", "def f(:", "async_compile.triton('a')", "other.triton('a', 'b')"])
def test_code_without_kernels_has_none(code: str) -> None:
    assert list(sources_in(code)) == []
    assert list(sources_in("k = async_compile.triton('a', '''b''', device_str='cpu')")) == [("a", "b")]
