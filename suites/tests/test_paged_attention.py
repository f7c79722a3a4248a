"""Paged attention: its truth against a second formula, what is drawn, what must hold, what ships."""

import resource
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import find, given, settings
from hypothesis import strategies as st
from torch import Tensor

from eagerdiff import Inputs, Relation, Status, Workload
from eagerdiff.compiled.paged_attention.gather import gather_attention
from eagerdiff.harness.memory.copies import duplicate, upcast
from eagerdiff.harness.mutation.faults import faults_of, plant
from eagerdiff.harness.processes import Task, Worker, WorkerPool
from eagerdiff.reference.paged_attention import paged_attention
from eagerdiff.strategies.cases.paged_attention import PagedAttentionCase
from eagerdiff.strategies.paged_attention import cases, cases_like, inputs
from eagerdiff.suites.paged_attention import OPERATOR, RELATIONS, cost
from eagerdiff.suites.tests.examples import CHOOSY
from eagerdiff.suites.tests.generated import judge_generated

FAULTS = faults_of(OPERATOR)


@pytest.fixture(scope="module")
def interpreted(worker_pool: WorkerPool) -> Iterator[Worker]:
    with Worker("interpreted", worker_pool=worker_pool) as worker:
        yield worker


def in_float64(given: Inputs) -> Inputs:
    return upcast(given)


def attend(given: Inputs) -> tuple[Tensor, Tensor]:
    """Call the reference; an output that it is given to write into is another one each time."""
    copied = duplicate(given).inputs
    return paged_attention(*copied.args, **copied.options)


