"""A session with an engine: a process in the engine's own environment that loads a program and answers calls."""

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


class Session:
    """Have a process of an engine's, which is started when it is first needed and begun anew where it has ended."""

    def __init__(self, engine: str, python: Path) -> None:
        self._engine, self._python = engine, python
        self._process: subprocess.Popen[bytes] | None = None

    def load(self, program: torch.export.ExportedProgram) -> dict[str, Any]:
        """Have a program made into the engine's artifact; return what is told of it; raise EngineError, EngineEnded."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "program.pt2"
            torch.export.save(program, path)
            return self._asked({"do": "load", "path": str(path)})[0]

    def call(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Return the outputs of what was loaded last, of any shapes; raise EngineError, EngineEnded."""
        return self._asked({"do": "call"}, tensors)[1]

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
            self._process = None
            code = process.wait()
            raise EngineEnded(f"{self._engine}: its process ended ({_ending(code)}) at {message['do']}") from error
        if "raised" in told:
            raise EngineError(self._engine, str(message["do"]), told["raised"], told["says"])
        return told, answered

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            command = [str(self._python), str(SERVERS / "serving.py"), f"{self._engine}_engine"]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=sys.stderr)
        return self._process


def _ending(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
