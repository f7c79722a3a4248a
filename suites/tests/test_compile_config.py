"""Variants of the ways of compiling: right, as often compiled as the model says, and able to fail."""

import importlib
import itertools
import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from torch._dynamo import config as dynamo_config
from torch._dynamo.exc import TorchDynamoException
from torch._dynamo.utils import counters
from torch._inductor import config as inductor_config

from eagerdiff import Inputs, Mode, Status, Workload
from eagerdiff.compiled.backend import AOT_DECOMP, BACKENDS, DYNAMO, INDUCTOR, Backend
from eagerdiff.compiled.caching import GraphCaches
from eagerdiff.compiled.compile_config import CompileConfig
from eagerdiff.compiled.inductor_settings import DEFAULT, OTHERS, covering, drawn, fewer, pairwise
from eagerdiff.compiled.torch_compile import Compilable
from eagerdiff.compiled.variant import (
    BOUNDED,
    CONFIGURED,
    HINTED,
    NESTED,
    OBLIVIOUS,
    ONCE,
    REPEATED,
    UNBACKED_BOUNDED,
    UNNAMED,
    VARIANTS,
    Variant,
)
from eagerdiff.harness import devices
from eagerdiff.harness.execution.execution import execute
from eagerdiff.harness.ledger import expected, signature
from eagerdiff.strategies import symbolic_inputs
from eagerdiff.strategies.cases.symbolic import SymbolicCase
from eagerdiff.suites.symbolic import OPERATOR

fx_config: Any = importlib.import_module("torch.fx.experimental._config")
CPU = devices.parse("cpu")
IMPLEMENTATIONS = {one.name: one for one in OPERATOR.implementations}
DIMS = {0: {0: "batch"}, "y": {0: "batch"}}
WITH_SETTINGS = [backend for backend in BACKENDS if backend.settings]
BATCHES = (7, 16, 33, 1, 0)
SMALL = settings(
    max_examples=12,
    deadline=None,
    database=None,
    phases=(Phase.generate,),
    suppress_health_check=[HealthCheck.too_slow],
)


@pytest.fixture(autouse=True)
def activated() -> Iterator[None]:
    CPU.activate()
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


def scaled_sum(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return x * 2.0 + y


def two_sums(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return x.sum() + y.sum()


def config(variant: Variant, **fields: Any) -> CompileConfig:
    fields = {"backend": DYNAMO, "mode": variant.mode, "dims": DIMS, "variant": variant, **fields}
    return CompileConfig(**fields)


def graphs(compiled: Callable[..., Any], function: Any = scaled_sum, batches: tuple[int, ...] = BATCHES) -> int:
    """Call over the batches, compare with eager, return the number of graphs."""
    counters.clear()
    for batch in batches:
        x, y = torch.randn(batch, 4), torch.randn(batch, 4)
        torch.testing.assert_close(compiled(x, y=y), function(x, y=y))
    return counters["stats"]["unique_graphs"]


COUNTED = [
    (BOUNDED, 3),
    (UNBACKED_BOUNDED, 1),
    (HINTED, 1),
    (UNNAMED, 1),
    (OBLIVIOUS, 1),
    (ONCE, 1),
    (REPEATED, 3),
]


@pytest.mark.parametrize(("variant", "count"), COUNTED)
def test_a_variant_is_right_and_compiles_as_often_as_it_says(variant: Variant, count: int) -> None:
    assert graphs(config(variant).compile(scaled_sum)) == count


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda one: f"{one.mode}+{one.name}")
def test_source_does_the_same(variant: Variant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))  # which scripts set too
    fullgraph = variant is not NESTED
    source = config(variant, fullgraph=fullgraph).source()
    scope: dict[str, Any] = {"torch": torch, "reference": scaled_sum}
    names = ("capture_scalar_outputs", "capture_dynamic_output_shape_ops", *variant.dynamo)
    oblivious = fx_config.patch(backed_size_oblivious=False)
    with dynamo_config.patch({name: getattr(dynamo_config, name) for name in names}), oblivious:
        exec(source, scope)
        found = graphs(scope["implementation"])
    caches = GraphCaches() if variant.caching else None
    assert found == graphs(config(variant, fullgraph=fullgraph).compile(scaled_sum, caches))
    assert all(f"{name}={value}" in source for name, value in variant.marks.items())


def test_settings_stay_inside_a_call() -> None:
    compiled = config(replace(OBLIVIOUS, dynamo={"nested_graph_breaks": True})).compile(scaled_sum)
    graphs(compiled)
    assert not fx_config.backed_size_oblivious
    assert not dynamo_config.nested_graph_breaks
    assert torch._dynamo.eval_frame._stance.stance == "default"


