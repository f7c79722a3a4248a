"""What an engine's process does: load a program, call it, until nobody asks. `python serving.py MODULE`.

It runs in the engine's own environment and imports nothing of the project but its neighbours. MODULE defines
`make(program)`, which returns a callable of the program's tensors that returns its outputs, flat.
"""

import importlib
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

sys.path.insert(0, str(Path(__file__).parent))

import torch
from framing import receive, send
from torch import Tensor

Call = Callable[..., Sequence[Tensor]]
SAID = 4000
"""Characters that are told of what an engine raises, and of the errors that it printed before."""


def main(name: str) -> None:
    """Answer each frame with one; end where the other side has."""
    asked, answers = os.fdopen(os.dup(0), "rb", buffering=0), os.fdopen(os.dup(1), "wb")
    torch.set_num_threads(1)
    called: Call | None = None
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
                    called, began = None, time.process_time()
                    called = importlib.import_module(name).make(torch.export.load(message["path"]))
                    send(answers, {"seconds": time.process_time() - began})
                else:
                    assert called is not None
                    send(answers, {}, called(*tensors))
            except Exception as error:  # noqa: BLE001 - whatever an engine raises is told
                says = f"{str(error)[:SAID]}\n{_errors(printed)}".strip()
                send(answers, {"raised": type(error).__qualname__, "says": says})


def _errors(printed: IO[bytes]) -> str:
    """Return the errors among what was printed; the rest of it, times and warnings, is another in each run."""
    sys.stdout.flush()
    sys.stderr.flush()
    printed.seek(0)
    lines = printed.read().decode(errors="replace").splitlines()
    return "\n".join([line for line in lines if "error" in line.lower()])[:SAID]


if __name__ == "__main__":
    main(sys.argv[1])
