"""Adapters of third parties' kernels: what they pass on, what they skip and why; a wrong kernel is still caught."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from eagerdiff import Declined, Implementation, Requirements, SourceTree, Status, Verdict, Workload
from eagerdiff.compiled.adapters.paged_attention import IMPLEMENTATIONS, conch, flash_attn, flashinfer, sglang, vllm
from eagerdiff.harness.catalog.requirements import unmet
from eagerdiff.harness.devices import Device, parse
from eagerdiff.harness.execution.execution import execute
from eagerdiff.harness.processes import Task, Worker
from eagerdiff.strategies.cases.paged_attention import PagedAttentionCase
from eagerdiff.strategies.paged_attention import cases_like
from eagerdiff.suites.paged_attention import OPERATOR
from eagerdiff.suites.tests.examples import CHOOSY
from eagerdiff.suites.tests.third_party import packages

FEW = settings(CHOOSY, max_examples=12)
BY_NAME = {implementation.name: implementation for implementation in IMPLEMENTATIONS}
TREES = {name: one.requires.source_tree for name, one in BY_NAME.items() if one.requires.source_tree is not None}
Adapter = Callable[[dict[str, Any]], Callable[..., Any]]
ADAPTERS: dict[str, Adapter] = {
    "conch.paged": lambda of: conch.adapt_paged(of["conch.paged"]),
    "conch.varlen": lambda of: conch.adapt_varlen(of["conch.varlen"]),
    "flash_attn.varlen": lambda of: flash_attn.adapt_two(of["flash_attn"]),
    "flash_attn_3.kvcache": lambda of: flash_attn.adapt_three(of["flash_attn_3"]),
    "flashinfer.paged": lambda of: flashinfer.adapt(of["flashinfer"]),
    "sglang.decode": lambda of: sglang.adapt_decode(of["sglang.decode"]),
    "sglang.extend": lambda of: sglang.adapt_extend(of["sglang.extend"], unified=False),
    "sglang.extend_unified": lambda of: sglang.adapt_extend(of["sglang.extend"], unified=True),
    "vllm.unified": lambda of: vllm.adapt(of["vllm"], segmented=False),
    "vllm.unified_segments": lambda of: vllm.adapt(of["vllm"], segmented=True),
}
"""Each over a stand-in for its package."""


@pytest.fixture(scope="module")
def device() -> Device:
    found = parse("cpu")
    found.activate()
    return found


@pytest.fixture
def absent(monkeypatch: pytest.MonkeyPatch) -> None:
    for tree in TREES.values():
        monkeypatch.delenv(tree.variable, raising=False)


def judge(device: Device, name: str, workload: Workload, spoil: float = 1.0) -> list[Verdict]:
    """Run an adapter over a stand-in, on the processor."""
    adapted = replace(
        BY_NAME[name],
        build=lambda case: ADAPTERS[name](packages(spoil)),
        devices=("cpu",),
        requires=Requirements(),
    )
    return execute(OPERATOR, adapted, workload, device).verdicts


def test_every_adapter_has_a_stand_in() -> None:
    assert set(ADAPTERS) == set(BY_NAME)
    assert all(implementation in OPERATOR.implementations for implementation in IMPLEMENTATIONS)


@pytest.mark.parametrize("name", ADAPTERS)
def test_a_wrong_kernel_is_caught_whatever_it_omits(device: Device, name: str) -> None:
    case = plain(name)
    assert [verdict.status for verdict in judge(device, name, Workload.of(case))] == [Status.PASSED]
    (verdict,) = judge(device, name, Workload.of(case), spoil=1.5)
    assert (verdict.status, verdict.output) == (Status.WRONG_VALUE, "[0]")


FEATURES: dict[str, dict[str, Any]] = {
    "windows": {"windowed": True, "window": 7},
    "soft caps": {"soft_capped": True, "soft_cap": 5.0},
    "sinks": {"sinks": True},
    "ALiBi": {"alibi": True},
    "no causality": {"causal": False},
    "an fp8 cache": {"cache_dtype": "float8_e4m3fn", "scales": "tensor"},
    "a latent cache": {"cache_layout": "latent", "value_dim": 32, "num_kv_heads": 1},
    "a tree": {"tree": True},
    "an output of the caller": {"output": "strided"},
}
TAKEN = {
    "conch.paged": {"soft caps", "no causality", "an fp8 cache", "an output of the caller"},
    "conch.varlen": {"soft caps", "no causality", "an fp8 cache", "an output of the caller"},
    "flash_attn.varlen": {"windows", "soft caps", "ALiBi", "no causality", "an output of the caller"},
    "flash_attn_3.kvcache": {"windows", "soft caps", "no causality", "an output of the caller"},
    "flashinfer.paged": {
        "windows", "soft caps", "no causality", "an fp8 cache", "a tree", "an output of the caller",
    },
    "sglang.decode": {"windows", "soft caps", "sinks", "no causality", "a latent cache", "an output of the caller"},
    "sglang.extend": set(FEATURES) - {"ALiBi", "an fp8 cache"},
    "sglang.extend_unified": set(FEATURES) - {"ALiBi", "an fp8 cache"},
    "vllm.unified": set(FEATURES) - {"a latent cache"},
    "vllm.unified_segments": set(FEATURES) - {"a latent cache"},
}  # fmt: skip


def plain(name: str, **fields: Any) -> PagedAttentionCase:
    """Return a case that an adapter takes, two requests that decode, with what `fields` ask besides."""
    shape: dict[str, Any] = {"dtype": "float16", "head_dim": 64, "group": 2, "num_splits": 3, "fused_query": True}
    lengths: dict[str, Any] = {"context_lens": (40, 9), "query_lens": (1, 1)}
    return PagedAttentionCase(**shape, **lengths, **fields, block_size=256 if name == "flash_attn.varlen" else 16)


@pytest.mark.parametrize("name", ADAPTERS)
def test_the_features_that_are_taken_are_these(name: str) -> None:
    def is_taken(feature: str) -> bool:
        case = plain(name, **FEATURES[feature])
        if feature == "a tree":
            case = case.model_copy(update={"context_lens": (40,), "query_lens": (1,)})
        return BY_NAME[name].supports(case) is None

    assert {feature for feature in FEATURES if is_taken(feature)} == TAKEN[name]


@pytest.mark.parametrize("name", ADAPTERS)
def test_arguments_are_passed_on_as_the_third_party_documents_them(device: Device, name: str) -> None:
    @given(st.sampled_from(sorted(TAKEN[name])), st.data())
    @FEW
    def passes(feature: str, data: st.DataObject) -> None:
        drawn = cases_like(plain(name, **FEATURES[feature])).filter(lambda one: BY_NAME[name].supports(one) is None)
        (verdict,) = judge(device, name, Workload.of(data.draw(drawn)))
        assert verdict.status is Status.PASSED, verdict

    passes()


def test_splits_reach_the_kernels_that_take_them() -> None:
    query = torch.zeros(3, 2, 24)
    assert vllm._scratch(query, 5)["softmax_segm_output"].shape == (3, 2, 8, 32)
    assert vllm._scratch(query, 0)["num_par_softmax_segments"] == vllm.SEGMENTS


@pytest.mark.parametrize("name", ADAPTERS)
def test_what_is_absent_is_skipped_with_the_reason(absent: None, device: Device, name: str) -> None:
    requires = BY_NAME[name].requires
    package = requires.source_tree.package if requires.source_tree else requires.packages[0]
    reason = unmet(requires, parse(BY_NAME[name].devices[0]))
    if reason is None:
        pytest.skip(f"{package} is installed here")
    assert f"needs {package}" in reason
    assert "\n" not in reason
    anywhere = replace(BY_NAME[name], devices=("cpu",))
    (verdict,) = execute(OPERATOR, anywhere, Workload.of(PagedAttentionCase()), device).verdicts
    assert (verdict.status, verdict.reason) == (Status.SKIPPED, reason)


@pytest.mark.parametrize("name", TREES)
def test_a_bad_path_gives_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    tree = TREES[name]
    for root, said in ((tmp_path / "nowhere", "is no folder"), (tmp_path, f"holds no {tree.package}/")):
        monkeypatch.setenv(tree.variable, str(root))
        reason = tree.unmet() or ""
        assert reason.startswith(f"{tree.variable}={root} {said}")
        assert "\n" not in reason
        with pytest.raises(Declined, match=tree.variable):
            tree.load()


def test_a_source_tree_is_loaded_without_its_packages_own_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ops = tmp_path / "a_third_party" / "ops"
    ops.mkdir(parents=True)
    for folder in (ops, ops.parent):
        (folder / "__init__.py").write_text("raise ImportError('everything is needed')")
    (ops / "helper.py").write_text("two = 2")
    (ops / "kernel.py").write_text(
        "from a_third_party.log import logger\nfrom a_third_party.ops.helper import two\nfound = (logger, two)"
    )
    tree = SourceTree(
        "a_third_party",
        "A_THIRD_PARTY",
        ("a_third_party.newer.kernel", "a_third_party.ops.kernel"),
        {"a_third_party.log": {"logger": "stand-in"}},
    )
    assert "needs a_third_party" in str(tree.unmet())
    monkeypatch.setenv("A_THIRD_PARTY", str(tmp_path))
    assert tree.unmet() is None
    assert tree.load().found == ("stand-in", 2)


def test_a_chosen_package_runs_its_own_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, text in {
        "": "raise ImportError('everything')",
        "helpers": "three = 3",
        "ops": "raise ImportError",
    }.items():
        folder = tmp_path / "some_inits" / name
        folder.mkdir()
        (folder / "__init__.py").write_text(text)
    (tmp_path / "some_inits" / "ops" / "kernel.py").write_text("from some_inits.helpers import three as found")
    monkeypatch.setenv("SOME_INITS", str(tmp_path))
    tree = SourceTree("some_inits", "SOME_INITS", ("some_inits.ops.kernel",), inits=("some_inits.helpers",))
    assert tree.load().found == 3


def test_stand_ins_of_several_trees_add_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "two_kernels").mkdir()
    for name in ("one", "other"):
        (tmp_path / "two_kernels" / f"{name}.py").write_text(f"from two_kernels.settings import {name} as found")
    monkeypatch.setenv("TWO_KERNELS", str(tmp_path))
    trees = (
        SourceTree("two_kernels", "TWO_KERNELS", (f"two_kernels.{name}",), {"two_kernels.settings": {name: name}})
        for name in ("one", "other")
    )
    assert [tree.load().found for tree in trees] == ["one", "other"]


def test_an_installed_package_without_the_module_is_declined() -> None:
    tree = SourceTree("json", "NO_SUCH_VARIABLE", ("json.paged_attention",))
    assert tree.unmet() is None
    with pytest.raises(Declined, match="no json\\.paged_attention"):
        tree.load()
    assert SourceTree("json", "NO_SUCH_VARIABLE", ("json.decoder",)).load().__name__ == "json.decoder"


@pytest.mark.parametrize("name", TREES)
def test_the_real_kernel_runs_where_its_source_is(name: str) -> None:
    if TREES[name].variable not in os.environ:
        pytest.skip(f"{TREES[name].variable} is not set")
    case = PagedAttentionCase(
        dtype="float16", head_dim=64, group=2, num_kv_heads=2, context_lens=(33, 5), query_lens=(1, 1)
    )
    task = Task(operator="paged_attention", implementation=name, workload=Workload.of(case).to_data())
    with Worker("interpreted") as worker:
        outcome = worker.run(task)
    assert [verdict.status for verdict in outcome.verdicts] == [Status.PASSED]
    assert outcome.launches > 0


def test_implementations_are_distinct() -> None:
    assert len(BY_NAME) == len(IMPLEMENTATIONS)
    assert all(isinstance(one, Implementation) for one in IMPLEMENTATIONS)
