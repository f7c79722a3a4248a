"""What an engine's process does: load a program, call it, until nobody asks. `python serving.py MODULE`.

It runs in the engine's own environment and imports nothing of the project but its neighbours. MODULE defines
`make(program)`, which returns a callable of the program's tensors that returns its outputs, flat, and one that tells
how many artifacts there are, and their bytes where they have a size. A program that TorchScript traced comes with its
example: `make(program, *example)`.
"""

import importlib
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

sys.path.insert(0, str(Path(__file__).parent))

import torch
from framing import receive, send
from memory import Peak
from torch import Tensor

Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]
_WRONG = re.compile(r"(?i)error|missing|fail")
_TIME = re.compile(r"\d\d:\d\d:\d\d\.\d+ ")
SAID = 4000
"""Characters that are told of what an engine raises, and of the errors that it printed before."""


def main(name: str) -> None:
    """Answer each frame with one; end where the other side has."""
    asked, answers = os.fdopen(os.dup(0), "rb", buffering=0), os.fdopen(os.dup(1), "wb")
    torch.set_num_threads(1)
    call: Call | None = None
    tell: Told | None = None
    peak: Peak | None = None
    with tempfile.TemporaryFile() as printed:
        os.dup2(printed.fileno(), 1)  # what an engine prints is no answer, but may say why there is none
        os.dup2(printed.fileno(), 2)
        while True:
            try:
                message, tensors = receive(asked)
            except EOFError:
                return
            printed.seek(0)
            printed.truncate()
            try:
                if message["do"] == "load":
                    call = tell = None
                    peak, began = Peak(), time.perf_counter()
                    make: Any = importlib.import_module(name).make
                    call, tell = make(_program(message["path"]), *tensors)
                    send(answers, {"seconds": time.perf_counter() - began})
                elif message["do"] == "tell":
                    assert tell is not None
                    assert peak is not None
                    held = peak.bytes()
                    send(answers, {**tell(), "peak_bytes": held})
                else:
                    assert call is not None
                    began = time.perf_counter()
                    found = call(*tensors)
                    seconds = time.perf_counter() - began
                    send(answers, {"seconds": seconds}, found)
            except Exception as error:  # noqa: BLE001 - whatever an engine raises is told
                says = f"{_chain(error)[:SAID]}\n{_errors(printed)}".strip()
                send(answers, {"raised": type(error).__qualname__, "says": says})


def _program(path: str) -> Any:
    return torch.export.load(path) if path.endswith(".pt2") else torch.jit.load(path)


def _chain(error: BaseException) -> str:
    """Return what an error says, and before it what it was raised from, which says what went wrong."""
    cause = error.__cause__
    return str(error) if cause is None else f"{type(cause).__name__}: {_chain(cause)}\n{error}"


def _errors(printed: IO[bytes]) -> str:
    """Return what went wrong among what was printed, without times, which are others in each run."""
    sys.stdout.flush()
    sys.stderr.flush()
    printed.seek(0)
    lines = printed.read().decode(errors="replace").splitlines()
    return "\n".join(_TIME.sub("", line) for line in lines if _WRONG.search(line))[:SAID]


if __name__ == "__main__":
    main(sys.argv[1])
