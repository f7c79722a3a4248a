"""Adapters of third parties' experts and routing: what they pass on and skip; a wrong kernel is caught."""

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from eagerdiff import Case, Implementation, Requirements, Status, Verdict, Workload
from eagerdiff.compiled.adapters import moe as experts
from eagerdiff.compiled.adapters import moe_routing as routers
from eagerdiff.compiled.adapters.moe import deep_gemm, liger, megablocks, scattermoe
from eagerdiff.compiled.adapters.moe import vllm as vllm_experts
from eagerdiff.compiled.adapters.moe_routing import triton_kernels
from eagerdiff.compiled.adapters.moe_routing import vllm as vllm_router
from eagerdiff.harness.catalog.requirements import unmet
from eagerdiff.harness.devices import Device, parse
from eagerdiff.harness.execution.execution import execute
from eagerdiff.harness.processes import Task, Worker
from eagerdiff.strategies.cases.moe import MoeCase
from eagerdiff.strategies.cases.moe_routing import MoeRoutingCase
from eagerdiff.suites.moe import OPERATOR as MOE
from eagerdiff.suites.moe_routing import OPERATOR as MOE_ROUTING
from eagerdiff.suites.tests.examples import CHOOSY
from eagerdiff.suites.tests.third_party_moe import packages

FEW = settings(CHOOSY, max_examples=8)
BY_NAME: Mapping[str, Implementation] = {one.name: one for one in (*experts.IMPLEMENTATIONS, *routers.IMPLEMENTATIONS)}
TREES = {name: one.requires.source_tree for name, one in BY_NAME.items() if one.requires.source_tree is not None}
Adapter = Callable[[dict[str, Any]], Callable[..., Any]]
ADAPTERS: dict[str, Adapter] = {
    "deep_gemm.grouped": lambda of: deep_gemm.adapt(of["deep_gemm"]),
    "liger.fused_moe": lambda of: liger.adapt(of["liger"]),
    "megablocks.sparse": lambda of: megablocks.adapt(of["megablocks"], of["stk"], of["stk"]),
    "scattermoe.parallel_linear": lambda of: scattermoe.adapt(of["scattermoe"]),
    "triton_kernels.routing": lambda of: triton_kernels.adapt(of["triton_kernels"]),
    "vllm.fused_experts": lambda of: vllm_experts.adapt(of["vllm.fused_experts"]),
    "vllm.grouped_topk": lambda of: vllm_router.adapt(of["vllm.grouped_topk"]),
}
"""Each over a stand-in for its package."""


@pytest.fixture(scope="module")
def device() -> Device:
    found = parse("cpu")
    found.activate()
    return found


def operator_of(name: str) -> Any:
    return MOE if BY_NAME[name].operator == "moe" else MOE_ROUTING


def judge(device: Device, name: str, case: Case, spoil: float = 1.0) -> Verdict:
    """Run an adapter over a stand-in, on the processor."""
    adapted = replace(
        BY_NAME[name],
        build=lambda case: ADAPTERS[name](packages(spoil)),
        devices=("cpu",),
        requires=Requirements(),
    )
    (verdict,) = execute(operator_of(name), adapted, Workload.of(case), device).verdicts
    return verdict


def test_every_adapter_has_a_stand_in() -> None:
    assert set(ADAPTERS) == set(BY_NAME)
    for name in BY_NAME:
        assert name in {one.name for one in operator_of(name).implementations}


FEATURES: dict[str, dict[str, dict[str, Any]]] = {
    "moe": {
        "float32": {"dtype": "float32"},
        "GeGLU": {"activation": "geglu"},
        "nothing gated": {"activation": "relu2"},
        "biases": {"expert_bias": True},
        "weights before": {"weight_first": True},
        "fp8 weights": {"weight_dtype": "float8_e4m3fn"},
        "int4 weights": {"weight_dtype": "int4", "scale_block": 32},
        "experts elsewhere": {"experts_elsewhere": 1},
        "x with gaps": {"x_layout": "row_padded"},
        "weights with gaps": {"weight_layout": "row_padded"},
        "transposed weights": {"weight_layout": "transposed"},
        "dropped routes": {"expert_tokens": (4, 0, 3, 2)},
        "a shared expert": {"shared_intermediate": 16},
    },
    "moe_routing": {
        "softmax of the chosen": {"scoring": "topk_softmax"},
        "softmax of all": {"renormalize": False},
        "sigmoid": {"scoring": "sigmoid"},
        "a bias": {"biased": True, "scoring": "sigmoid"},
        "groups": {"num_groups": 4, "kept_groups": 2},
        "three experts": {"top_k": 3},
        "masked experts": {"masked": 0.3},
        "tokens without experts": {"padding_tokens": 1},
        "NaN": {"nan_tokens": 1},
        "a capacity": {"limited": True, "capacity": 3},
        "experts elsewhere": {"local": True, "local_experts": 5},
        "hashes": {"way": "hashed"},
    },
}
_OF_ALL = {"GeGLU", "nothing gated", "x with gaps", "weights with gaps", "dropped routes", "a shared expert"}
TAKEN = {
    "deep_gemm.grouped": _OF_ALL,
    "liger.fused_moe": _OF_ALL - {"GeGLU", "nothing gated"} | {"transposed weights"},
    "megablocks.sparse": _OF_ALL | {"transposed weights"},
    "scattermoe.parallel_linear": _OF_ALL | {"transposed weights", "biases"},
    "vllm.fused_experts": _OF_ALL - {"x with gaps"} | {"biases", "weights before", "int4 weights", "experts elsewhere"},
    "triton_kernels.routing": {"softmax of the chosen", "softmax of all", "masked experts"},
    "vllm.grouped_topk": {"softmax of all", "sigmoid", "a bias", "groups", "three experts"},
}