def attend_row_by_row(case: PagedAttentionCase, given: Inputs) -> tuple[Tensor, Tensor]:
    """Attend with a loop over requests, queries and heads, asking of each key whether it is seen."""
    query = given.args[0]
    output = query.new_zeros(case.num_tokens, case.num_heads, case.values)
    lse = query.new_full((case.num_tokens, case.num_heads), float("-inf"))
    row = 0
    for request, (length, queries) in enumerate(zip(case.context_lens, case.query_lens, strict=True)):
        for number in range(queries):
            position = length - queries + number
            tree = given.options["tree_mask"][row].tolist() if case.tree else None
            seen = [key for key in range(length) if sees(case, position, key, tree, length - queries)]
            keys, values = (look_up(case, given, which, request, seen) for which in (1, 2))
            for head in range(case.num_heads):
                distances = torch.tensor(seen, dtype=torch.float64) - position
                pair = keys[:, head // case.group], values[:, head // case.group]
                output[row, head], lse[row, head] = attend_one(given, row, head, distances, *pair)
            row += 1
    return output, lse


def sees(case: PagedAttentionCase, position: int, key: int, tree: list[bool] | None, first_query: int) -> bool:
    if case.causal and key > position:
        return False
    if case.windowed and key <= position - case.window:
        return False
    return tree is None or key < first_query or tree[key - first_query]


def look_up(case: PagedAttentionCase, given: Inputs, which: int, request: int, seen: list[int]) -> Tensor:
    cache, table = given.args[which], given.args[3]
    blocks = [int(table[request, key // case.block_size]) for key in seen]
    rows = cache[blocks, [key % case.block_size for key in seen]]
    scale = given.options.get(("", "key_scale", "value_scale")[which])
    if scale is None:
        return rows
    return rows * (scale if scale.dim() == 0 else scale[:, None])


def attend_one(
    given: Inputs, row: int, head: int, distances: Tensor, keys: Tensor, values: Tensor
) -> tuple[Tensor, Tensor]:
    options = given.options
    scores = (keys @ given.args[0][row, head]) * options["scale"]
    if (cap := options["soft_cap"]) is not None:
        scores = (scores / cap).tanh() * cap
    if (slopes := options.get("alibi_slopes")) is not None:
        scores = scores + slopes[head] * distances
    if (sinks := options.get("sinks")) is not None:
        scores, values = torch.cat((scores, sinks[head, None])), torch.cat((values, torch.zeros_like(values[:1])))
        values = values if len(distances) else values.new_zeros(1, values.shape[-1])
    lse = scores.logsumexp(0)
    return (scores - lse).exp() @ values, lse


@given(cases().filter(lambda case: case.num_tokens * case.num_heads <= 200))
@CHOOSY
def test_the_reference_agrees_with_a_loop_over_keys(case: PagedAttentionCase) -> None:
    exact = in_float64(inputs(case, "cpu"))
    torch.testing.assert_close(attend(exact), attend_row_by_row(case, exact), rtol=1e-9, atol=1e-9, equal_nan=True)


@pytest.mark.parametrize("queries", [1, 3, 7])
def test_the_reference_agrees_with_sdpa(queries: int) -> None:
    case = PagedAttentionCase(context_lens=(37,), query_lens=(queries,), group=4, num_kv_heads=2, block_size=5)
    exact = in_float64(inputs(case, "cpu"))
    query, keys, values, table, *_ = exact.args
    dense = (cache[table[0].long()].flatten(0, 1)[:37].transpose(0, 1) for cache in (keys, values))
    causal = torch.ones(queries, 37, dtype=torch.bool).tril(37 - queries)
    expected = torch.nn.functional.scaled_dot_product_attention(
        query.transpose(0, 1), *dense, attn_mask=causal, enable_gqa=True
    )
    torch.testing.assert_close(attend(exact)[0], expected.transpose(0, 1))


@given(cases().filter(lambda case: case.num_tokens <= 20))
@CHOOSY
def test_the_gather_agrees_with_the_reference(case: PagedAttentionCase) -> None:
    exact, other = (in_float64(inputs(case, "cpu")) for _ in range(2))
    torch.testing.assert_close(
        gather_attention(*other.args, **other.options), attend(exact), rtol=1e-9, atol=1e-9, equal_nan=True
    )


@given(cases())
@CHOOSY
def test_stale_slots_are_finite_and_change_nothing(case: PagedAttentionCase) -> None:
    poisoned, stale = (inputs(case.model_copy(update={"unseen": what}), "cpu") for what in ("nan", "stale"))
    assert all(cache.float().isfinite().all() for cache in stale.args[1:3])
    for found, expected in zip(attend(stale), attend(poisoned), strict=True):
        torch.testing.assert_close(found, expected, rtol=0, atol=0, equal_nan=True)


@given(cases().map(lambda case: case.model_copy(update={"unseen": "nan"})))
@CHOOSY
def test_poison_stands_wherever_no_query_looks(case: PagedAttentionCase) -> None:
    _, keys, values, table, *_ = inputs(case, "cpu").args
    seen: set[tuple[int, int]] = set()
    for request in range(len(case.context_lens)):
        for position in case.visible(request):
            seen.add((int(table[request, position // case.block_size]), position % case.block_size))
    for cache in (keys.float(), values.float()):
        finite = {(int(block), int(slot)) for block, slot in cache.isfinite().all(-1).all(-1).nonzero().tolist()}
        assert finite == seen
        assert cache.isnan().sum() == (len(cache) * case.block_size - len(seen)) * cache[0, 0].numel()


@given(cases())
@CHOOSY
def test_unused_table_entries_name_no_block(case: PagedAttentionCase) -> None:
    _, keys, _, table, *_ = inputs(case, "cpu").args
    valid = (table >= 0) & (table < len(keys))
    assert valid.sum(1).tolist() == case.block_counts


@given(st.data())
@CHOOSY
def test_cases_alike_share_the_static_key(data: st.DataObject) -> None:
    case = data.draw(cases())
    assert data.draw(cases_like(case)).static_key == case.static_key
    assert PagedAttentionCase.from_yaml(case.to_yaml()) == case


EDGES: dict[str, Callable[[PagedAttentionCase], bool]] = {
    "an empty context beside others": lambda case: 0 in case.context_lens and max(case.context_lens) > 0,
    "two full blocks": lambda case: 2 * case.block_size in case.context_lens,
    "one over a block": lambda case: case.block_size > 1 and case.block_size + 1 in case.context_lens,
    "one over a tile": lambda case: 65 in case.context_lens,
    "a context past the window": lambda case: case.windowed and max(case.context_lens, default=0) > case.window,
    "more queries than keys": lambda case: any(map(int.__gt__, case.query_lens, case.context_lens)),
    "a waiting request": lambda case: 0 in case.query_lens and max(case.query_lens) > 1,
    "shared blocks": lambda case: case.shared_blocks > 0 and sum(count > 0 for count in case.block_counts) > 1,
    "a tight ragged table": lambda case: case.table_padding == 0 and len(set(case.block_counts)) > 1,
    "large capped logits": lambda case: case.data == "large_logits" and case.soft_capped,
    "a group above a tile's rows": lambda case: case.group > 16,
    "an empty batch": lambda case: not case.context_lens,
}


@pytest.mark.parametrize("edge", EDGES)
def test_edges_are_drawn(edge: str) -> None:
    find(cases(), EDGES[edge], settings=settings(CHOOSY, max_examples=2000))


@given(cases())
@settings(CHOOSY, max_examples=200)
def test_a_tree_that_lies_otherwise_is_read(case: PagedAttentionCase) -> None:
    """Of a request of one query there is nothing to find in another row or column."""
    if case.query_lens and "tree_mask" in dict(case.layouts):
        assert case.query_lens[-1] >= 3 <= min(case.context_lens)


def test_ragged_lists_must_match() -> None:
    with pytest.raises(ValueError, match="differ in length"):
        PagedAttentionCase(context_lens=(1, 2), query_lens=(1,))
    with pytest.raises(ValueError, match="negative"):
        PagedAttentionCase(context_lens=(-1,), query_lens=(1,))


def test_queries_before_the_first_key_see_none_if_they_are_causal() -> None:
    """A context may be shorter than its queries are many: the first of them stand before it."""
    case = PagedAttentionCase(context_lens=(2,), query_lens=(4,))
    output, lse = attend(inputs(case, "cpu"))
    assert lse.isneginf().all(1).tolist() == [True, True, False, False]
    assert (output == 0).all((1, 2)).tolist() == [True, True, False, False]
    _, lse = attend(inputs(case.model_copy(update={"causal": False}), "cpu"))
    assert not lse.isinf().any()


def test_contexts_shorter_than_their_queries_are_drawn() -> None:
    def short(case: PagedAttentionCase) -> bool:
        return any(length < queries for length, queries in zip(case.context_lens, case.query_lens, strict=True))

    assert short(find(cases(), short))


@pytest.mark.parametrize("relation", RELATIONS, ids=[relation.name for relation in RELATIONS])
def test_relations_hold_for_the_reference(relation: Relation) -> None:
    @given(cases())
    @CHOOSY
    def holds(case: PagedAttentionCase) -> None:
        given = in_float64(inputs(case, "cpu"))
        changed, expected = relation.transform(given, torch.Generator().manual_seed(case.seed))
        torch.testing.assert_close(attend(changed), expected(attend(given)), rtol=1e-9, atol=1e-9, equal_nan=True)

    holds()


@pytest.mark.parametrize("relation", RELATIONS, ids=[relation.name for relation in RELATIONS])
def test_relations_leave_their_inputs_alone(relation: Relation) -> None:
    given = inputs(PagedAttentionCase(context_lens=(5, 20), query_lens=(1, 2), block_size=8), "cpu")
    before = [tensor.clone() for tensor in given.args]
    relation.transform(given, torch.Generator().manual_seed(0))
    for tensor, old in zip(given.args, before, strict=True):
        torch.testing.assert_close(tensor, old, rtol=0, atol=0, equal_nan=True)


@pytest.mark.parametrize("relation", RELATIONS, ids=[relation.name for relation in RELATIONS])
def test_relations_leave_arguments_as_they_lie(relation: Relation) -> None:
    """What was exported or compiled for rows that lie apart need not take rows that do not."""
    case = PagedAttentionCase(context_lens=(9, 20), query_lens=(3, 2), block_size=8, fused_query=True, num_kv_heads=2)
    given = inputs(case, "cpu")
    changed, _ = relation.transform(given, torch.Generator().manual_seed(0))
    assert [one.stride() for one in changed.args[:3]] == [one.stride() for one in given.args[:3]]
    assert not given.args[0].is_contiguous()


def test_cost_counts_keys_and_bytes_by_hand() -> None:
    case = PagedAttentionCase(
        dtype="float16", head_dim=8, num_kv_heads=2, group=3, context_lens=(10, 0), query_lens=(2, 1), windowed=True,
        window=4,
    )  # fmt: skip
    counted = cost(case)
    assert counted.flops == 4 * (4 + 4) * 6 * 8  # 2 queries see 4 keys each
    assert counted.bytes == 2 * 5 * 2 * 16 + 2 * 3 * 6 * 16  # 5 slots of K and V, 3 rows of Q and output
    latent = PagedAttentionCase(
        dtype="bfloat16", cache_dtype="float8_e5m2", cache_layout="latent", head_dim=24, value_dim=16, group=5,
        context_lens=(10,), query_lens=(2,), causal=False,
    )  # fmt: skip
    counted = cost(latent)
    assert counted.flops == 2 * 2 * 10 * 5 * (24 + 16)
    assert counted.bytes == 10 * 24 + 2 * 5 * (24 + 16) * 2  # one shared row of a byte an element a slot


@pytest.mark.parametrize("implementation", ["triton.varlen", pytest.param("triton.split_kv", marks=pytest.mark.slow)])
def test_kernels_pass_generated_cases(interpreted: Worker, implementation: str) -> None:
    judged = judge_generated(interpreted, OPERATOR, implementation, 12)
    assert judged.count(Status.PASSED) >= 12


@pytest.mark.parametrize("name", [name for name in OPERATOR.workloads if not name.startswith("serving")])
def test_kernels_pass_the_fixed_workloads(interpreted: Worker, name: str) -> None:
    workload = OPERATOR.workloads[name].to_data()
    outcome = interpreted.run(Task(operator="paged_attention", implementation="triton.varlen", workload=workload))
    assert [verdict.status for verdict in outcome.verdicts] == [Status.PASSED] * len(workload)
    assert outcome.launches >= len(workload)


def test_faults_are_many_and_distinct() -> None:
    assert len(FAULTS) >= 12
    distinct = {(fault.implementation, fault.file, fault.text, fault.replacement) for fault in FAULTS}
    assert len(distinct) == len(FAULTS)


def test_a_planted_fault_is_found_by_a_generated_case(worker_pool: WorkerPool, tmp_path: Path) -> None:
    """One stands for all here: `eagerdiff selfcheck` searches for every one of them."""
    fault = next(fault for fault in FAULTS if fault.id == "pa-split-merges-unwritten")
    found: list[str] = []
    task = Task(
        operator="paged_attention",
        implementation=fault.implementation,
        workload=[],
        source_root=str(plant(fault, tmp_path)),
    )

    @given(cases())
    @settings(CHOOSY, max_examples=40)
    def search(case: PagedAttentionCase) -> None:
        if not found and (failure := worker.run(task.with_cases(Workload.of(case))).first_failure):
            found.append(failure.decided_by)

    with Worker("interpreted", worker_pool=worker_pool) as worker:
        search()
    assert found


FAR = {"context_lens": (40, 33), "query_lens": (2, 1), "dtype": "bfloat16"}


@pytest.mark.parametrize("far", [{"cache_layout": "far"}, {"far_query": True}], ids=["blocks", "rows"])
def test_far_tensors_pass_32_bits_and_take_no_memory(far: dict[str, Any], worker_pool: WorkerPool) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    case = PagedAttentionCase.model_validate(FAR | far)
    tensor = inputs(case, "cpu").args[0 if case.far_query else 1]
    assert tensor.stride(0) < 2**31 <= tensor.stride(0) * (len(tensor) - 1)
    calls = Workload((case,) * 3)  # one far tensor is all that a worker may map
    task = Task(operator="paged_attention", implementation="sdpa.padded", workload=calls.to_data())
    with Worker("cpu", worker_pool=worker_pool) as worker:
        assert {verdict.status for verdict in worker.run(task).verdicts} == {Status.PASSED}
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1 << 18, "KiB"


def test_a_far_query_asks_what_a_near_one_asks() -> None:
    far, near = (inputs(PagedAttentionCase.model_validate(FAR | {"far_query": far}), "cpu") for far in (True, False))
    for found, expected in zip(attend(far), attend(near), strict=True):
        torch.testing.assert_close(found, expected, rtol=0, atol=0)
