"""Engines: what crosses to one is data, what it says is told, and what each adapter may get wrong is found."""

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from torch import Tensor
from torch.utils import _pytree as pytree

from eagerdiff import (
    Environment,
    InstallationError,
    Requirements,
    Stage,
    Status,
    Workload,
    install_environment,
    python_of_environment,
)
from eagerdiff.compiled.dynamic_shapes import Shapes
from eagerdiff.compiled.engines import engine as engines
from eagerdiff.compiled.engines.engine import Engine, NotHandedOver
from eagerdiff.compiled.engines.known import ENGINES
from eagerdiff.compiled.engines.session import Artifact, EngineError, Saved, Session
from eagerdiff.compiled.torch_export import OUTSIDE
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.catalog.revision import revision
from eagerdiff.harness.corpus.replaying import without_unsearched_environments
from eagerdiff.harness.devices import parse
from eagerdiff.harness.environments import unmet
from eagerdiff.harness.execution.execution import execute
from eagerdiff.harness.model.verdict import Oracle
from eagerdiff.harness.processes.catalog_tasks import task_for
from eagerdiff.harness.search.drawing import Draw, draws
from eagerdiff.harness.sinks.file_name import module_stem
from eagerdiff.harness.triage.classification import Class, classify
from eagerdiff.reference.symbolic import EVERY
from eagerdiff.strategies.cases.symbolic import SymbolicCase
from eagerdiff.strategies.programs.cases import ProgramCase
from eagerdiff.strategies.symbolic import cases
from eagerdiff.suites.engines import NOT_EXPORTED, OPERATOR, PROGRAMS, implementations, padded
from eagerdiff.suites.symbolic import export_limit_of
from eagerdiff.suites.tests.examples import FEW
from eagerdiff.suites.tests.kept_corpora import kept_corpus

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_an_engine_says_what_it_needs_and_what_installs_it(engine: Engine, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("EAGERDIFF_CACHE", str(tmp_path))
    name = engine.packages or engine.name
    assert unmet(engine.environment) == f"needs {name}: make engines ENGINE={name}"
    pinned = engine.environment.requirements.read_text().splitlines()
    assert pinned
    assert all(line.count("==") == 1 for line in pinned)


def test_what_is_not_asked_for_is_not_searched_by_default() -> None:
    assert OPERATOR.drawing.exploratory
    assert {engine.name for engine in ENGINES} <= {one.backend for one in OPERATOR.implementations}
    assert all(one.stage is Stage.ENGINE for one in OPERATOR.implementations if one.requires.environment)


def test_what_an_engine_failed_is_run_again_by_nights_that_search_engines_alone() -> None:
    catalog, corpus = load(["engines", "symbolic"]), kept_corpus("engines")
    torchs = {one.name for one in OPERATOR.implementations if one.requires.environment is None}
    (asked,) = without_unsearched_environments([corpus], catalog, ["engines"])
    (unasked,) = without_unsearched_environments([corpus], catalog, ["symbolic"])
    assert asked.cases == corpus.cases
    assert unasked.cases == [one for one in corpus.cases if one.inputs.implementation in torchs]
    assert 0 < len(unasked.cases) < len(corpus.cases)


class Fake(Session):
    """Answer in this process, by a function of the program's tensors."""

    def __init__(self, answer: Callable[..., Any]) -> None:
        super().__init__("fake", Path(sys.executable))
        self.answer = answer

    def load(self, program: Saved) -> Artifact:
        """Say nothing of it."""
        return Artifact(self, program)

    def call(self, artifact: Artifact, tensors: Any) -> list[Tensor]:
        """Return the outputs, flat."""
        return pytree.tree_leaves(self.answer(*tensors))


FAKE = replace(ENGINES[0], unsupported=(r"no rule for (\w+)",))


def judged(monkeypatch: pytest.MonkeyPatch, answer: Callable[..., Any], variant: str, *sizes: int) -> list[Any]:
    """Judge calls of `mlp` with so many rows, under an engine that answers so."""
    monkeypatch.setattr(engines, "_session", lambda engine: Fake(answer))
    device = parse("cpu")
    device.activate()
    (one,) = [one for one in implementations(FAKE) if one.variant == variant]
    cases = [SymbolicCase(program="mlp", batch=size, seq=3, seed=size) for size in sizes]
    here = replace(one, requires=Requirements())
    return [*execute(OPERATOR, here, Workload(tuple(cases)), device).verdicts]


def test_a_right_engine_passes_and_one_that_loses_what_it_must_not_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = EVERY["mlp"].function
    stale: list[Any] = []

    def kept(*tensors: Tensor) -> Any:
        stale.append(right(*tensors))
        return stale[0] if stale[0].shape == stale[-1].shape else stale[-1]

    faults: dict[str, Callable[..., Any]] = {
        "a dim held": lambda x, *rest: right(x, *rest)[:2],
        "a tail not cut": lambda x, *rest: torch.cat((right(x, *rest), x.new_zeros(1, *x.shape[1:]))),
        "a stale artifact": kept,
        "a dtype lost": lambda *tensors: right(*tensors).double(),
        "an output lost": lambda *tensors: (),
    }
    assert {one.status for one in judged(monkeypatch, right, Shapes.NAMED, 5, 4, 4)} == {Status.PASSED}
    for name, answer in faults.items():
        verdicts = judged(monkeypatch, answer, Shapes.NAMED, 5, 4, 4, 5)
        assert any(one.failed for one in verdicts), name


def test_a_guard_that_is_lost_is_a_failure_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    right = EVERY["mlp"].function

    def refusing(x: Tensor, *rest: Tensor) -> Any:
        if not 3 <= x.size(0) <= 16:
            raise EngineError("fake", "call", "ValueError", "outside")
        return right(x, *rest)

    assert {one.status for one in judged(monkeypatch, refusing, OUTSIDE, 20, 2)} == {Status.PASSED}
    for one in judged(monkeypatch, right, OUTSIDE, 20, 2):
        assert one.status is Status.RAISED
        assert classify(one) is Class.GUARD_LOST


def test_calls_outside_of_the_bounds_are_judged_apart_from_those_within(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else what nearly every engine does there would hide whatever else fails in the same workload."""
    right = EVERY["mlp"].function
    within = judged(monkeypatch, right, Shapes.BOUNDED, 5, 16, 20, 3)
    assert [one.status for one in within] == [Status.PASSED, Status.PASSED, Status.SKIPPED, Status.PASSED]
    assert within[2].reason == "outside of the declared bounds: judged as outside"
    beyond = judged(monkeypatch, right, OUTSIDE, 5, 16, 20)
    assert [one.status for one in beyond] == [Status.SKIPPED, Status.SKIPPED, Status.RAISED]


def test_what_an_engine_does_not_capture_is_counted_by_its_words_and_anything_else_is_a_finding() -> None:
    rule = FAKE.excuse()
    assert rule.proof(None, EngineError("fake", "load", "KeyError", "no rule for roll")) == "roll"
    assert not rule.proof(None, EngineError("fake", "load", "KeyError", "cannot"))
    assert not rule.proof(None, EngineError("fake", "call", "KeyError", "no rule for roll"))
    assert not rule.proof(None, ValueError("no rule for roll"))


def test_what_an_engine_raises_is_no_failure_of_ours_also_where_it_makes_its_artifact(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(self: Fake, program: Any) -> Artifact:
        raise EngineError("fake", "load", "RuntimeError", "cannot")

    monkeypatch.setattr(Fake, "load", refuse)
    found = judged(monkeypatch, EVERY["mlp"].function, Shapes.NAMED, 5)
    assert [(one.status, one.oracle) for one in found] == [(Status.RAISED, Oracle.BUILD)]


def test_what_torch_export_refuses_is_no_finding_about_the_engine_behind_it() -> None:
    device = parse("cpu")
    device.activate()
    (one,) = [one for one in implementations(FAKE) if one.variant == Shapes.NAMED.value]
    here = replace(one, requires=Requirements())
    cases = (SymbolicCase(program="pad_to_multiple", batch=5, seq=3),)
    (verdict,) = execute(OPERATOR, here, Workload(cases), device).verdicts
    assert verdict.status is Status.SKIPPED
    assert verdict.reason.startswith("refused by torch.export: AssertionError: Cannot create Dim")
    (export,) = [one for one in OPERATOR.implementations if one.name == "export.named"]
    assert execute(OPERATOR, export, Workload(cases), device).verdicts[0].status is Status.RAISED
    proved = NOT_EXPORTED.proof(cases[0], EngineError("fake", "load", "RuntimeError", "cannot"))
    assert not proved


class Filled(torch.nn.Module):
    """Change an argument."""

    def forward(self, x: Tensor) -> Tensor:
        """Return x [N], filled."""
        return x.fill_(1.0)


def test_ways_of_an_engine_share_a_process_and_no_others_do() -> None:
    catalog = load(["engines"])
    subjects = {way: task_for(catalog, "engines", way).subject for way in catalog.implementations["engines"]}
    iree, jax = (f"iree.{way}" for way in ("named", "bounded", "outside")), ("named", "bounded", "outside", "padded")
    for ways in ([*iree], [f"jax.{way}" for way in jax], ["inductor.static"], ["aoti.named"]):
        assert [way for way, one in subjects.items() if one == subjects[ways[0]]] == ways


@settings(FEW, max_examples=100)
@given(cases(tuple(EVERY)))
def test_what_a_way_lacks_it_supports_in_no_case(case: SymbolicCase) -> None:
    for way in OPERATOR.implementations:
        if reason := way.lacks(case.program):
            assert way.unsupported(case), f"{way.name} {case.program}: {reason}"


def test_calls_of_an_artifact_that_has_bounds_are_drawn_within_them() -> None:
    """Of three sizes one call of twenty was: one turn of ten had no call at all."""
    programs = tuple(name for name, one in EVERY.items() if export_limit_of(one, strict=False) is None)
    exportable = replace(OPERATOR, cases=lambda: cases(programs))
    (way,) = (one for one in OPERATOR.implementations if one.name == "tvm.bounded")
    calls: list[SymbolicCase] = []

    @settings(FEW, max_examples=100)
    @given(draws(exportable, way))
    def draw(drawn: Draw) -> None:
        assert drawn.workload is not None
        assert not drawn.unsupported
        calls.extend(drawn.workload.cases)

    draw()
    assert {3, 16} <= {call.batch for call in calls}
    assert len({call.program for call in calls}) > len(programs) / 3


def test_a_program_that_only_one_way_lacks_is_met_by_the_others() -> None:
    ways = {way.name: way for way in OPERATOR.implementations}
    assert ways["inductor.unbacked"].lacks("branch_on_length")
    assert ways["jax.padded"].lacks("append_cache")
    for way in ("inductor.dynamic", "torchscript.script"):
        assert not any(ways[way].lacks(program) for program in EVERY), way


def test_a_program_that_changes_its_argument_is_not_handed_over() -> None:
    program = torch.export.export(Filled(), (torch.zeros(3),))
    with pytest.raises(NotHandedOver, match="the program changes its argument x") as raised:
        FAKE.path().load(program, (torch.zeros(3),))
    assert FAKE.copies().proof(None, raised.value) == str(raised.value)
    assert not FAKE.copies().proof(None, ValueError("the program changes"))


def test_drawn_programs_are_handed_over_where_an_engine_can_have_them() -> None:
    one = next(one for one in PROGRAMS.implementations if one.backend == "onnxruntime")
    plain = ProgramCase.model_validate({"program": PLAIN, "sizes": {"a": 3}})
    assert one.supports(plain) is None
    for changed, reason in (
        ({"gradients": True}, "an engine's artifact has no backward"),
        (
            {"inputs": [{**PLAIN["inputs"][0], "dtype": "bfloat16"}]},
            "bfloat16: tensors go through numpy, which has none",
        ),
    ):
        case = ProgramCase.model_validate({"program": {**PLAIN, **changed}, "sizes": {"a": 3}})
        assert one.supports(case) == f"not handed over: {reason}"


PLAIN: dict[str, Any] = {
    "inputs": [{"kind": "tensor", "dtype": "float32", "shape": ["a"]}],
    "nodes": [{"op": "relu", "args": [0], "attrs": {}}],
    "outputs": [1],
    "gradients": False,
}


def test_a_dtype_that_cannot_be_handed_over_is_left_out_with_the_reason() -> None:
    (one,) = [one for one in implementations(ENGINES[0]) if one.variant == Shapes.NAMED.value]
    assert one.supports(SymbolicCase(program="mlp", batch=5, dtype="bfloat16")) is not None
    assert one.supports(SymbolicCase(program="mlp", batch=5, dtype="float16")) is None


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_an_engine_that_is_here_is_right_where_it_is_simple(engine: Engine) -> None:
    if reason := unmet(engine.environment):
        pytest.skip(reason)
    device = parse("cpu")
    device.activate()
    one = implementations(engine)[0]
    cases = [SymbolicCase(program="mlp", batch=size, seq=3, seed=size) for size in (5, 3, 9)]
    assert {verdict.status for verdict in execute(OPERATOR, one, Workload(tuple(cases)), device).verdicts} == {
        Status.PASSED
    }


def test_an_environment_is_of_its_requirements(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EAGERDIFF_CACHE", str(tmp_path / "cache"))
    (tmp_path / "own.txt").write_text("")
    own = Environment("own", tmp_path / "own.txt", "make own")
    assert python_of_environment(own) is None
    python = install_environment(own)
    assert python_of_environment(own) == python
    assert install_environment(own) == python
    (tmp_path / "own.txt").write_text("no-such-package-of-anybody==1.0\n")
    assert python_of_environment(own) is None


def test_an_environment_that_cannot_import_what_it_is_for_is_not_there(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("EAGERDIFF_CACHE", str(tmp_path / "cache"))
    (tmp_path / "own.txt").write_text("")
    own = Environment("own", tmp_path / "own.txt", "make own", modules=("json", "no_such_module"))
    with pytest.raises(InstallationError, match=r"^own is installed, but cannot import no_such_module: ModuleNotFound"):
        install_environment(own)
    assert python_of_environment(own) is None


@pytest.mark.parametrize("variant", ["trace", "script"])
def test_torchscript_is_right_where_it_is_simple_and_a_trace_keeps_the_branch_of_its_example(variant: str) -> None:
    device = parse("cpu")
    device.activate()
    (one,) = [one for one in OPERATOR.implementations if one.name == f"torchscript.{variant}"]
    cases = [SymbolicCase(program="branch_on_length", batch=size, seed=size) for size in (5, 1, 9, 33)]
    found = [verdict.status for verdict in execute(OPERATOR, one, Workload(tuple(cases)), device).verdicts]
    longest = Status.WRONG_VALUE if variant == "trace" else Status.PASSED
    assert found == [Status.PASSED, Status.PASSED, Status.PASSED, longest]


KEPT = {module_stem(str(entry.name)) for entry in kept_corpus("engines").cases}
"""Scripts that a campaign wrote; the others are by hand."""
SCRIPTS = sorted(
    path for path in (ROOT / "suites" / "corpus" / "scripts" / "engines").glob("*.py") if path.stem not in KEPT
)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_defects_script_is_short_says_what_it_needs_and_fails_where_the_engine_is(script: Path) -> None:
    text = script.read_text()
    assert len(text.splitlines()) <= 40
    assert "eagerdiff" not in text
    (name,) = re.findall(r"make engines ENGINE=(\w+)\.$", text, re.MULTILINE)
    (environment,) = {engine.environment for engine in ENGINES if engine.environment.name == name}
    ended = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout[:6], ended.stderr) == (2, "needs ", "")
    if (python := python_of_environment(environment)) is not None:
        assert subprocess.run([str(python), str(script)], capture_output=True, check=False).returncode == 1


def test_another_release_of_an_engine_is_another_revision(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What was judged right under one is judged again under the next."""
    (one,) = [one for one in OPERATOR.implementations if one.name == "tvm.named"]
    (tmp_path / "tvm.txt").write_text("apache-tvm==0.28.0\n")
    newer = replace(one, requires=Requirements(environment=Environment("tvm", tmp_path / "tvm.txt", "make engines")))
    told, then = (revision(OPERATOR, each, load()) for each in (one, newer))
    assert told.startswith("tvm ")
    assert then.startswith("tvm ")
    assert told != then


def test_a_padded_way_has_an_artifact_a_bucket_and_gives_what_is_asked() -> None:
    shapes: set[tuple[int, ...]] = set()

    def build(case: SymbolicCase) -> Callable[..., torch.Tensor]:
        def call(*args: torch.Tensor, program: str) -> torch.Tensor:
            shapes.add(tuple(args[0].shape))
            return EVERY[program].function(*args)

        return call

    named = next(one for one in OPERATOR.implementations if one.name == "jax.named")
    way = padded(replace(named, build=build))
    calls = [SymbolicCase(program="mlp", batch=batch, seed=batch) for batch in (1, 3, 7, 8, 9, 16, 17)]
    function = way.build(calls[0])
    for case in calls:
        given = OPERATOR.inputs(case, "cpu")
        torch.testing.assert_close(function(*given.args, **given.options), EVERY["mlp"].function(*given.args))
    assert sorted(shape[0] for shape in shapes) == [8, 16, 32]
    refused = way.supports(SymbolicCase(program="nonzero_positions", batch=3))
    assert refused is not None
    assert refused.startswith("not padded: ")
    assert {one.name for one in OPERATOR.implementations if one.variant == "padded"} == {
        "jax.padded",
        "torch_xla.padded",
    }
