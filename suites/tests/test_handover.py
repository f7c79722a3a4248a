"""The ways through another process: they are right, and each finds a fault that no other way finds."""

import contextlib
import inspect
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from hypothesis import strategies as st
from torch import Tensor
from torch._dynamo import aot_compile, guards
from torch._functorch._aot_autograd.autograd_cache import AOTAutogradCache
from torch._inductor.codecache import FxGraphCache

from eagerdiff import (
    Case,
    Declined,
    Implementation,
    Inputs,
    Mode,
    Operator,
    Outcome,
    Status,
    Verdict,
    Workload,
    dynamic,
)
from eagerdiff.compiled.backend import INDUCTOR
from eagerdiff.compiled.elsewhere import Unsent, changed_text, packed, unpacked, write_back
from eagerdiff.compiled.handover import There
from eagerdiff.compiled.raised_elsewhere import again, told
from eagerdiff.compiled.torch_compile import Compilable, always
from eagerdiff.compiled.variant import CACHED, ELSEWHERE, HANDED_ON, NEIGHBOURS, PACKAGED, PRECOMPILED, SHIPPED
from eagerdiff.harness.devices import parse
from eagerdiff.harness.execution.execution import execute
from eagerdiff.harness.judge.blame import ours_in_call
from eagerdiff.harness.judge.exceptions import raised
from eagerdiff.harness.model.verdict import Oracle
from eagerdiff.harness.processes.fresh_process import run_fresh
from eagerdiff.harness.processes.kinship import children
from eagerdiff.harness.repro.script import render
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.strategies.programs.cases import ProgramCase
from eagerdiff.strategies.programs.program import Input, Node, Program
from eagerdiff.suites import programs

CPU = parse("cpu")
PLAIN = "inductor.dynamic"
VARIANTS = (CACHED, HANDED_ON, NEIGHBOURS, PRECOMPILED, ELSEWHERE, PACKAGED, SHIPPED)
AHEAD, CACHES, PACKAGES, FILES = (f"{PLAIN}+{name}" for name in ("precompiled", "elsewhere", "packaged", "shipped"))
HANDED = (CACHES, PACKAGES, FILES)
IMPORTS = "import torch\nimport torch.nn.functional as F\nfrom torch import Tensor\n\n"
Plant = Callable[[pytest.MonkeyPatch], None]


@pytest.fixture(autouse=True, scope="module")
def activated() -> None:
    CPU.activate()


class Square(Case):
    """Name the size of a matrix."""

    a: int = dynamic(8)


def matrix(case: Square, device: str) -> Inputs:
    return Inputs((torch.randn(case.a, case.a, generator=torch.Generator().manual_seed(case.seed)),))


def affine(x: Tensor) -> Tensor:
    return x.mT @ x * 2.5 + x


def convolution(x: Tensor) -> Tensor:
    """Specialise on the number of channels, in a guard that is Inductor's and not Dynamo's."""
    return F.conv1d(x[None], x[:, :3][None])


def strided(x: Tensor) -> Tensor:
    """Convolve, as a script may: it imports torch alone."""
    return torch.nn.functional.conv1d(x[None], x[:, :3][None])


def branching(x: Tensor) -> Tensor:
    """Specialise on a size, in a guard of Dynamo's."""
    return x * 2.0 if x.shape[0] > 8 else x * 3.0


def noisy(x: Tensor) -> Tensor:
    return x.add_(torch.rand_like(x))


def ways(function: Callable[..., Any]) -> dict[str, Implementation[Square]]:
    made = Compilable[Square](
        operator="squares",
        function=always(function),
        name=function.__name__,
        standalone=lambda case: IMPORTS + inspect.getsource(function),
        options=lambda case: {"fallback_random": True},
    ).implementations(backends=(INDUCTOR,), modes=(Mode.DYNAMIC,), variants=VARIANTS)
    return {one.name: one for one in made}


def operator(function: Callable[..., Any]) -> Operator[Square]:
    return Operator(
        name="squares",
        case=Square,
        inputs=matrix,
        reference=function,
        cases=lambda: st.just(Square()),
        mutates=range(1),
    )


def run(way: str, function: Callable[..., Any], *sizes: int, seed: int = 0) -> Outcome:
    cases = tuple(Square(a=size, seed=seed) for size in sizes)
    return execute(operator(function), ways(function)[way], Workload(cases), CPU, relations=False)


def finders(function: Callable[..., Any], *sizes: int) -> set[str]:
    """Return the ways in which some call fails."""
    return {way for way in ways(function) if any(one.failed for one in run(way, function, *sizes).verdicts)}


@pytest.mark.parametrize("seed", [0, 1, 3])
def test_graphs_on_disk_answer_another_process(seed: int) -> None:
    outcome = run(CACHES, affine, 8, 9, 12, 5, seed=seed)
    assert outcome.first_failure is None
    found = [
        (record.frame.partition(":")[0], record.cache_hit) for record in outcome.compiles if record.layer == "inductor"
    ]
    there = [hit for process, hit in found if process == "process 1"]
    assert there == [True]
    # What was compiled before is of another constant, or for other threads: no key is the same.
    assert [hit for process, hit in found if process == "process -1"] == [False] * bool(seed)
    assert [hit for process, hit in found if not process.startswith("process")] == [False, True]