@pytest.mark.parametrize(
    ("marks", "mode", "size"),
    [({"min": 2, "max": 64}, Mode.MARK_DYNAMIC, 65), ({"min": 0, "max": 64}, Mode.UNBACKED, 65)],
)
def test_declared_bounds_are_enforced(marks: dict[str, int], mode: Mode, size: int) -> None:
    """Where the size does not keep to them, nothing comes out: for `mark_dynamic`, marked as if it did."""
    logging.disable(logging.CRITICAL)
    compiled = torch.compile(scaled_sum, backend="eager")
    mark: Any = torch._dynamo.mark_dynamic if mode == Mode.MARK_DYNAMIC else torch._dynamo.decorators.mark_unbacked
    try:
        for batch in (7, size):
            x, y = torch.ones(batch, 4), torch.ones(batch, 4)
            mark(x, 0, **marks)
            mark(y, 0, **marks)
            if batch == size:
                with pytest.raises((RuntimeError, AssertionError, TorchDynamoException)):
                    compiled(x, y)
            else:
                compiled(x, y)
    finally:
        logging.disable(logging.NOTSET)


@pytest.mark.parametrize("mode", [Mode.OBLIVIOUS, Mode.ONCE], ids=str)
@SMALL
@given(data=st.data())
def test_the_model_is_exact(mode: Mode, data: st.DataObject) -> None:
    choices = st.lists(st.sampled_from((0, 1, 2, 3, 4, 5, 8)), min_size=1, max_size=4, unique=True)
    sizes = data.draw(st.lists(choices.map(st.sampled_from), min_size=1, max_size=3))
    pair = st.tuples(st.tuples(*sizes), st.tuples(*sizes))
    calls = [(torch.zeros(one), torch.zeros(other)) for one, other in data.draw(st.lists(pair, min_size=2, max_size=7))]
    signatures = [signature(Inputs(args)) for args in calls]
    torch._dynamo.reset()
    counters.clear()
    compiled = CompileConfig(backend=DYNAMO, mode=mode, dims={}).compile(two_sums)
    compiling: list[int] = []
    for index, args in enumerate(calls):
        before = counters["stats"]["unique_graphs"]
        compiled(*args)
        compiling += [index] * (counters["stats"]["unique_graphs"] - before)
    assert tuple(compiling) == expected(mode, signatures).calls


