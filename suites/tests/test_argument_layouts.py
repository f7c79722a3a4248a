"""Arguments that lie otherwise: values stay, strides are what was asked for, and every shipped kernel copes."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
import torch
from hypothesis import find, settings

from eagerdiff import Inputs, Status, Workload
from eagerdiff.harness.catalog import catalog
from eagerdiff.harness.mutation.faults import faults_of, plant
from eagerdiff.harness.processes import Task, Worker, WorkerPool
from eagerdiff.strategies.argument_layouts import lay_out_argument, lay_out_arguments, layouts
from eagerdiff.strategies.cases.layouts import ArgumentLayout
from eagerdiff.strategies.cases.paged_attention import PagedAttentionCase
from eagerdiff.strategies.layouts import laid_out_as, spread
from eagerdiff.suites import paged_attention
from eagerdiff.suites.tests.examples import CHOOSY

NEAR: tuple[ArgumentLayout, ...] = ("strided", "transposed", "padded", "offset", "expanded")
STRIDES = {"strided": (8, 2), "transposed": (1, 3), "padded": (7, 1), "offset": (4, 1), "expanded": (4, 1)}
"""Of a tensor [3, 4] whose rows differ."""
DTYPES = ("float32", "bfloat16", "float8_e4m3fn", "int64", "int32", "uint8", "bool")


@pytest.fixture(scope="module")
def interpreted(worker_pool: WorkerPool) -> Iterator[Worker]:
    with Worker("interpreted", worker_pool=worker_pool) as worker:
        yield worker


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", NEAR)
def test_values_stay_and_strides_are_those_asked_for(layout: ArgumentLayout, dtype: str) -> None:
    values = torch.arange(12).view(3, 4).to(getattr(torch, dtype))
    laid_out = lay_out_argument(values, layout)
    assert torch.equal(laid_out.float(), values.float())
    assert laid_out.stride() == STRIDES[layout]
    assert laid_out.storage_offset() == (layout in ("padded", "offset"))


def test_rows_that_are_alike_become_one_row() -> None:
    row = torch.tensor([1.0, float("nan"), 3.0])
    laid_out = lay_out_argument(row.expand(4, 3).contiguous(), "expanded")
    assert laid_out.stride() == (0, 1)
    torch.testing.assert_close(laid_out, row.expand(4, 3), rtol=0, atol=0, equal_nan=True)


def test_what_lies_between_shows_where_it_is_read() -> None:
    for dtype, wild in (("float32", float("nan")), ("int32", 2**31 - 1), ("int64", 2**31 - 1)):
        laid_out = lay_out_argument(torch.zeros(3, dtype=getattr(torch, dtype)), "strided")
        between = laid_out.as_strided((2,), (2,), 1)
        torch.testing.assert_close(between, torch.full_like(between, wild), rtol=0, atol=0, equal_nan=True)


@pytest.mark.parametrize(("layout", "dim"), [("far", 0), ("far_heads", 1), ("far_columns", 2)])
def test_far_dims_pass_32_bits_and_the_others_keep_their_order(layout: ArgumentLayout, dim: int) -> None:
    values = torch.randn(3, 4, 5).bfloat16()
    laid_out = lay_out_argument(values, layout)
    assert torch.equal(laid_out, values)
    assert laid_out.stride(dim) < 2**31 <= laid_out.stride(dim) * (values.shape[dim] - 1)
    others = [stride for at, stride in enumerate(laid_out.stride()) if at != dim]
    assert others == sorted(others, reverse=True)


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 3), ()])
def test_a_tensor_of_nothing_or_of_no_dims_keeps_its_shape(shape: tuple[int, ...]) -> None:
    for layout in get_args(ArgumentLayout):
        assert lay_out_argument(torch.ones(shape), layout).shape == shape


def test_arguments_are_found_by_name_and_only_free_ones_change() -> None:
    given = Inputs((torch.arange(3), 5), {"bias": torch.arange(3), "other": None})
    asked: Any = (("lengths", "expanded"), ("bias", "expanded"), ("other", "strided"), ("nowhere", "strided"))
    changed = lay_out_arguments(given, ("lengths", "count"), asked, free=("bias",))
    assert (changed.args[0].tolist(), changed.args[0].stride(), changed.args[1]) == ([0, 1, 2], (1,), 5)
    assert (changed.options["bias"].tolist(), changed.options["bias"].stride()) == ([0, 0, 0], (0,))
    assert changed.options["other"] is None


def test_every_layout_of_every_argument_is_drawn() -> None:
    strategy = layouts({"a": ("strided", "expanded"), "b": ("transposed",)}, far=(("a", "far"),))
    assert find(strategy, lambda drawn: True) == ()
    for pair in (("a", "strided"), ("a", "expanded"), ("b", "transposed"), ("a", "far")):
        assert find(strategy, lambda drawn, pair=pair: pair in drawn, settings=settings(CHOOSY, max_examples=500))


_MIX: dict[str, Any] = {
    "num_experts": 4,
    "top_k": 2,
    "hidden": 20,
    "intermediate": 12,
    "tokens": 9,
    "expert_tokens": (5, 3, 4, 2),
    "expert_bias": True,
    "shared_intermediate": 8,
}
_ATTEND: dict[str, Any] = {
    "context_lens": (20, 20),
    "query_lens": (3, 2),
    "num_kv_heads": 3,
    "group": 2,
    "block_size": 5,
    "alibi": True,
    "sinks": True,
    "scales": "head",
    "tree": True,
    "output": "given",
}
CALLS: dict[tuple[str, str], list[dict[str, Any]]] = {
    ("paged_attention", "triton.varlen"): [_ATTEND | {"shared_blocks": 9}],
    ("paged_attention", "triton.split_kv"): [_ATTEND | {"data": "nan_queries"}],
    ("cache_write", "triton.write"): [
        {"num_tokens": 9, "num_kv_heads": 3, "cache_dtype": "float8_e4m3fn", "scales": "head", "extreme": True}
    ],
    ("block_copy", "triton.copy"): [{"num_blocks": 9, "num_pairs": 4, "num_kv_heads": 3, "extreme": True}],
    ("cascade_merge", "triton.merge"): [{"num_parts": 3, "num_tokens": 5, "num_heads": 3, "empty": "some"}],
    ("moe", "triton.grouped_gemm"): [
        _MIX | {"activation": "relu2", "nan_tokens": True},
        _MIX | {"weight_dtype": "float8_e4m3fn", "quantised_x": True, "scale_block": 16, "nan_tokens": True},
    ],
    ("moe", "triton.block_sparse"): [_MIX | {"activation": "relu2", "nan_tokens": True}],
    ("moe_gradients", "triton.block_sparse"): [_MIX],
    ("moe_permute", "triton.permute"): [
        {"num_experts": 4, "top_k": 2, "hidden": 20, "tokens": 9, "expert_tokens": (5, 3, 4, 2), "nan_tokens": True}
    ],
    ("moe_routing", "triton.routing"): [
        {"num_experts": 8, "top_k": 2, "tokens": 9, "biased": True},
        {"num_experts": 8, "top_k": 2, "tokens": 9, "way": "hashed"},
        {"num_experts": 8, "top_k": 2, "tokens": 9, "local": True, "local_experts": 4},
    ],
}
"""Calls that have every argument which an operator may have."""


@pytest.mark.parametrize("layout", ["strided", "transposed", "padded", "expanded"])
@pytest.mark.parametrize("tested", CALLS, ids=lambda tested: f"{tested[0]} {tested[1]}")
def test_every_kernel_copes_with_arguments_that_lie_otherwise(
    interpreted: Worker, tested: tuple[str, str], layout: ArgumentLayout
) -> None:
    name, implementation = tested
    operator = catalog.load([name]).operators[name]
    for fields in CALLS[tested]:
        case = operator.case.model_validate(fields)
        names = (*_NAMES[name], *operator.inputs(case, "cpu").options)
        mutated = {_NAMES[name][one] if isinstance(one, int) else one for one in operator.mutates}
        asked = tuple((one, layout) for one in names if layout != "expanded" or one not in mutated)
        workload = Workload.of(operator.case.model_validate(fields | {"layouts": asked}))
        outcome = interpreted.run(Task(operator=name, implementation=implementation, workload=workload.to_data()))
        assert [verdict.status for verdict in outcome.verdicts] == [Status.PASSED], outcome.verdicts


_NAMES: dict[str, tuple[str, ...]] = {
    "paged_attention": ("query", "key_cache", "value_cache", "block_table", "context_lens", "query_start"),
    "cache_write": ("key", "value", "key_cache", "value_cache", "slot_mapping"),
    "block_copy": ("key_cache", "value_cache", "pairs"),
    "cascade_merge": ("outputs", "lses"),
    "moe": ("x", "router_logits", "w_gate_up", "w_down"),
    "moe_gradients": ("x", "router_logits", "w_gate_up", "w_down", "grad_output"),
    "moe_permute": ("x", "topk_ids", "topk_weights"),
    "moe_routing": ("router_logits",),
}
FAR: dict[tuple[str, str], dict[str, Any]] = {
    ("paged_attention", "triton.varlen"): _ATTEND | {"output": "given"},
    ("paged_attention", "triton.split_kv"): _ATTEND | {"cache_dtype": "float8_e5m2"},
    ("paged_attention", "triton.invariant"): _ATTEND | {"head_dim": 576, "value_dim": 512},
    ("cache_write", "triton.write"): {"num_tokens": 9, "num_kv_heads": 3, "block_size": 3},
    ("block_copy", "triton.copy"): {"num_blocks": 9, "num_pairs": 4, "num_kv_heads": 3, "block_size": 3},
    ("cascade_merge", "triton.merge"): {"num_parts": 3, "num_tokens": 5, "num_heads": 3},
    ("moe", "triton.grouped_gemm"): _MIX,
    ("moe", "triton.block_sparse"): _MIX,
    ("moe_permute", "triton.permute"): CALLS["moe_permute", "triton.permute"][0],
}
"""Calls that have every argument which an operator may have, of three rows and columns at least."""


@pytest.mark.parametrize("layout", ["far", "far_slots", "far_heads", "far_columns"])
@pytest.mark.parametrize("tested", FAR, ids=lambda tested: f"{tested[0]} {tested[1]}")
def test_every_kernel_finds_what_lies_far_apart(
    interpreted: Worker, tested: tuple[str, str], layout: ArgumentLayout
) -> None:
    name, implementation = tested
    operator = catalog.load([name]).operators[name]
    fields = FAR[tested] | {"dtype": "bfloat16"}
    given = operator.inputs(operator.case.model_validate(fields), "cpu")
    tensors = {**dict(zip(_NAMES[name], given.args, strict=True)), **given.options}
    asked = tuple((one, layout) for one, value in tensors.items() if _may_lie_far(value))
    workload = Workload.of(operator.case.model_validate(fields | {"layouts": asked}))
    outcome = interpreted.run(Task(operator=name, implementation=implementation, workload=workload.to_data()))
    assert [verdict.status for verdict in outcome.verdicts] == [Status.PASSED], outcome.verdicts


def _may_lie_far(value: object) -> bool:
    """Return whether a worker may map a tensor that lies far apart: 2**31 elements of 2 bytes."""
    return isinstance(value, torch.Tensor) and value.element_size() <= 2


def test_far_tensors_share_a_buffer_and_none_lies_in_another() -> None:
    tensors = {
        "rows": torch.randn(7, 5).bfloat16(),
        "many": torch.arange(3 * 200).view(3, 200) % 251,
        "flags": torch.rand(4, 3) < 0.5,
        "nothing": torch.ones(0, 3),
    }
    tensors["many"] = tensors["many"].to(torch.uint8)
    asked: Any = (("rows", "far"), ("many", "far_columns"), ("flags", "far"), ("nothing", "far"))
    laid_out = lay_out_arguments(Inputs((), tensors), (), asked).options
    assert all(torch.equal(laid_out[name], values) for name, values in tensors.items())
    assert len({laid_out[name].untyped_storage().data_ptr() for name in ("rows", "many", "flags")}) == 1
    for name, dim in (("rows", 0), ("many", 1), ("flags", 0)):
        assert laid_out[name].stride(dim) < 2**31 <= laid_out[name].stride(dim) * (tensors[name].shape[dim] - 1)


SPECIALISING = {
    "a mask behind an element, with queries and without": (
        "triton.invariant",
        {"tree": True, "layouts": [["tree_mask", "padded"]]},
        [{"context_lens": [17], "query_lens": [7]}, {"context_lens": [], "query_lens": [], "padding_rows": 1}],
    ),
    "far slots of one block and of more": (
        "triton.varlen",
        {"dtype": "bfloat16", "head_dim": 24, "num_kv_heads": 3, "block_size": 256}
        | {"layouts": [["key_cache", "far_slots"], ["value_cache", "far_slots"]]},
        [{"context_lens": [], "query_lens": [], "padding_rows": 5, "spare_blocks": spare} for spare in (2, 1)],
    ),
}


@pytest.mark.parametrize("name", SPECIALISING)
def test_a_kernel_may_be_compiled_for_how_sizes_of_0_and_1_lie(worker_pool: WorkerPool, name: str) -> None:
    implementation, static, calls = SPECIALISING[name]
    cases = [PagedAttentionCase.model_validate(static | call) for call in calls]
    task = Task(operator="paged_attention", implementation=implementation, workload=Workload(tuple(cases)).to_data())
    with Worker("host", worker_pool=worker_pool) as worker:
        outcome = worker.run(task)
    assert [verdict.status for verdict in outcome.verdicts] == ["PASSED"] * 2
    assert outcome.compile_count == 2
    assert outcome.workload.status is Status.PASSED


def test_a_far_output_of_a_call_that_failed_leaves_room_for_the_next(worker_pool: WorkerPool, tmp_path: Path) -> None:
    fault = next(one for one in faults_of(paged_attention.OPERATOR) if one.id == "pa-output-in-32-bits")
    far = [["tree_mask", "far"], ["output", "far"]]
    fields = {"dtype": "bfloat16", "head_dim": 16, "num_kv_heads": 3, "tree": True, "output": "given", "layouts": far}
    case = PagedAttentionCase.model_validate(fields | {"context_lens": [3], "query_lens": [3]})
    task = Task(
        operator="paged_attention",
        implementation="triton.varlen",
        workload=Workload((case,) * 3).to_data(),
        source_root=str(plant(fault, tmp_path)),
    )
    with Worker("host", worker_pool=worker_pool) as worker:
        outcome = worker.run(task)
    assert [verdict.status for verdict in outcome.verdicts] == ["OUT_OF_BOUNDS"] * 3


def test_values_are_laid_out_as_a_model_with_other_rows() -> None:
    values = torch.arange(20.0).view(4, 5)
    for model, stride in (
        (torch.zeros(3, 8)[:, :5], (8, 1)),
        (torch.zeros(0, 8)[:, :5], (8, 1)),
        (torch.zeros(3, 10)[:, ::2], (10, 2)),
        (torch.zeros(5, 3).T, (1, 4)),
        (torch.zeros(5, 0).T, (5, 1)),
        (torch.zeros(1, 5).expand(3, 5), (5, 1)),
        (torch.zeros(3, 6), (5, 1)),
    ):
        found = laid_out_as(model, values)
        assert found.stride() == stride
        assert found.equal(values)
    padded = laid_out_as(torch.zeros(3, 8)[:, :5], values)
    assert padded.as_strided((3, 8), (8, 1))[:, 5:].isnan().all()
    assert (
        laid_out_as(torch.zeros(3, 8)[:, :5], values.to(torch.uint8)).as_strided((3, 8), (8, 1))[:, 5:] == 255
    ).all()


def test_what_is_mostly_not_there_is_laid_out_so_where_that_is_asked_for() -> None:
    (model,) = spread(torch.zeros(3, 5))
    values = torch.arange(15.0).view(3, 5)
    assert laid_out_as(model, values).is_contiguous()
    assert laid_out_as(model, values[:2], far=True).is_contiguous()
    far = laid_out_as(model, values, far=True)
    assert far.stride() == model.stride()
    assert far.equal(values)