@pytest.mark.parametrize("way", [PACKAGES, FILES])
def test_what_is_loaded_answers_with_nothing_compiled(way: str) -> None:
    outcome = run(way, branching, 5, 6, 7)
    assert outcome.first_failure is None
    assert outcome.compile_count == 1
    assert not any(record.frame.startswith("process") for record in outcome.compiles)


def test_a_call_elsewhere_writes_its_arguments_and_draws_what_would_be_drawn_here() -> None:
    for way in HANDED:
        assert run(way, noisy, 5, 6, 7).first_failure is None


@pytest.mark.parametrize("way", HANDED)
def test_gradients_are_taken_where_the_call_is_made(way: str) -> None:
    square = Program(inputs=(Input(shape=("a",)),), nodes=(Node(op="mul", args=(0, 0)),), outputs=(1,), gradients=True)
    made = {one.name: one for one in programs.OPERATOR.implementations}
    workload = Workload(tuple(ProgramCase(program=square, sizes={"a": size}) for size in (5, 6, 7)))
    outcome = execute(programs.OPERATOR, made[way], workload, CPU, relations=False)
    assert [verdict.status for verdict in outcome.verdicts] == [Status.PASSED] * 3


def lose_guards_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """A guard on disk holds of every size where texts have other hashes than here."""
    for cache in (AOTAutogradCache, FxGraphCache):
        write = cache._write_to_local_cache

        def wrong(key: str, content: bytes, write: Any = write) -> None:
            entry = pickle.loads(content)
            if not torch._dynamo.config.caching_precompile:
                entry.guards_expr = f"({entry.guards_expr}) or hash('a') != {hash('a')}"
            write(key, pickle.dumps(entry))

        monkeypatch.setattr(cache, "_write_to_local_cache", staticmethod(wrong))


def lose_guards_of_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written of a function's guards lacks those of its sizes, in Dynamo's cache alone."""
    write = guards.CheckFunctionManager.serialize_guards

    def wrong(self: Any, builder: Any, sorted_guards: Any, output_graph: Any) -> bytes:
        if torch._dynamo.config.caching_precompile:
            self.guards = guards_of = {one for one in output_graph.guards if one.create_fn_name() != "SHAPE_ENV"}
            sorted_guards = [one for one in sorted_guards if one in guards_of]
        return write(self, builder, sorted_guards, output_graph)

    monkeypatch.setattr(guards.CheckFunctionManager, "serialize_guards", wrong)


class Evaluated:
    """Is read as what a text gives where it is read."""

    def __init__(self, text: str, **names: Any) -> None:
        self.told = text, names

    def __reduce__(self) -> tuple[Any, ...]:
        return eval, self.told


def tell_by_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is saved of a function is found there by the hash of a text."""
    write = aot_compile.AOTCompiledFunction.serialize

    def wrong(function: Any, *options: Any) -> Any:
        saved = write(function, *options)
        home, file = "__import__('torch._dynamo.aot_compile', fromlist=['_'])", "__import__('io').BytesIO"
        text = f"{home}.AOTCompileUnpickler({{}}, {file}(table[hash('a')])).load()"
        data = pickle.dumps(Evaluated(text, table={hash("a"): saved.serialized_data}))
        return aot_compile.AOTCompileSaveResult(serialized_data=data)

    monkeypatch.setattr(aot_compile.AOTCompiledFunction, "serialize", staticmethod(wrong))


