"""The ways through torch's caches on disk: they are right, they hit, and each finds a fault that no other way finds."""

import contextlib
import hashlib
import inspect
import pickle
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import torch._inductor.config as inductor_config
import torch.nn.functional as F
from torch import Tensor
from torch._dynamo import aot_compile
from torch._functorch._aot_autograd import autograd_cache
from torch._inductor.codecache import FxGraphCache

from eagerdiff import Case, Implementation, Inputs, Mode, Operator, Outcome, Status, Verdict, Workload, dynamic
from eagerdiff.compiled.backend import INDUCTOR
from eagerdiff.compiled.caching import GraphCaches
from eagerdiff.compiled.neighbours import CONSTANT, NEIGHBOURS, with_another_constant
from eagerdiff.compiled.torch_compile import Compilable, always
from eagerdiff.compiled.variant import CACHED, HANDED_ON, PRECOMPILED
from eagerdiff.compiled.variant import NEIGHBOURS as AMONG_NEIGHBOURS
from eagerdiff.harness.devices import parse
from eagerdiff.harness.execution.execution import execute
from eagerdiff.harness.model.verdict import Oracle
from eagerdiff.harness.processes.fresh_process import run_fresh
from eagerdiff.harness.repro.script import render
from eagerdiff.harness.triage.finding import Finding

CPU = parse("cpu")
PLAIN = "inductor.dynamic"
CACHING, HANDING, AMONG, AHEAD = (f"{PLAIN}+{name}" for name in ("cached", "handed_on", "neighbours", "precompiled"))
WAYS = {PLAIN, CACHING, HANDING, AMONG, AHEAD}
CACHE = autograd_cache.AOTAutogradCache
Plant = Callable[[pytest.MonkeyPatch], contextlib.AbstractContextManager[Any]]


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


def ways(function: Callable[..., Any]) -> dict[str, Implementation[Square]]:
    made = Compilable[Square](operator="squares", function=always(function)).implementations(
        backends=(INDUCTOR,), modes=(Mode.DYNAMIC,), variants=(CACHED, HANDED_ON, AMONG_NEIGHBOURS, PRECOMPILED)
    )
    return {one.name: one for one in made}


def operator(function: Callable[..., Any]) -> Operator[Square]:
    return Operator(name="squares", case=Square, inputs=matrix, reference=function, cases=lambda: None)  # pyright: ignore


def run(way: str, function: Callable[..., Any], *sizes: int, seed: int = 0) -> Outcome:
    cases = tuple(Square(a=size, seed=seed) for size in sizes)
    return execute(operator(function), ways(function)[way], Workload(cases), CPU, relations=False)


def hits(outcome: Outcome) -> list[bool]:
    return [bool(record.cache_hit) for record in outcome.compiles if record.layer == "inductor"]


def finders(function: Callable[..., Any], *sizes: int, seed: int = 0) -> set[str]:
    """Return the ways in which some call fails."""
    return {way for way in WAYS if any(map(failed, run(way, function, *sizes, seed=seed).verdicts))}


def failed(verdict: Verdict) -> bool:
    return verdict.failed


@pytest.mark.parametrize("way", sorted(WAYS))
def test_what_is_cached_is_right(way: str) -> None:
    outcome = run(way, affine, 8, 9, 5, 12)
    assert outcome.first_failure is None
    # Another size hits too: its guards are evaluated, and hold.
    expected = {PLAIN: [False], CACHING: [False, True, True], HANDING: [False, True, True], AHEAD: []}
    assert hits(outcome) == expected.get(way, hits(outcome))
    assert any(hits(outcome)) == (way in (CACHING, HANDING, AMONG))


@pytest.mark.parametrize("way", sorted(WAYS))
def test_a_guard_that_a_size_does_not_meet_is_a_miss(way: str) -> None:
    assert not any(map(failed, run(way, convolution, 8, 9, 8).verdicts))


def test_a_torch_that_compiles_nothing_ahead_leaves_that_way_out() -> None:
    left_out = {name: one.unsupported(Square()) for name, one in ways(affine).items()}
    assert set(left_out.values()) == {None}
    # Torch 2.11 has the function, and asks for a setting before `torch.compile` hands it out.
    with torch._dynamo.config.patch(enable_aot_compile=False):
        left_out = {name: one.unsupported(Square()) for name, one in ways(affine).items()}
    assert left_out == {**dict.fromkeys(left_out), AHEAD: "this torch.compile compiles nothing ahead of its calls"}


def skip_guards(_: pytest.MonkeyPatch) -> contextlib.AbstractContextManager[Any]:
    """A hit is served whatever the sizes are."""
    return inductor_config.patch(unsafe_skip_cache_dynamic_shape_guards=True)


def lose_guards_on_disk(monkeypatch: pytest.MonkeyPatch) -> contextlib.AbstractContextManager[Any]:
    """What is written where it was compiled has no guards; what is handed on has them."""
    return _write_without_guards(monkeypatch, "save")


def lose_guards_handed_on(monkeypatch: pytest.MonkeyPatch) -> contextlib.AbstractContextManager[Any]:
    """What is written where it was compiled has its guards; what is handed on has none."""
    return _write_without_guards(monkeypatch, "populate_cache")


def _write_without_guards(monkeypatch: pytest.MonkeyPatch, caller: str) -> contextlib.AbstractContextManager[Any]:
    for cache in (CACHE, FxGraphCache):
        write = cache._write_to_local_cache

        def wrong(key: str, content: bytes, write: Any = write) -> None:
            frame = inspect.currentframe()
            assert frame is not None
            assert frame.f_back is not None
            if caller in frame.f_back.f_code.co_name:
                entry = pickle.loads(content)
                entry.guards_expr = None
                content = pickle.dumps(entry)
            write(key, content)

        monkeypatch.setattr(cache, "_write_to_local_cache", staticmethod(wrong))
    return contextlib.nullcontext()