def test_nested_breaks_cost_one_frame_less() -> None:
    def broken(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        z = x + y
        torch._dynamo.graph_break()
        return z * 2

    def frames(variant: Variant) -> int:
        compiled = config(variant, fullgraph=False).compile(broken)
        return graphs(compiled, broken, (7,))

    metrics = torch._dynamo.utils.get_compilation_metrics
    counts: list[int] = []
    for variant in (NESTED, replace(NESTED, dynamo={})):
        torch._dynamo.utils.clear_compilation_metrics()
        assert frames(variant) == 2
        counts.append(len([one for one in metrics() if one.co_name]))
    assert counts[0] < counts[1]


def fitting(program: str, batch: int, seq: int, **fields: Any) -> SymbolicCase:
    spec = symbolic_inputs.PROGRAMS[program]
    return SymbolicCase(program=program, batch=batch, seq=seq, count=spec.counts(batch, seq)[1], **fields)


def workload(program: str, seed: int = 0) -> Workload:
    return Workload(
        tuple(fitting(program, batch, seq, seed=seed + batch) for batch, seq in ((7, 9), (17, 3), (1, 2), (4, 4)))
    )


EXECUTED = [
    "aot_eager.mark_dynamic+bounded",
    "aot_eager.unbacked+bounded",
    "aot_eager.unbacked+unnamed",
    "aot_eager.oblivious",
    "aot_eager.dynamic+repeated",
    "aot_decomp.dynamic",
    "dynamo.once",
]


@pytest.mark.parametrize("name", EXECUTED)
@pytest.mark.parametrize("program", ["softmax_pool", "append_cache", "select_and_scale"])
def test_programs_are_right_and_within_the_model(name: str, program: str) -> None:
    outcome = execute(OPERATOR, IMPLEMENTATIONS[name], workload(program), CPU, relations=False)
    assert outcome.first_failure is None
    assert [verdict.status for verdict in outcome.verdicts] == [Status.PASSED] * 4
    assert not outcome.compile_note


def test_nested_graph_breaks_are_right() -> None:
    outcome = execute(
        OPERATOR, IMPLEMENTATIONS["dynamo.automatic+nested"], workload("early_exit"), CPU, relations=False
    )
    assert outcome.first_failure is None
    assert "no graph break" in (IMPLEMENTATIONS["dynamo.automatic+nested"].supports(workload("mlp").cases[0]) or "")


def test_a_way_that_goes_on_compiling_is_over() -> None:
    planted = replace(IMPLEMENTATIONS["dynamo.dynamic"], mode=Mode.ONCE, max_compiles=None)
    outcome = execute(OPERATOR, planted, workload("softmax_pool"), CPU, relations=False)
    assert outcome.workload.status is Status.OVER_BUDGET


def test_a_wrong_guard_shows_under_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stance is reached only where no guard accepts: code kept for the wrong size must still be caught."""
    call = CompileConfig._call_marked
    kept: list[Any] = []

    def baked(self: CompileConfig, compiled: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        kept.append(call(self, compiled, args, options))
        return kept[0]

    monkeypatch.setattr(CompileConfig, "_call_marked", baked)
    outcome = execute(OPERATOR, IMPLEMENTATIONS["dynamo.once"], workload("softmax_pool"), CPU, relations=False)
    assert [verdict.failed for verdict in outcome.verdicts] == [False, True, True, True]


SCALED = Compilable(operator="symbolic", function=lambda case: scaled_sum)


def test_variants_are_few() -> None:
    names = [one.name for one in SCALED.implementations(variants=VARIANTS)]
    assert len(names) == len(set(names))
    assert sum(len(one.backends) for one in VARIANTS) <= 30
    assert "inductor_triton.dynamic+config" in names
    only = SCALED.implementations(variants=(CONFIGURED,), backends=(INDUCTOR,), modes=())
    assert [one.name for one in only] == ["inductor.dynamic+config"]


def test_options_reach_inductor_and_its_decompositions() -> None:
    random = {"fallback_random": True}
    assert config(CONFIGURED, backend=INDUCTOR, inductor=random).settings["options"]["fallback_random"]
    decomposed = config(CONFIGURED, backend=AOT_DECOMP, inductor=random)
    assert decomposed.config["torch._inductor.config"] == random
    assert "torch._inductor.config.fallback_random = True" in decomposed.source()

    def noisy(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.rand_like(x) + y

    compiled = decomposed.compile(noisy)
    results: list[torch.Tensor] = []
    for function in (compiled, noisy):
        torch.manual_seed(0)
        results.append(function(torch.zeros(5, 4), y=torch.zeros(5, 4)))
    assert torch.equal(*results)


@pytest.mark.parametrize("backend", WITH_SETTINGS, ids=lambda backend: backend.name)
def test_any_two_settings_meet(backend: Backend) -> None:
    known = {**OTHERS, **backend.settings}
    sets = covering(backend)
    assert sets[0] == {}
    assert len(sets) <= 20
    for one, other in itertools.combinations(known, 2):
        met = {(row.get(one, DEFAULT), row.get(other, DEFAULT)) for row in sets}
        assert met == set(itertools.product((DEFAULT, *known[one]), (DEFAULT, *known[other])))


def test_pairwise_is_a_product_of_two() -> None:
    assert len(pairwise({"a": (0, 1), "b": (0, 1, 2)})) == 6


@pytest.mark.parametrize("backend", WITH_SETTINGS, ids=lambda backend: backend.name)
def test_no_setting_is_at_its_default(backend: Backend) -> None:
    defaults = inductor_config.get_config_copy()
    for name, values in {**OTHERS, **backend.settings}.items():
        assert defaults[name] not in values


def test_settings_are_drawn_by_the_seed_and_written_down() -> None:
    case = fitting("mlp", 3, 4, seed=len(covering(INDUCTOR)) + 1)
    source = IMPLEMENTATIONS["inductor.dynamic+config"].source
    assert source is not None
    assert drawn(INDUCTOR, case.seed) == covering(INDUCTOR)[1]
    assert all(f"{name!r}: {value!r}" in source(case) for name, value in drawn(INDUCTOR, case.seed).items())
    assert "pattern_matcher" not in source(case.model_copy(update={"seed": 0}))


def test_drawn_settings_are_right() -> None:
    outcome = execute(OPERATOR, IMPLEMENTATIONS["inductor.dynamic+config"], Workload(workload("mlp", 1).cases[:2]), CPU)
    assert outcome.first_failure is None


@given(st.sets(st.sampled_from(sorted(OTHERS)), max_size=3))
@settings(max_examples=60, deadline=None)
def test_fewer_settings_end_at_those_to_blame(guilty: set[str]) -> None:
    kept: tuple[str, ...] | None = None
    asked = 0

    def fails(chosen: tuple[str, ...]) -> bool:
        nonlocal asked
        asked += 1
        return guilty <= set(chosen)

    while (smaller := next(filter(fails, fewer(kept)), None)) is not None:
        kept = smaller
    assert kept is not None
    assert set(kept) == guilty
    assert asked <= 150