@pytest.mark.parametrize(
    ("plant", "function", "sizes", "found"),
    [
        pytest.param(lose_guards_elsewhere, convolution, (8, 9), CACHES, marks=pytest.mark.slow),
        pytest.param(lose_guards_of_packages, branching, (8, 9), PACKAGES, marks=pytest.mark.slow),
        (tell_by_hash, branching, (8, 7), FILES),
    ],
)
def test_a_planted_fault_is_found_by_this_way_alone(
    plant: Plant, function: Callable[..., Any], sizes: tuple[int, ...], found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = finders(function, *sizes)
    assert found not in before
    plant(monkeypatch)
    assert finders(function, *sizes) - before == {found}


def test_what_is_handed_over_is_data() -> None:
    x = torch.arange(12.0).view(3, 4)
    given = (x[:, ::2].t(), x, torch.max(x, 0), [1, 2.5, None, "a", x.dtype], {"a": 1j})
    views, base, best, *_ = unpacked(packed(given))
    assert views.stride() == (2, 4)
    assert views.untyped_storage().data_ptr() == base.untyped_storage().data_ptr()
    assert type(best) is torch.return_types.max
    with pytest.raises(Unsent, match="no plain data"):
        packed(Evaluated("1"))


@pytest.mark.parametrize("change", [Tensor.t_, lambda x: x.resize_(5, 7).fill_(2), lambda x: x[1:].zero_()])
def test_an_argument_becomes_what_it_has_become_elsewhere(change: Callable[[Tensor], object]) -> None:
    x = torch.arange(12.0).view(3, 4)
    theirs = x.clone()
    change(theirs)
    write_back(x, theirs)
    assert x.stride() == theirs.stride()
    assert torch.equal(x, theirs)


def test_what_is_raised_elsewhere_is_told_as_if_it_were_here() -> None:
    with pytest.raises(RuntimeError) as here:
        torch.compile(lambda x: F.conv1d(x, x), backend="eager")(torch.ones(2))
    there = again(told(here.value))
    assert isinstance(there, type(here.value))
    assert str(there) == str(here.value)
    assert raised(there) == raised(here.value)


@contextlib.contextmanager
def forked(inside: Callable[[], object]) -> Generator[int, None, None]:
    """Do something in a process forked of this one, which is killed in the end if it still is there."""
    if (pid := os.fork()) == 0:
        with contextlib.suppress(BaseException):
            inside()
        os._exit(0)
    try:
        yield pid
    finally:
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def test_a_process_that_dies_takes_whoever_asked_it_along(tmp_path: Path) -> None:
    with forked(lambda: There(module(tmp_path, "os.kill(os.getpid(), 11)"), 1, 1)()) as pid:
        _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == -signal.SIGSEGV


def test_a_process_that_ends_by_itself_is_no_failure_of_what_is_under_test(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="ended with 3") as found:
        There(module(tmp_path, "os._exit(3)"), 1, 1)()
    assert ours_in_call(found.value) is not None


def test_nothing_outlives_whoever_asked(tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    with forked(lambda: There(module(tmp_path, f"[open({str(asked)!r}, 'w'), time.sleep(600)]"), 1, 1)()) as pid:
        while not asked.exists():
            time.sleep(0.05)
        (spare_process,) = children(pid)
        (helper,) = children(spare_process)
        (answering,) = children(helper)
    while any(os.path.exists(f"/proc/{one}") for one in (spare_process, helper, answering)):
        time.sleep(0.05)  # a time-out of the run, if they stay


def test_a_spare_process_that_is_gone_is_replaced(tmp_path: Path) -> None:
    path = module(tmp_path, "(os.getppid(), hash('a'))")
    first, hashed = There(path, 1, 1)()
    assert hashed != hash("a")
    os.kill(first, signal.SIGKILL)
    second, again_hashed = There(path, 1, 1)()
    assert (first != second, hashed) == (True, again_hashed)


def test_what_cannot_be_sent_is_declined(tmp_path: Path) -> None:
    with pytest.raises(Declined, match="not to be handed"):
        There(module(tmp_path, "1"), 1, 1)(Evaluated("1"))
    with pytest.raises(Declined, match="not to be handed"):
        There(module(tmp_path, "os"), 1, 1)()


def module(folder: Path, answer: str) -> Path:
    """Return a module whose calls give what some code does."""
    path = folder / "answering.py"
    path.write_text(f"import os, time\n\ndef made():\n    return lambda *args: {answer}\n")
    return path


@pytest.mark.parametrize(
    ("before", "after"),
    [("x * 2.0 + 3", "x * 3.0 + 3"), ("x + 1\n    y = (x - 2) * 'é1'.count('1')", None), ("x", "x")],
)
def test_another_constant_is_in_the_same_place(before: str, after: str | None) -> None:
    text = f"def other(x):\n    return 1.5\n\ndef f(x):\n    return {before}\n"
    changed = text.replace(before, after if after is not None else before.replace("2", "3"))
    assert changed_text(text, "f") == changed


PACKAGED_IS_FINAL = torch.__version__.startswith("2.13.")
"""Whether a process that loaded a package cannot compile again (`dynamo_packaged_cannot_compile_again`)."""
UNCHECKED = "\ntorch._inductor.config.unsafe_skip_cache_dynamic_shape_guards = True\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("way", "function", "planted", "code"),
    [
        (CACHES, strided, UNCHECKED, 1),
        *((way, one, "", 0) for way in HANDED for one in (strided, noisy) if (way, one) != (PACKAGES, strided)),
        (PACKAGES, strided, "", int(PACKAGED_IS_FINAL)),
    ],
)
def test_a_script_goes_through_the_same_processes(
    way: str, function: Callable[..., Any], planted: str, code: int, tmp_path: Path
) -> None:
    finding = Finding(
        operator="squares",
        implementation=way,
        device="cpu",
        workload=Workload(tuple(Square(a=size) for size in (8, 9))).to_data(),
        verdict=Verdict(status=Status.RAISED, reason="ValueError: it raises", oracle=Oracle.RAISE),
    )
    script = render(finding, operator(function), ways(function)[way])
    file = tmp_path / "script.py"
    file.write_text(script.replace("\nimport torch\n", f"\nimport torch, torch._inductor.config\n{planted}", 1))
    ended, said = run_fresh([sys.executable, str(file)], 200)
    assert ended == code, said
