"""What crosses to an engine's process, and how that answers, ends and is begun anew."""

import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from eagerdiff import Status
from eagerdiff.compiled.engines.engine import of_export
from eagerdiff.compiled.engines.servers.framing import receive, send
from eagerdiff.compiled.engines.session import EngineEnded, EngineError, Session
from eagerdiff.harness.judge.exceptions import raised
from eagerdiff.reference.symbolic import EVERY
from eagerdiff.strategies.cases.symbolic import SymbolicCase
from eagerdiff.suites import symbolic


@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 4), (2, 3)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.bool, torch.int64, torch.complex64])
def test_tensors_cross_as_they_are(shape: tuple[int, ...], dtype: torch.dtype) -> None:
    pipe, sent = io.BytesIO(), [(torch.randn(shape) * 3).to(dtype), torch.arange(6).view(2, 3).t()]
    send(pipe, {"do": "call"}, sent)
    pipe.seek(0)
    told, found = receive(pipe)
    assert told == {"do": "call"}
    assert all(torch.equal(one, other) and one.dtype == other.dtype for one, other in zip(sent, found, strict=True))


def test_a_tensor_of_one_element_crosses_whatever_its_strides_are() -> None:
    """Torch calls it contiguous, and views it as bytes only where its last stride is 1."""
    pipe, sent = io.BytesIO(), [torch.ones(9, 2)[:1, :1].t(), torch.ones(8)[::4][:1]]
    assert all(tensor.is_contiguous() for tensor in sent)
    send(pipe, {}, sent)
    pipe.seek(0)
    assert [one.shape for one in receive(pipe)[1]] == [(1, 1), (1,)]


def test_what_cannot_cross_leaves_no_half_frame() -> None:
    pipe = io.BytesIO()
    with pytest.raises((RuntimeError, NotImplementedError)):
        send(pipe, {}, [torch.ones(2), torch.empty(2, device="meta")])
    assert pipe.getvalue() == b""


def test_a_frame_that_breaks_off_is_an_end() -> None:
    pipe = io.BytesIO()
    send(pipe, {"do": "call"}, [torch.ones(4)])
    with pytest.raises(EOFError):
        receive(io.BytesIO(pipe.getvalue()[:-1]))


@pytest.fixture
def program() -> torch.export.ExportedProgram:
    case = SymbolicCase(program="mlp", batch=5, seq=3)
    return torch.export.export(Mlp(), symbolic.example(case).args)


class Mlp(torch.nn.Module):
    """Call the program."""

    def forward(self, *args: Tensor) -> Any:
        """Return its output, [B, S, D]."""
        return EVERY["mlp"].function(*args)


class Doubled(torch.nn.Module):
    """Another program."""

    def forward(self, x: Tensor) -> Tensor:
        """Return twice x, of any shape."""
        return 2 * x


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[[str], Session]]:
    """Return what starts an engine's process over a server that is written here."""
    found: list[Session] = []

    def start(text: str) -> Session:
        (tmp_path / "own_engine.py").write_text(text)
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        found.append(Session("own", Path(sys.executable)))
        return found[-1]

    yield start
    for session in found:
        session.end()


def test_a_process_answers_says_what_went_wrong_and_is_begun_anew(
    served: Callable[[str], Session], program: torch.export.ExportedProgram
) -> None:
    session = served(
        "import os, sys\n"
        "def make(program):\n"
        "    module = program.module()\n"
        "    def call(*tensors):\n"
        "        if tensors[0].abs().max() > 1e6:\n"
        "            os.kill(os.getpid(), 11)\n"
        "        print('printed: an error', file=sys.stderr)\n"
        "        return [module(*tensors)]\n"
        "    return call, lambda: {'artifacts': 1}\n"
    )
    args = list(symbolic.example(SymbolicCase(program="mlp", batch=5, seq=3)).args)
    artifact = session.load(of_export(program, ()))
    assert artifact.seconds > 0
    assert torch.equal(artifact.call(args)[0], EVERY["mlp"].function(*args))
    with pytest.raises(EngineError, match=r"own raised \w+ at call: ") as refused:
        artifact.call([args[0][:2], *args[1:]])
    assert "printed: an error" in refused.value.says
    assert raised(refused.value).exceptions == (refused.value.kind,)  # what a script of it ends with
    with pytest.raises(EngineEnded, match=r"signal 11\) at call") as died:
        artifact.call([args[0] * 1e9, *args[1:]])
    assert raised(died.value).status is Status.CRASHED
    assert torch.equal(artifact.call(args)[0], EVERY["mlp"].function(*args))  # made anew, in another process
    assert artifact.call_seconds > 0
    told = artifact.tell()
    assert told["artifacts"] == 1
    assert told["peak_bytes"] >= 0
    other = session.load(of_export(torch.export.export(Doubled(), (args[0],)), ()))
    for _ in range(2):
        assert torch.equal(other.call(args[:1])[0], 2 * args[0])
        assert torch.equal(artifact.call(args)[0], EVERY["mlp"].function(*args))