def plain(name: str, **fields: Any) -> Case:
    """Return a case that an adapter takes, with what `fields` ask besides."""
    routing: dict[str, Any] = {"num_experts": 16, "top_k": 2, "tokens": 7, "seed": 3}
    if BY_NAME[name].operator == "moe_routing":
        return MoeRoutingCase(**routing | fields)
    layer: dict[str, Any] = {"dtype": "bfloat16", "num_experts": 4, "top_k": 2, "hidden": 64, "intermediate": 32}
    tokens: dict[str, Any] = {"tokens": 7, "expert_tokens": (6, 0, 5, 3), "seed": 3, "poison": False}
    return MoeCase(**layer | tokens | fields)


@pytest.mark.parametrize("name", ADAPTERS)
def test_a_wrong_kernel_is_caught(device: Device, name: str) -> None:
    assert judge(device, name, plain(name)).status is Status.PASSED
    verdict = judge(device, name, plain(name), spoil=1.1)
    output = "" if BY_NAME[name].operator == "moe" else "[0]"
    assert (verdict.status, verdict.output) == (Status.WRONG_VALUE, output)


@pytest.mark.parametrize("name", ADAPTERS)
def test_the_features_that_are_taken_are_these(name: str) -> None:
    features, supports = FEATURES[BY_NAME[name].operator], BY_NAME[name].supports
    assert {one for one, fields in features.items() if supports(plain(name, **fields)) is None} == TAKEN[name]


@pytest.mark.parametrize("name", ADAPTERS)
def test_arguments_are_passed_on_as_the_third_party_documents_them(device: Device, name: str) -> None:
    features, cases_like = FEATURES[BY_NAME[name].operator], operator_of(name).drawing.workload_cases

    @given(st.sampled_from(sorted(TAKEN[name])), st.data())
    @FEW
    def passes(feature: str, data: st.DataObject) -> None:
        drawn = cases_like(plain(name, **features[feature])).filter(lambda one: BY_NAME[name].supports(one) is None)
        verdict = judge(device, name, data.draw(drawn))
        assert verdict.status in (Status.PASSED, Status.SKIPPED), verdict

    passes()


@pytest.mark.parametrize("name", ["liger.fused_moe", "scattermoe.parallel_linear", "megablocks.sparse"])
def test_nan_of_a_route_that_is_not_there_is_declined(device: Device, name: str) -> None:
    verdict = judge(device, name, plain(name, expert_tokens=(2, 0, 2, 0), padding_tokens=3, poison=True))
    assert (verdict.status, verdict.reason) == (
        Status.SKIPPED,
        "a route that is not there is one of weight 0 here, which NaN survives",
    )


@pytest.mark.parametrize("name", ADAPTERS)
def test_what_is_absent_is_skipped_with_the_reason(monkeypatch: pytest.MonkeyPatch, device: Device, name: str) -> None:
    for tree in TREES.values():
        monkeypatch.delenv(tree.variable, raising=False)
    requires = BY_NAME[name].requires
    package = requires.source_tree.package if requires.source_tree else requires.packages[0]
    reason = unmet(requires, parse(BY_NAME[name].devices[0]))
    if reason is None:
        pytest.skip(f"{package} is installed here")
    assert f"needs {package}" in reason
    anywhere = replace(BY_NAME[name], devices=("cpu",))
    (verdict,) = execute(operator_of(name), anywhere, Workload.of(plain(name)), device).verdicts
    assert (verdict.status, verdict.reason) == (Status.SKIPPED, reason)


def test_routes_are_aligned_by_vllms_rules() -> None:
    """As its own documentation has it: ids that are no expert's are in no block."""
    ids = torch.tensor([[2, 3, 4], [1, 2, 4], [1, 3, 4], [1, 2, 3]])
    sorted_ids, expert_ids, total = torch.empty(28).int(), torch.empty(7).int(), torch.empty(1).int()
    vllm_experts._align(ids, 4, 4, sorted_ids, expert_ids, total, None, None)
    assert sorted_ids[:12].tolist() == [3, 6, 9, 12, 0, 4, 10, 12, 1, 7, 11, 12]
    assert (expert_ids.tolist(), int(total)) == ([1, 2, 3, -1, -1, -1, -1], 12)
    vllm_experts._align(ids, 4, 4, sorted_ids, expert_ids, total, torch.tensor([-1, 1, -1, 0]).int(), None)
    assert sorted_ids[:8].tolist() == [1, 7, 11, 12, 3, 6, 9, 12]
    assert (expert_ids.tolist(), int(total)) == ([0, 1, -1, -1, -1, -1, -1], 8)


@pytest.mark.parametrize("name", TREES)
def test_the_real_kernel_runs_where_its_source_is(name: str) -> None:
    if TREES[name].variable not in os.environ:
        pytest.skip(f"{TREES[name].variable} is not set")
    task = Task(operator=BY_NAME[name].operator, implementation=name, workload=Workload.of(plain(name)).to_data())
    on = "interpreted" if "interpreted" in BY_NAME[name].devices else "cpu"
    with Worker(on) as worker:
        outcome = worker.run(task)
    # scattermoe leaves masked lanes undefined, and says NaN there (docs/findings.md).
    right = [Status.WRONG_VALUE] if name.startswith("scattermoe") else [Status.PASSED]
    assert [verdict.status for verdict in outcome.verdicts] == right
    assert outcome.launches > 0 or on == "cpu"
