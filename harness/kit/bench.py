"""Try scripts in many ways, each in a fork of a process that has torch's compiler: a job a line, an answer a line.

It runs as a file of its own, in the Python that is asked, and imports torch alone. As it is: as Python would run it,
with torch's structured trace where that is asked for. By layer: torch.compile's back ends, each of which adds to the
one before; a script that asks for less is given what it asks for. Inside of the one that fails torch's own
CompilerBisector. By output: what torch asks of fuzzers
(https://github.com/pytorch/pytorch/issues/new?template=pt2-bug-report.yml): default tolerances, float64 as the
baseline, the same state of the random generator.
"""

import contextlib
import copy
import importlib
import io
import json
import os
import runpy
import select
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TextIO
from unittest import mock

import torch
import torch._inductor.compiler_bisector as bisector
from torch._dynamo.testing import CompileCounterWithBackend
from torch._inductor import config
from torch.utils._pytree import tree_leaves, tree_map

BACKENDS = ("eager", "aot_eager", "aot_eager_decomp_partition", "inductor")
INSIDE = BACKENDS[2:]
"""Those in which the CompilerBisector looks further."""
CACHES = ("TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR", "TMPDIR")
"""Where compilers leave what they find again: each job has its own."""
MOST = 50
"""Outputs that are told."""


def main(jobs: TextIO, answers: TextIO) -> None:
    """Say that it is ready, and answer jobs, `{"do": "run" or "try", "script": …, "seconds": …}`, until there are none.

    What else is printed goes with the errors.
    """
    importlib.import_module("torch._inductor.compile_fx")  # once, and not in each fork
    with contextlib.suppress(Exception):  # which instructions there are: each fork would compile the question
        importlib.import_module("torch._inductor.cpu_vec_isa").pick_vec_isa()
    do: dict[str, Callable[[dict[str, Any]], object]] = {"run": as_it_is, "try": every_way}
    home = os.getcwd()
    print(json.dumps("ready"), file=answers, flush=True)
    for line in jobs:
        job = json.loads(line)
        folder = tempfile.mkdtemp(dir=home)
        os.chdir(folder)
        os.environ |= dict.fromkeys(CACHES, folder)
        tempfile.tempdir = folder
        print(json.dumps(do[job["do"]](job)), file=answers, flush=True)
        os.chdir(home)
        shutil.rmtree(folder, ignore_errors=True)


def as_it_is(job: dict[str, Any]) -> tuple[int | None, str]:
    """Run a script; return its exit code and what it printed. torch's structured trace goes to a folder, `trace`."""

    def run() -> None:
        if job["trace"]:
            os.environ["TORCH_TRACE"] = job["trace"]
            logs: Any = importlib.import_module("torch._logging._internal")
            logs.LOG_TRACE_HANDLER = None  # it has been told of no folder
            logs._init_logs()
        whole(job["script"])

    return forked(run, job["seconds"])


def every_way(job: dict[str, Any]) -> dict[str, Any]:
    """Return `layers` and `bisector`, where `ablate` asks for them, and `outputs`, or why they are `untold`.

    `alike` is how the line begins that tells of the failure: other failures are others'.
    """
    script, seconds, alike = job["script"], job["seconds"], job["alike"]
    found: dict[str, Any] = {"layers": {}, "bisector": ""}
    if job["ablate"]:
        found["layers"] = layers(script, seconds, alike)
        last = next(reversed(found["layers"]))
        if last in INSIDE and fails(*found["layers"][last], alike):
            found["bisector"] = bisected(script, seconds)
    code, said = forked(lambda: print(json.dumps(probe(Path(script)))), seconds)
    told = next((line for line in reversed(said.splitlines()) if line.startswith(('{"untold"', "[{", "[]"))), "")
    if code == 0 and told:
        data = json.loads(told)
        return found | ({"outputs": data, "untold": ""} if isinstance(data, list) else {"outputs": []} | data)
    return found | {"outputs": [], "untold": f"the calls could not be made again: {ended(code)}"}


