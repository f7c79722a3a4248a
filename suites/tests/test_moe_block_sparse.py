"""Block-sparse mixtures: the topology against a plain construction, products against dense ones, launches, offline."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from eagerdiff.compiled.moe.block_sparse.topology import make_topology, transpose
from eagerdiff.harness.processes import Task, Worker, WorkerPool
from eagerdiff.strategies.cases.moe import MoeCase
from eagerdiff.strategies.moe import apportion
from eagerdiff.suites.moe import OPERATOR
from eagerdiff.suites.tests.block_sparse_products import SIZES
from eagerdiff.suites.tests.device_process import interpreted
from eagerdiff.suites.tests.examples import FEW
from eagerdiff.suites.tests.targets import SHARED

PRODUCTS = "eagerdiff.suites.tests.block_sparse_products"
EXPERTS = 5
IDS = st.lists(st.lists(st.integers(-1, EXPERTS - 1), min_size=2, max_size=2), max_size=40)


def blocks_of(ids: torch.Tensor, column_blocks: int, block_m: int) -> list[tuple[tuple[int, ...], int]]:
    """Return the blocks one by one, row after row: the routes of the row, the column."""
    found: list[tuple[tuple[int, ...], int]] = []
    for expert in range(EXPERTS):
        routes = (ids.flatten() == expert).nonzero().flatten().tolist()
        for first in range(0, len(routes), block_m):
            row = tuple(routes[first : first + block_m])
            found += [(row, expert * column_blocks + part) for part in range(column_blocks)]
    return found


@given(IDS, st.integers(1, 3), st.sampled_from((1, 3, 16)))
@FEW
def test_a_topology_has_the_blocks_of_the_routing(ids: list[list[int]], column_blocks: int, block_m: int) -> None:
    topk_ids = torch.tensor(ids, dtype=torch.int64).view(-1, 2)
    topology = make_topology(topk_ids, EXPERTS, column_blocks, block_m)
    found: list[tuple[tuple[int, ...], int]] = []
    for row, (first, end) in enumerate(zip(topology.offsets[:-1].tolist(), topology.offsets[1:].tolist(), strict=True)):
        assert topology.row_indices[first:end].tolist() == [row] * (end - first)
        routes = topology.sorted_routes[topology.block_start[row] : topology.block_end[row]].tolist()
        found += [(tuple(routes), column) for column in topology.column_indices[first:end].tolist()]
        assert bool(routes) == (end > first)
    assert found == blocks_of(topk_ids, column_blocks, block_m)
    assert bool((topology.column_indices[len(found) :] == EXPERTS * column_blocks).all())


@given(IDS, st.integers(1, 3), st.sampled_from((1, 3, 16)))
@FEW
def test_a_transposed_topology_has_the_same_blocks_by_column(
    ids: list[list[int]], column_blocks: int, block_m: int
) -> None:
    topk_ids = torch.tensor(ids, dtype=torch.int64).view(-1, 2)
    topology = make_topology(topk_ids, EXPERTS, column_blocks, block_m)
    transposed = transpose(topology, EXPERTS * column_blocks)
    blocks = list(zip(topology.column_indices.tolist(), topology.row_indices.tolist(), strict=True))
    for column in range(EXPERTS * column_blocks):
        found = transposed.block_offsets[transposed.offsets[column] : transposed.offsets[column + 1]].tolist()
        assert [blocks[block] for block in found] == [block for block in blocks if block[0] == column]


def test_products_equal_dense_ones_and_padding_is_zero() -> None:
    found = interpreted(PRODUCTS, "compared")
    assert found["padding"]
    assert len(found["products"]) == 3 * len(SIZES)
    for sizes, differences in found["products"].items():
        assert {name: off for name, off in differences.items() if not off < 1e-3} == {}, sizes


@pytest.mark.parametrize("experts", [1, 3, 64])
def test_every_product_is_one_launch_however_many_experts_there_are(experts: int) -> None:
    assert interpreted(PRODUCTS, "launches", experts) == {
        "sdd_kernel": 1,
        "dsd_kernel": 2,  # of the activations, and of their gradients
        "combine_kernel": 2,
        "sdd_backward_kernel": 1,
        "dsd_transposed_kernel": 2,  # of either projection
        "weight_gradient_kernel": 1,
    }


@pytest.mark.parametrize("experts", [1, 64])
def test_the_ledger_counts_launches_by_kernel_and_call(worker_pool: WorkerPool, experts: int) -> None:
    cases = [
        MoeCase(
            num_experts=experts,
            top_k=1,
            hidden=16,
            intermediate=16,
            tokens=tokens,
            expert_tokens=apportion((1.0,) * experts, total=tokens, limit=tokens),
        )
        for tokens in (9, 4)
    ]
    data = [case.model_dump(mode="json") for case in cases]
    with Worker("interpreted", worker_pool=worker_pool) as worker:
        outcome = worker.run(Task(operator="moe", implementation="triton.block_sparse", workload=data))
    assert outcome.first_failure is None
    assert outcome.launched == [{"sdd_kernel": 1, "dsd_kernel": 1, "combine_kernel": 1}] * 2
    assert outcome.launches == 6


@pytest.mark.parametrize("name", [name for name in OPERATOR.workloads if not name.startswith("serving")])
def test_the_fixed_workloads_pass_or_are_refused_for_their_weights(worker_pool: WorkerPool, name: str) -> None:
    workload = OPERATOR.workloads[name]
    with Worker("interpreted", worker_pool=worker_pool) as worker:
        outcome = worker.run(
            Task(operator="moe", implementation="triton.block_sparse", workload=workload.to_data(), relations=False)
        )
    plain = name not in ("quantised", "block_scaled")
    assert [verdict.status.value for verdict in outcome.verdicts] == ["PASSED" if plain else "SKIPPED"] * len(
        workload.cases
    )


OFFLINE = """
import json, sys
from eagerdiff.harness.devices import offline
from eagerdiff.strategies.moe import apportion
from eagerdiff.suites.moe_gradients import OPERATOR
kernels = next(one for one in OPERATOR.implementations if one.name == "triton.block_sparse")
fields = {"num_experts": 8, "top_k": 2, "hidden": 512, "intermediate": 256, "expert_bias": True}
def compiled(*counts, **more):
    spread = [apportion((1.0,) * 8, total=2 * tokens, limit=tokens) for tokens in counts]
    cases = [
        OPERATOR.case(tokens=tokens, expert_tokens=routed, **fields, **more)
        for tokens, routed in zip(counts, spread, strict=True)
    ]
    with offline.capture(sys.argv[1]) as reports:
        offline.launch_all(OPERATOR, kernels, cases)
    return [[one.kernel, one.spill_bytes, one.shared_bytes, one.launches] for one in reports]
growing = compiled(2000, 2001, dtype="bfloat16")
others = [*compiled(513, dtype="bfloat16", weight_first=True), *compiled(1000, dtype="float32", activation="geglu")]
print(json.dumps([growing, others]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("target", SHARED)
def test_every_tuned_configuration_compiles_offline_with_no_spills_and_no_more_of_them_for_more_tokens(
    target: str, tmp_path: Path
) -> None:
    environment = {"TRITON_CACHE_DIR": str(tmp_path), "TRITON_INTERPRET": "0", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", OFFLINE, target]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=250, check=False)
    assert done.returncode == 0, done.stderr[-1000:]
    growing, others = json.loads(done.stdout)
    counts = {kernel: sum(name == kernel for name, *_ in growing) for kernel, *_ in growing}
    assert counts == {
        "sdd_kernel": 3,
        "dsd_kernel": 6,  # of one half or two
        "combine_kernel": 2,  # with weights, without
        "sdd_backward_kernel": 3,
        "dsd_transposed_kernel": 4,
        "weight_gradient_kernel": 1,
    }
    assert {kernel for kernel, *_ in others} == counts.keys()
    assert [report for report in [*growing, *others] if report[1] or report[2] > SHARED[target]] == []
