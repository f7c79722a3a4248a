"""Ways of computing a mixture of experts side by side: figures that are worked out by hand."""

from dataclasses import replace
from typing import Any

import pytest
import torch

from eagerdiff import Metric
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.ledger import Ledger
from eagerdiff.suites import moe_metrics
from eagerdiff.suites.moe_metrics import Operations
from eagerdiff.suites.tests.device_process import interpreted

FIGURES = "eagerdiff.suites.tests.moe_figures"
ROUTE = 32 * 64 + 32 * 32
"""Multiply-adds of a route: gate and up, then down, widths of 32."""


def figures(name: str, *arguments: Any) -> Any:
    return interpreted(FIGURES, name, *arguments)


@pytest.mark.parametrize("experts", [4, 16, 64])
def test_the_ledger_sees_one_launch_of_each_kernel_whatever_the_number_of_experts(experts: int) -> None:
    kernels = ("count", "align", "place", "gate_up", "down", "combine")
    once = {f"{kernel}_kernel": 1 for kernel in kernels}
    assert figures("launched", (2,) * experts, 2) == {0: once, 1: once}


def test_a_judged_workload_launches_as_often() -> None:
    assert figures("executed", (3, 0, 5)) == 2 * 6


def test_a_ledger_adds_launches_up_by_call() -> None:
    with Ledger() as ledger:
        ledger.at(0)
        ledger.launched({"a": 1})
        ledger.launched({"a": 2, "b": 1})
        ledger.at(2)
        ledger.launched({})
        ledger.at(3)
        ledger.launched({"a": 1})
    assert ledger.launches == {0: {"a": 3, "b": 1}, 3: {"a": 1}}


def test_a_launch_on_a_gpu_is_seen_by_the_ledger_while_it_is_open() -> None:
    knobs = pytest.importorskip("triton.knobs")

    class Metadata:
        def get(self) -> dict[str, Any]:
            return {"name": "kernel"}

    with Ledger() as ledger:
        ledger.at(0)
        knobs.runtime.launch_enter_hook(Metadata())
        knobs.runtime.launch_enter_hook(Metadata())
    knobs.runtime.launch_enter_hook(Metadata())
    assert ledger.launches == {0: {"kernel": 2}}


def test_products_of_the_work_list_grow_with_the_experts_and_no_other_way_has_more() -> None:
    work_list = [figures("launches", "work-list", experts) for experts in (4, 16)]
    assert [products for _, products in work_list] == [2 * 4, 2 * 16]
    assert work_list[1][0] > work_list[0][0]
    for way, products in (("padded bmm", 2), ("GShard dispatch", 4), ("torch.grouped_mm", 2), ("grouped GEMM", 2)):
        few, many = (figures("launches", way, experts) for experts in (4, 16))
        assert few == many
        assert few[1] == products


def test_rows_that_are_multiplied_are_those_of_the_capacity_or_of_whole_blocks() -> None:
    counts = (20, 4, 0, 8)
    tokens, capacity = sum(counts), max(counts)
    assert figures("multiplied", "work-list", *counts) == tokens * ROUTE
    assert figures("multiplied", "torch.grouped_mm", *counts) == tokens * ROUTE
    assert figures("multiplied", "padded bmm", *counts) == 4 * capacity * ROUTE
    sent = 2 * tokens * 4 * capacity * 32  # to the experts and back, by one-hot tensors
    assert figures("multiplied", "GShard dispatch", *counts) == 4 * capacity * ROUTE + sent
    assert figures("multiplied", "grouped GEMM", *counts) == (32 + 16 + 16) * ROUTE  # blocks of 16 rows


def test_compilations_are_the_ledgers() -> None:
    assert figures("compilations", "worklist.dynamo.static", (2, 3, 5)) == (3, False)
    assert figures("compilations", "worklist.dynamo.unbacked", (2, 3, 5)) == (1, False)
    assert figures("compilations", "torch.padded_bmm", (2, 3, 5)) == (0, False)


def test_views_and_allocations_launch_nothing() -> None:
    x = torch.ones(4, 6)
    with Operations() as operations:
        x.T.reshape(6, 2, 2)[1:].unsqueeze(0)
        torch.empty(3, 4)
        x.detach()
    assert operations.launches <= 1  # the reshape copies
    with Operations() as operations:
        torch.addmm(torch.ones(6), x, torch.ones(6, 6)).sum().item()
    assert (operations.products, operations.multiplications) == (1, 4 * 6 * 6)
    assert operations.launches == 2 + 2  # two tensors are filled, one product, one sum


@pytest.mark.slow
def test_the_table_holds_every_way_that_the_catalog_has(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """With few sizes: the same code, in a process of its own as in the report."""
    small = "EXPERTS = (2, 3); moe_metrics.SWEEP = (2, 3); moe_metrics.MODES = ('unbacked',)"
    source = f"from eagerdiff.suites import moe_metrics\nmoe_metrics.{small}\nmain = moe_metrics.main\n"
    (tmp_path / "few_sizes.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(moe_metrics, "MODULE", "few_sizes")
    moe_metrics.figures.cache_clear()
    try:
        found = moe_metrics.metrics()
    finally:
        moe_metrics.figures.cache_clear()
    taken = {(one.what, one.by, one.of) for one in found}
    assert {(moe_metrics.PRODUCTS, way, "3 experts") for way in moe_metrics.WAYS} <= taken
    assert {(moe_metrics.WASTED, way, "Zipf") for way in moe_metrics.WAYS} <= taken
    assert {(moe_metrics.COMPILED, way, "") for way in ("work-list, unbacked", "grouped GEMM")} <= taken
    assert all(0 <= one.value < 100 for one in found if one.unit == "%")
    assert all(isinstance(one, Metric) for one in found)


def test_a_way_is_taken_up_as_soon_as_the_catalog_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    found = load(["moe"])
    implementations = {name: one for name, one in found.implementations["moe"].items() if name != "triton.block_sparse"}
    monkeypatch.setattr(
        "eagerdiff.harness.catalog.catalog.load",
        lambda *_, **__: replace(found, implementations={"moe": implementations}),
    )
    assert "block-sparse" not in moe_metrics.present()
    third_party = replace(implementations["triton.grouped_gemm"], name="triton.block_sparse")
    implementations["triton.block_sparse"] = third_party
    assert moe_metrics.present()["block-sparse"] is third_party


def test_what_goes_wrong_is_said_in_one_line(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "none.py").write_text("raise ValueError('no figures')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(moe_metrics, "MODULE", "none")
    moe_metrics.figures.cache_clear()
    with pytest.raises(RuntimeError, match=r"^ValueError: no figures$"):
        moe_metrics.figures()
