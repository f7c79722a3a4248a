"""What tests of recordings share: where they are written, and how a program is recorded."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from eagerdiff import (
    RecordedCall,
    Recording,
    parse_device,
    read_recording,
    record,
)
from eagerdiff.harness.recording.model import RecordedFunction

HEAD = "import torch\nf = torch.compile(lambda x: x * 2, backend='eager')\n"

CPU = parse_device("cpu")


@pytest.fixture(autouse=True, scope="module")
def activated() -> None:
    CPU.activate()


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recordings and scripts are written where pytest runs."""
    monkeypatch.chdir(tmp_path)
    torch.compiler.reset()


def compiled(code: Any) -> Any:
    return torch.compile(code, backend="eager")


def only(path: str = "shapes.yaml") -> RecordedFunction:
    (found,) = read_recording(Path(path)).functions
    return found


def values(call: RecordedCall) -> dict[str, Any]:
    """Return the arguments of a call, of which a test knows what they are."""
    return dict(call.arguments)


def recorded(*lines: str, arguments: tuple[str, ...] = (), code: int = 0) -> Recording:
    """Run a program under the command, and read what it wrote."""
    Path("program.py").write_text(HEAD + "\n".join(lines))
    command = [sys.executable, "-m", "eagerdiff.harness.cli", "record", *arguments, "--", sys.executable, "program.py"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == code, ended.stderr
    assert "written: shapes.yaml" in ended.stderr
    return read_recording(Path("shapes.yaml"))


def like(code: Any, *calls: tuple[Any, ...], contents: bool = False) -> Recording:
    f = compiled(code)
    with torch.compiler.set_stance("force_eager"), record("shapes.yaml", contents=contents):
        for args in calls:
            f(*args)
    return read_recording(Path("shapes.yaml"))
