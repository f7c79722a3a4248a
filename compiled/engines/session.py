"""A session with an engine: a process in the engine's own environment that loads a program and answers calls."""

import io
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from eagerdiff.compiled.engines.servers.framing import receive, send

SERVERS = Path(__file__).parent / "servers"


class EngineError(Exception):
    """Say what an engine raised, at `load` or `call`: its exception's type and its words."""

    __eagerdiff_told__ = True

    def __init__(self, engine: str, at: str, kind: str, says: str) -> None:
        super().__init__(f"{engine} raised {kind} at {at}: {says}")
        self.engine, self.at, self.kind, self.says = engine, at, kind, says


class EngineEnded(Exception):
    """Say that an engine's process ended while it was asked something."""

    __eagerdiff_told__ = True


class Artifact:
    """What an engine made of a program; it is made anew where the process has ended, or has made another since."""

    def __init__(self, session: "Session", program: bytes) -> None:
        self._session, self.program = session, program
        self.told: dict[str, Any] = {}
        """What the engine's process told of making it: `seconds` of CPU time."""

    def call(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Return its outputs, of any shapes; raise EngineError, EngineEnded."""
        return self._session.call(self, tensors)


class Session:
    """Have a process of an engine's, which is started when it is first needed and begun anew where it has ended."""

    def __init__(self, engine: str, python: Path) -> None:
        self._engine, self._python = engine, python
        self._process: subprocess.Popen[bytes] | None = None
        self._made: Artifact | None = None
        """What the process has made last: it holds one at a time."""

    def load(self, program: torch.export.ExportedProgram) -> Artifact:
        """Return what the engine makes of a program; raise EngineError, EngineEnded."""
        saved = io.BytesIO()
        torch.export.save(program, saved)
        artifact = Artifact(self, saved.getvalue())
        self._make(artifact)
        return artifact

    def call(self, artifact: Artifact, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Return an artifact's outputs, of any shapes; raise EngineError, EngineEnded."""
        if self._made is not artifact or not self._runs():
            self._make(artifact)
        return self._asked({"do": "call"}, tensors)[1]

    def _make(self, artifact: Artifact) -> None:
        self._made = None
        with tempfile.NamedTemporaryFile(suffix=".pt2") as file:
            file.write(artifact.program)
            file.flush()
            artifact.told = self._asked({"do": "load", "path": file.name})[0]
        self._made = artifact

    def end(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def _asked(self, message: Mapping[str, Any], tensors: Sequence[Tensor] = ()) -> tuple[dict[str, Any], list[Tensor]]:
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            send(process.stdin, message, tensors)
            told, answered = receive(process.stdout)
        except (EOFError, OSError) as error:
            self._process = self._made = None
            code = process.wait()
            raise EngineEnded(f"{self._engine}: its process ended ({_ending(code)}) at {message['do']}") from error
        if "raised" in told:
            raise EngineError(self._engine, str(message["do"]), told["raised"], told["says"])
        return told, answered

    def _runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or not self._runs():
            command = [str(self._python), str(SERVERS / "serving.py"), f"{self._engine}_engine"]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=sys.stderr)
        return self._process


def _ending(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