def forked(run: Callable[[], object], seconds: float) -> tuple[int | None, str]:
    """Run a function in a fork; return its exit code (negative: a signal; None: no end in time) and what it printed."""
    with tempfile.TemporaryFile() as said:
        if (child := os.fork()) == 0:
            _become(run, said.fileno())
        ended = os.pidfd_open(child)
        in_time = select.select([ended], [], [], seconds)[0]
        os.close(ended)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        said.seek(0)
        return os.waitstatus_to_exitcode(status) if in_time else None, said.read().decode(errors="replace")


def _become(run: Callable[[], object], said: int) -> NoReturn:
    """End as a Python does that runs this function and nothing else; what it prints goes to a file."""
    os.setpgid(0, 0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(said, 1)
    os.dup2(said, 2)
    sys.stdout, code = os.fdopen(1, "w", closefd=False), 1
    try:
        run()
        code = 0
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 0 if error.code is None else 1
        if not isinstance(error.code, int | None):
            sys.stdout.flush()
            print(error.code, file=sys.stderr)
    except BaseException:  # noqa: BLE001 - as Python itself ends
        sys.stdout.flush()
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def ended(code: int | None) -> str:
    """Write an exit code for a person."""
    if code is None:
        return "no end in time"
    return f"exit code {code}" if code >= 0 else signal.Signals(-code).name


def whole(script: str) -> None:
    """Run a script as Python would."""
    sys.argv = [script]
    sys.path[0] = os.path.dirname(script)
    runpy.run_path(script, run_name="__main__")


def fails(code: int | None, said: str, alike: str) -> bool:
    """Say whether a script failed as it does by itself."""
    return code not in (0, None) and (code < 0 or any(line.startswith(alike) for line in said.splitlines()))


def layers(script: str, seconds: float, alike: str) -> dict[str, tuple[int | None, str]]:
    """Run a script with one back end after the other, until it fails so; return exit codes and what was printed."""
    endings: dict[str, tuple[int | None, str]] = {}

    def with_backend(name: str) -> None:
        limit(lambda: name)
        whole(script)

    for name in BACKENDS:
        endings[name] = forked(lambda name=name: with_backend(name), seconds)
        if fails(*endings[name], alike):
            break
    return endings


def limit(most: Callable[[], str]) -> None:
    """Have torch.compile take this back end, at most, whatever is asked: what a script compares it with stays."""
    asked: Callable[..., Any] = torch.compile

    def compile_(model: Any = None, *, backend: Any = BACKENDS[-1], **options: Any) -> Any:
        if model is None:
            return lambda taken: compile_(taken, backend=backend, **options)
        given = at_most(backend, most())
        with mock.patch.object(bisector.CompilerBisector, "get_backend", return_value=None):  # it would overrule all
            return asked(model, backend=given, **options)

    torch.compile = compile_


def at_most(backend: Any, most: str) -> Any:
    """Return the lesser of two back ends; one that counts is left, with the lesser of its own inside."""
    if isinstance(backend, str) and backend in BACKENDS:
        return min(backend, most, key=BACKENDS.index)
    if isinstance(backend, CompileCounterWithBackend):
        backend.backend = at_most(backend.backend, most)
    return backend


def bisected(script: str, seconds: float) -> str:
    """Return what torch's CompilerBisector finds, in a line; empty where it finds nothing in a back end."""

    def passes() -> bool:
        return forked(run, seconds)[0] == 0

    def run() -> None:
        limit(lambda: bisector.CompilerBisector.get_backend() or BACKENDS[-1])
        whole(script)

    with contextlib.redirect_stdout(io.StringIO()):
        found = bisector.CompilerBisector.do_bisect(passes)
    if found is None or found.subsystem is None:
        return ""
    number = f", application {found.bisect_number + 1}" if found.bisect_number is not None else ""
    return f"{found.subsystem}{number}" + (f": {found.debug_info}" if found.debug_info else "")


def probe(script: Path) -> Any:
    """Return what is told of a script's outputs."""
    space, raised = run(script)
    if missing := [name for name in ("reference", "implementation", "calls") if name not in space]:
        return {"untold": raised or f"the script compares by itself: it has no {missing[0]}"}
    found: list[dict[str, Any]] = []
    for number, (args, options) in enumerate(space["calls"]):
        try:
            want = answer(space["reference"], args, options)
            exact = answer(space["reference"], tree_map(upcast, args), tree_map(upcast, options))
            got = answer(space["implementation"], args, options)
        except Exception as error:  # noqa: BLE001 - whatever a program raises is what is told
            lines = str(error).strip().splitlines() or [""]
            return {"untold": f"call {number} raises {type(error).__name__}: {lines[0][:200]}"}
        leaves = [tree_leaves(value) for value in (got, want, exact)]
        if len({len(one) for one in leaves}) > 1:
            return {"untold": f"call {number} returns {len(leaves[0])} values, eager {len(leaves[1])}"}
        found += [compare(number, place, *three) for place, three in enumerate(zip(*leaves, strict=True))]
    return found[:MOST]


def run(script: Path) -> tuple[dict[str, Any], str]:
    """Run a script, whatever it ends with; return what it has named, and which exception ended it."""
    space: dict[str, Any] = {"__name__": "__main__", "__file__": str(script)}
    config.fallback_random = True  # as torch asks of fuzzers
    try:
        with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
            exec(compile(script.read_text(), str(script), "exec"), space)
    except Exception as error:  # noqa: BLE001 - whatever a script raises is what is told
        return space, f"the script raises {type(error).__name__} before its calls"
    return space, ""


def answer(function: Callable[..., Any], args: Any, options: dict[str, Any]) -> Any:
    """Call a function on copies, with the random generator as it always begins."""
    torch.manual_seed(0)
    return function(*copy.deepcopy(args), **copy.deepcopy(options))


def upcast(value: Any) -> Any:
    """Return a floating-point tensor in float64, a complex one in complex128, and all else as it is."""
    if not isinstance(value, torch.Tensor):
        return value
    wide = torch.float64 if value.is_floating_point() else torch.complex128 if value.is_complex() else value.dtype
    return value.detach().to(wide).requires_grad_(value.requires_grad)


def compare(call: int, place: int, got: Any, want: Any, exact: Any) -> dict[str, Any]:
    """Hold one output against eager's."""
    told: dict[str, Any] = {"call": call, "output": place, "dtype": type(want).__name__, "shape": ""}
    if not isinstance(got, torch.Tensor) or not isinstance(want, torch.Tensor):
        equal = type(got) is type(want) and (got == want or (got != got and want != want))
        return told | {"close": bool(equal), "differs": "" if equal else f"{got!r}, eager: {want!r}"[:200]}
    told |= {"dtype": str(want.dtype).removeprefix("torch."), "shape": str(tuple(want.shape))}
    differs = next(
        (
            f"{what} {one}, eager: {other}"
            for what, one, other in (
                ("dtype", got.dtype, want.dtype),
                ("shape", tuple(got.shape), tuple(want.shape)),
                ("strides", got.stride(), want.stride()),
            )
            if one != other
        ),
        "",
    )
    told["differs"] = differs
    told["close"] = close(got, want)
    comparable = isinstance(exact, torch.Tensor) and got.shape == want.shape == exact.shape
    if comparable and want.is_floating_point():
        told |= {"off": distance(got, exact), "eager": distance(want, exact), "same": same(want, got, exact)}
    return told


def close(got: torch.Tensor, want: torch.Tensor) -> bool:
    """Say whether `torch.testing.assert_close` takes one for the other at its default tolerances."""
    try:
        torch.testing.assert_close(got, want, equal_nan=True)
    except AssertionError:
        return False
    return True


def same(want: torch.Tensor, got: torch.Tensor, exact: torch.Tensor) -> bool:
    """Say whether torch's own measure for models takes one for the other."""
    from torch._dynamo.utils import same as torch_same

    return bool(torch_same(want, got, fp64_ref=exact, equal_nan=True, log_error=lambda *_, **__: None))


def distance(one: torch.Tensor, exact: torch.Tensor) -> float | None:
    """Return the largest distance from float64; None where one of both is not finite and the other is."""
    one, exact = one.detach().double(), exact.detach().double()
    if not torch.equal(one.isfinite(), exact.isfinite()):
        return None
    off = (one - exact)[exact.isfinite()].abs()
    return float(off.max()) if off.numel() else 0.0


if __name__ == "__main__":
    main(sys.stdin, os.fdopen(os.dup(1), "w"))
