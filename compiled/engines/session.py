"""A session with an engine: a process in the engine's own environment that loads a program and answers calls."""

import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import Tensor

from eagerdiff.compiled.engines.servers.framing import receive, send

SERVERS = Path(__file__).parent / "servers"


@dataclass(frozen=True)
class Saved:
    """Hold a program as it crosses."""

    data: bytes
    suffix: str = ".pt2"
    """`.pt2` of torch.export, `.ts` of TorchScript."""
    example: Sequence[Tensor] = ()
    """The tensors, of any shapes, that a program of TorchScript was traced from."""


class EngineError(Exception):
    """Say what an engine raised, at `load` or `call`: its exception's type and its words.

    Its message is the first line of these that tells something; what matches `hollow` does not, and is left out.
    """

    __eagerdiff_told__ = True

    def __init__(self, engine: str, at: str, kind: str, says: str, hollow: Sequence[str] = ()) -> None:
        super().__init__(f"{engine} raised {kind} at {at}: {_telling(says, hollow)}")
        self.engine, self.at, self.kind, self.says = engine, at, kind, says
        self.__eagerdiff_origin__ = f"{engine}:{at}"


class EngineEnded(Exception):
    """Say that an engine's process ended while it was asked something."""

    __eagerdiff_told__ = True
    __eagerdiff_died__ = True


class Artifact:
    """What an engine made of a program; it is made anew where the process has ended, or has made another since."""

    def __init__(self, session: "Session", program: Saved) -> None:
        self._session, self.program = session, program
        self.seconds = 0.0
        """That the engine's process took to make it."""
        self.call_seconds = 0.0
        """That the last call took there."""

    def call(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Return its outputs, of any shapes; raise EngineError, EngineEnded."""
        return self._session.call(self, tensors)

    def tell(self) -> dict[str, int]:
        """Return the `artifacts` that it stands for by now, their `bytes`, and `peak_bytes` of its process since.

        Raises EngineError, EngineEnded.
        """
        return self._session.tell(self)


class Session:
    """Have a process of an engine's, which is started when it is first needed and begun anew where it has ended."""

    def __init__(self, engine: str, python: Path, hollow: Sequence[str] = ()) -> None:
        self._engine, self._python, self._hollow = engine, python, hollow
        self._process: subprocess.Popen[bytes] | None = None
        self.made: Artifact | None = None
        """What the process has made last: it holds one at a time."""

    def load(self, program: Saved) -> Artifact:
        """Return what the engine makes of a program; raise EngineError, EngineEnded."""
        artifact = Artifact(self, program)
        self._make(artifact)
        return artifact

    def call(self, artifact: Artifact, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Return an artifact's outputs, of any shapes; raise EngineError, EngineEnded."""
        self._have(artifact)
        told, found = self._asked({"do": "call"}, tensors)
        artifact.call_seconds = told["seconds"]
        return found

    def tell(self, artifact: Artifact) -> dict[str, int]:
        """Return what an artifact tells of itself; raise EngineError, EngineEnded."""
        self._have(artifact)
        return self._asked({"do": "tell"})[0]

    def _have(self, artifact: Artifact) -> None:
        if self.made is not artifact or not self._runs():
            self._make(artifact)

    def _make(self, artifact: Artifact) -> None:
        self.made, program = None, artifact.program
        with tempfile.NamedTemporaryFile(suffix=program.suffix) as file:
            file.write(program.data)
            file.flush()
            artifact.seconds = self._asked({"do": "load", "path": file.name}, program.example)[0]["seconds"]
        self.made = artifact

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
            self._process = self.made = None
            code = process.wait()
            raise EngineEnded(f"{self._engine}: its process ended ({_ending(code)}) at {message['do']}") from error
        if "raised" in told:
            kind, says = str(told["raised"]), str(told["says"])
            error = EngineError(self._engine, str(message["do"]), kind, says, self._hollow)
            raise error from _named(kind, says)
        return told, answered

    def _runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or not self._runs():
            command = [str(self._python), str(SERVERS / "serving.py"), f"{self._engine}_engine"]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=sys.stderr)
        return self._process


def _telling(says: str, hollow: Sequence[str]) -> str:
    """Return the first line that says more than that something failed; the first of all, if none does."""
    lines = [line.strip() for line in says.splitlines() if line.strip()] or [""]
    left = (re.sub("|".join(hollow), "", line).strip() if hollow else line for line in lines)
    return next(filter(None, left), lines[0])


def _named(kind: str, says: str) -> Exception:
    """Return an exception of an engine's type by its name: it is what a script, which has no session, ends with."""
    return type(kind, (Exception,), {})(says)


def _ending(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