def lose_guards_ahead(monkeypatch: pytest.MonkeyPatch) -> contextlib.AbstractContextManager[Any]:
    """What is loaded of an artifact compiled ahead takes every call."""
    monkeypatch.setattr(aot_compile.AOTCompiledFunction, "guard_check", lambda *_, **__: True)
    return contextlib.nullcontext()


def leave_out_constants(monkeypatch: pytest.MonkeyPatch) -> contextlib.AbstractContextManager[Any]:
    """The key of a graph says nothing of the floats in it."""

    def key(module: Any, example_inputs: Any, *_: Any) -> tuple[str, list[str]]:
        graph = module.gm if hasattr(module, "gm") else module
        text = re.sub(r"\d+\.\d+", "", graph.code) + str([type(one) for one in example_inputs])
        return "a" + hashlib.sha256(text.encode()).hexdigest(), []

    monkeypatch.setattr(autograd_cache, "autograd_cache_key", key)
    return contextlib.nullcontext()


def leave_out_autocast(monkeypatch: pytest.MonkeyPatch) -> contextlib.AbstractContextManager[Any]:
    """The key of a graph says nothing of the dtype of autocast."""
    record = autograd_cache.AOTAutogradCacheDetails._record_runtime_state

    def without(self: Any, graph: Any) -> None:
        record(self, graph)
        self.autocast_state = {}

    monkeypatch.setattr(autograd_cache.AOTAutogradCacheDetails, "_record_runtime_state", without)
    return contextlib.nullcontext()


@pytest.mark.parametrize(
    ("plant", "function", "sizes", "seed", "found"),
    [
        (skip_guards, convolution, (8, 9), 0, {CACHING, HANDING}),
        pytest.param(lose_guards_on_disk, convolution, (8, 9), 0, {CACHING}, marks=pytest.mark.slow),
        pytest.param(lose_guards_handed_on, convolution, (8, 8, 9), 0, {HANDING}, marks=pytest.mark.slow),
        (lose_guards_ahead, convolution, (8, 9), 0, {AHEAD}),
        pytest.param(leave_out_constants, affine, (8,), NEIGHBOURS.index(CONSTANT), {AMONG}, marks=pytest.mark.slow),
        (leave_out_autocast, affine, (8,), NEIGHBOURS.index("autocast"), {AMONG}),
    ],
)
def test_a_planted_fault_is_found_by_these_ways_alone(
    plant: Plant,
    function: Callable[..., Any],
    sizes: tuple[int, ...],
    seed: int,
    found: set[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert finders(function, *sizes, seed=seed) == set()
    with plant(monkeypatch):
        assert finders(function, *sizes, seed=seed) == found


def test_every_neighbour_is_another_graph_or_the_same_answer() -> None:
    """One after another, each neighbour is compiled before the call, which is right all the same."""
    outcome = run(AMONG, affine, *[8] * len(NEIGHBOURS))
    assert outcome.first_failure is None
    assert len(hits(outcome)) == 2 * len(NEIGHBOURS)


def test_what_is_compiled_ahead_is_counted() -> None:
    outcome = run(AHEAD, affine, 8, 9, 1)
    assert outcome.first_failure is None
    assert [(record.layer, record.call) for record in outcome.compiles] == [("precompile", 0), ("precompile", 2)]
    assert outcome.compile_count == 2


def test_what_is_compiled_ahead_is_one_graph() -> None:
    compilable = Compilable(operator="squares", function=always(affine), fullgraph=lambda case: False)
    (one,) = compilable.implementations(backends=(INDUCTOR,), modes=(), variants=(PRECOMPILED,))
    assert "a graph break" in (one.supports(Square()) or "")


def test_another_constant_is_a_float_where_there_is_one() -> None:
    changed = with_another_constant(affine)
    assert changed is not None
    x = torch.eye(2)
    assert torch.equal(changed(x), x.mT @ x * 3.5 + x)
    assert with_another_constant(torch.sin) is None


def test_a_folder_of_graphs_goes_with_its_build(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EAGERDIFF_CACHE", str(tmp_path))
    left = tmp_path / "graphs" / "999999999-0"
    left.mkdir(parents=True)
    caches = GraphCaches()
    assert not left.exists(), "its process is gone"
    folder = caches.folder
    assert folder.is_dir()
    del caches
    assert not folder.exists()


UNCHECKED = "\ntorch._inductor.config.unsafe_skip_cache_dynamic_shape_guards = True\n"


@pytest.mark.parametrize(
    ("way", "planted", "code"),
    [
        (CACHING, UNCHECKED, 1),
        pytest.param(HANDING, UNCHECKED, 1, marks=pytest.mark.slow),
        *(pytest.param(way, "", 0, marks=pytest.mark.slow) for way in sorted(WAYS - {PLAIN})),
    ],
)
def test_a_script_goes_through_the_same_caches(way: str, planted: str, code: int, tmp_path: Path) -> None:
    cases = tuple(Square(a=size) for size in (8, 9))
    finding = Finding(
        operator="squares",
        implementation=way,
        device="cpu",
        workload=Workload(cases).to_data(),
        verdict=Verdict(status=Status.RAISED, reason="ValueError: it raises", oracle=Oracle.RAISE),
    )
    script = render(finding, operator(strided), ways(strided)[way])
    file = tmp_path / "script.py"
    file.write_text(script.replace("\ncalls = [", f"\n{planted}calls = [", 1))
    ended, said = run_fresh([sys.executable, str(file)], 200)
    assert ended == code, said


def strided(x: Tensor) -> Tensor:
    return torch.nn.functional.conv1d(x[None], x[:, :3][None])
