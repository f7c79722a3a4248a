"""Handover: compiled code that one process leaves on disk, and another one, which compiled nothing, goes on with."""

import ast
import inspect
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from eagerdiff import Declined
from eagerdiff.compiled import elsewhere, precompiled
from eagerdiff.compiled.answering import helper
from eagerdiff.compiled.caching import GraphCaches
from eagerdiff.compiled.drawn_module import Made
from eagerdiff.compiled.elsewhere import InTurns, Unsent, asked, changed_text
from eagerdiff.compiled.raised_elsewhere import again
from eagerdiff.harness.internals.dynamo_config import settings_as_source
from eagerdiff.harness.internals.dynamo_metrics import write_down
from eagerdiff.harness.internals.graph_caches import forget

__eagerdiff_glue__ = True
"""What this module raises itself is a harness error, not a finding about the compiler (docs/judge.md)."""

Function = Callable[..., Any]
CONSTANT, THREADS = "another constant", "other threads"


@dataclass(frozen=True, kw_only=True)
class Handover:
    """Describe what is handed from one process to the next."""

    made: str
    """Source of `made()`, which returns what is called, of `COMPILED`, which compiles the function, of `AROUND`, which
    takes its gradients, and of `FOLDER`, in which everything is kept."""
    ahead: bool = False
    """Whether it is compiled ahead of its calls, as one graph."""
    keyed: bool = True
    """Whether torch itself finds what is on disk, and must not take what was compiled of other code for it."""

    def prior(self, seed: int) -> str:
        """Return what another process compiles before, by the seed: the code with another constant, or the same code
        for other threads; in every other workload nothing."""
        return ("", CONSTANT, "", THREADS)[seed % 4] if self.keyed else ""

    def build(self, standalone: str, name: str, settings: str, around: str, seed: int) -> Function:
        """Return what answers calls in turns, here and in another process.

        The arguments are source that defines a function by its name, the arguments of `torch.compile`, what takes
        gradients, and a seed.
        """
        caches = GraphCaches()
        path = caches.folder / f"drawn_{caches.folder.name.replace('-', '_')}.py"
        source = f"from __future__ import annotations\n{standalone}\n\n{self.made_of(name, settings, around)}"
        text = ast.unparse(ast.parse(source.replace("FOLDER", repr(str(caches.folder))))) + "\n"
        prior = self.prior(seed)

        def begin(turn: int) -> Any:
            path.write_text(changed_text(text, name) if turn < 0 and prior == CONSTANT else text)
            threads = torch.get_num_threads() + (turn < 0 and prior == THREADS)
            return There(path, turn, threads) if turn % 2 else Here(path)

        return caches.around(InTurns(begin, bool(prior)))

    def made_of(self, name: str, settings: str, around: str) -> str:
        """Return the source of `made`."""
        compiled = f"torch.compile({name}, {settings})"
        source = self.made.replace("COMPILED", compiled)
        return source.replace("AROUND", around.partition("{}")[0].rstrip("("))

    def source(self, name: str, settings: str, around: str, seed: int) -> str:
        """Return plain-torch source of `implementation`, of a function that is defined above it."""
        script = _SCRIPT.replace("NAME", repr(name)).replace("PRIOR", repr(self.prior(seed)))
        return "\n\n".join((_FOLDER, self.made_of(name, settings, around), inspect.getsource(elsewhere), script))


class Here:
    """Answer calls in this process, which forgets what it compiled, but for what is on disk."""

    def __init__(self, path: Path) -> None:
        """Take the module."""
        forget()
        self.made = Made(path)

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Make a call."""
        return self.made(*args, **options)

    def end(self) -> None:
        """Keep nothing."""
        del self.made


class There:
    """Have calls answered by a process with other hashes; this one ends as that does."""

    def __init__(self, path: Path, turn: int, threads: int) -> None:
        """Take the module, beside which its graphs are kept, the number of the turn, and torch's threads there.

        What a turn of a negative number gives is not looked at, and it may die.
        """
        self.helper = helper(os.getpid())
        order = {"path": str(path), "folder": str(path.parent), "settings": settings_as_source(), "threads": threads}
        self.channel = self.helper.fork(order)
        self.turn = turn

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Make a call there; raise what it raises, and Declined where its arguments or its output cannot be sent."""
        try:
            said = asked(self.channel, args, options)
        except Unsent as reason:
            raise Declined(f"not to be handed to another process: {reason}") from None
        except (EOFError, ConnectionError):
            if self.turn >= 0:
                _end_as(self.helper.status())
            raise
        write_down(said["more"], f"process {self.turn}")
        if "raised" in said:
            raise again(said["raised"])
        return said["output"]

    def end(self) -> None:
        """Let it go."""
        self.channel.close()


def _end_as(status: int) -> None:
    """End this process by the signal that ended another one: it is judged as what is under test."""
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        raise RuntimeError(f"a process that answers calls ended with {code}")
    signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)


_FOLDER = """
import os, socket, subprocess, tempfile
FOLDER = os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", tempfile.mkdtemp())
"""
_SCRIPT = """
if len(sys.argv) > 1:  # a process that answers calls
    torch.set_num_threads(int(sys.argv[2]))
    serve(Connection(int(sys.argv[1])), made(), lambda error: f"{type(error).__name__}: {error}", str)
    sys.exit()


class InProcess:
    def __init__(self, turn):
        ours, theirs = socket.socketpair()
        text, path = open(__file__).read(), os.path.join(FOLDER, "source", "script.py")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(changed_text(text, NAME) if turn < 0 and PRIOR == "another constant" else text)
        threads = torch.get_num_threads() + (turn < 0 and PRIOR == "other threads")
        command = [sys.executable, path, str(theirs.fileno()), str(threads)]
        hashes = {"PYTHONHASHSEED": str(turn % 2)}
        self.process = subprocess.Popen(command, pass_fds=[theirs.fileno()], env=os.environ | hashes)
        theirs.close()
        self.turn, self.channel = turn, Connection(ours.detach())

    def __call__(self, *args, **options):
        try:
            said = asked(self.channel, args, options)
        except EOFError:
            if self.turn >= 0:
                os.kill(os.getpid(), -self.process.wait())
            raise
        if "raised" in said:
            name, _, text = said["raised"].partition(": ")
            raise type(name, (Exception,), {})(text)
        return said["output"]

    def end(self):
        self.channel.close()
        self.process.wait()


implementation = InTurns(InProcess, bool(PRIOR))
"""

ELSEWHERE = Handover(
    made="""
def made():
    return AROUND(COMPILED)
"""
)
"""Graphs, in the caches of Inductor and AOTAutograd."""
PACKAGED = Handover(
    made="""
def made():
    compiled = AROUND(COMPILED)

    def call(*args, **options):
        try:
            return compiled(*args, **options)
        finally:
            torch.compiler.save_cache_artifacts()

    return call
"""
)
"""Graphs with their guards, in Dynamo's cache (`caching_precompile`), which nothing is compiled to look up."""
SHIPPED = Handover(
    made=inspect.getsource(precompiled)
    + """

def made():
    import glob, itertools, os
    names = (os.path.join(FOLDER, f"artifact{os.getpid()}-{number}") for number in itertools.count())
    found = sorted(glob.glob(os.path.join(FOLDER, "artifact*")))
    return AROUND(Precompiled(COMPILED, lambda: next(names), globals(), found))
""",
    ahead=True,
    keyed=False,
)
"""Functions that are compiled ahead, each with its guards, in files (`aot_compile`)."""
