"""Experts spread over ranks: the truth against the operator that routes, what is drawn, what ships, ranks that fail."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from eagerdiff import Inputs, Relation, Status, Workload
from eagerdiff.compiled.expert_parallel.calls import build_eager, split
from eagerdiff.compiled.expert_parallel.ranks import RankExhausted, RankFailed, RankGroup
from eagerdiff.harness.judge import raised as verdict_on
from eagerdiff.harness.mutation.faults import plant, read_faults
from eagerdiff.harness.processes import Limits, Task, Worker, WorkerPool
from eagerdiff.reference.expert_parallel import expert_parallel, magnitude
from eagerdiff.strategies.cases.expert_parallel import ExpertParallelCase
from eagerdiff.strategies.expert_parallel import cases, inputs
from eagerdiff.suites.expert_parallel import OPERATOR, RELATIONS, cost
from eagerdiff.suites.tests import failing_ranks
from eagerdiff.suites.tests.ending import alive, end_soon
from eagerdiff.suites.tests.examples import FEW
from eagerdiff.suites.tests.generated import draw_edge, judge_generated, two_calls

FAULTS = [fault for path in sorted(Path(str(OPERATOR.extras.faults)).glob("*.yaml")) for fault in read_faults(path)]
SMALL_WORKLOADS = [name for name in OPERATOR.workloads if not name.startswith("serving")]


@pytest.fixture(scope="module")
def worker(worker_pool: WorkerPool) -> Iterator[Worker]:
    with Worker("cpu", worker_pool=worker_pool) as worker:
        yield worker


@pytest.fixture(scope="module")
def eager() -> Callable[..., list[Tensor]]:
    return build_eager(None)


@pytest.fixture
def group() -> Iterator[RankGroup]:
    group = RankGroup(2, "cpu", seconds=3.0)
    yield group
    group.end()


def in_float64(given: Inputs) -> Inputs:
    tensors = (tensor.double() if tensor.is_floating_point() else tensor for tensor in given.args)
    return Inputs(tuple(tensors), given.options)


def mix(given: Inputs) -> list[Tensor]:
    return expert_parallel(*given.args, **given.options)


def mix_token_by_token(given: Inputs) -> Tensor:
    """Compute one route after another, from the definition."""
    x, topk_ids, topk_weights, w_gate_up, w_down = given.args
    output = torch.zeros_like(x)
    for token, slot in (topk_ids >= 0).nonzero().tolist():
        expert = int(topk_ids[token, slot])
        gate, up = (w_gate_up[expert] @ x[token]).chunk(2)
        output[token] += topk_weights[token, slot] * (w_down[expert] @ (gate * gate.sigmoid() * up))
    return output


@given(cases())
@FEW
def test_the_reference_agrees_with_the_definition(case: ExpertParallelCase) -> None:
    exact = in_float64(inputs(case, "cpu"))
    outputs = mix(exact)
    assert [len(output) for output in outputs] == list(case.tokens_per_rank)
    torch.testing.assert_close(torch.cat(outputs), mix_token_by_token(exact), rtol=1e-9, atol=1e-9)


@given(cases())
@FEW
def test_the_terms_bound_the_output(case: ExpertParallelCase) -> None:
    exact = in_float64(inputs(case, "cpu"))
    terms = torch.cat(magnitude(*exact.args, **exact.options))
    assert bool((torch.cat(mix(exact)).abs() <= terms * (1 + 1e-9) + 1e-12).all())


@given(cases())
@FEW
def test_the_data_give_the_counts_wanted(case: ExpertParallelCase) -> None:
    _, topk_ids, *_ = inputs(case, "cpu").args
    experts = sum(case.experts_per_rank)
    assert tuple(torch.bincount(topk_ids[topk_ids >= 0], minlength=experts).tolist()) == case.expert_tokens
    assert int((topk_ids < 0).all(1).sum()) >= case.dropped_tokens
    assert all(len(set(row)) == len(row) for row in ([i for i in ids if i >= 0] for ids in topk_ids.tolist()))


@given(st.data())
@FEW
def test_further_cases_share_the_static_key(data: st.DataObject) -> None:
    two_calls(OPERATOR, data)


def loads(case: ExpertParallelCase) -> list[int]:
    """Return how many routes end on each rank."""
    return [int(part.sum()) for part in torch.tensor(case.expert_tokens).split(list(case.experts_per_rank))]


EDGES: dict[str, Callable[[ExpertParallelCase], bool]] = {
    "one rank": lambda case: case.world_size == 1 and sum(case.expert_tokens) > 0,
    "four ranks": lambda case: case.world_size == 4 and min(case.tokens_per_rank) > 0 < min(loads(case)),
    "an odd number of ranks": lambda case: case.world_size == 3 and any(loads(case)),
    "eight ranks": lambda case: case.world_size == 8 and any(loads(case)[4:]),
    "a rank without tokens": lambda case: (
        case.attention_ranks is None and 0 in case.tokens_per_rank and any(loads(case))
    ),
    "no tokens at all": lambda case: case.world_size > 1 and not any(case.tokens_per_rank),
    "uneven tokens": lambda case: 0 < 4 * min(case.tokens_per_rank) < max(case.tokens_per_rank),
    "uneven placement": lambda case: 0 < min(case.experts_per_rank) < max(case.experts_per_rank),
    "a rank without experts": lambda case: case.attention_ranks is None and 0 in case.experts_per_rank,
    "one attention rank, three of experts": lambda case: (case.world_size, case.attention_ranks) == (4, 1),
    "three attention ranks, one of experts": lambda case: (case.world_size, case.attention_ranks) == (4, 3),
    "all to one rank": lambda case: (
        min(case.experts_per_rank) > 0 and sorted(loads(case))[-2:-1] == [0] and any(loads(case))
    ),
    "an expert without tokens": lambda case: 0 in case.expert_tokens and any(case.expert_tokens),
    "nothing routed": lambda case: any(case.tokens_per_rank) and not any(case.expert_tokens),
    "dropped tokens": lambda case: 0 < case.dropped_tokens < sum(case.tokens_per_rank) and case.poison,
    "dropped routes": lambda case: (
        0 < sum(case.expert_tokens) < (sum(case.tokens_per_rank) - case.dropped_tokens) * case.top_k
    ),
    "several routes": lambda case: case.top_k > 2,
}


@pytest.mark.parametrize("edge", EDGES)
def test_edges_are_drawn(edge: str) -> None:
    draw_edge(OPERATOR, EDGES[edge])


def test_a_case_that_cannot_be_built_is_refused() -> None:
    for wrong, message in (
        ({"tokens_per_rank": (1,)}, "1 entries for 2 ranks"),
        ({"tokens_per_rank": (1, -1)}, "no negative"),
        ({"expert_tokens": (1,)}, "1 entries for 2 experts"),
        ({"expert_tokens": (3, 0)}, "each of expert_tokens"),
        ({"expert_tokens": (2, 2)}, "sum to more"),
        ({"top_k": 3}, "above the 2 experts"),
        ({"attention_ranks": 1}, "the first 1 ranks hold all tokens"),
    ):
        with pytest.raises(ValueError, match=message):
            ExpertParallelCase.model_validate(wrong)


@pytest.mark.parametrize("relation", RELATIONS, ids=[relation.name for relation in RELATIONS])
def test_relations_hold_for_the_reference(relation: Relation) -> None:
    @given(cases())
    @FEW
    def holds(case: ExpertParallelCase) -> None:
        exact = in_float64(inputs(case, "cpu"))
        changed, expected = relation.transform(exact, torch.Generator().manual_seed(case.seed))
        torch.testing.assert_close(mix(changed), expected(mix(exact)), rtol=1e-9, atol=1e-9)

    holds()


def test_cost_counts_active_experts_and_rows_that_travel() -> None:
    counted = cost(ExpertParallelCase(tokens_per_rank=(3, 0), expert_tokens=(2, 0), dtype="float16"))
    assert counted.flops == 6 * 2 * 4 * 4
    assert counted.bytes == 2 * (3 * 4 * 4 + (2 * 3 + 2 * 2) * 4)


def test_a_rank_is_sent_its_own_rows_alone() -> None:
    case = ExpertParallelCase(experts_per_rank=(1, 3), tokens_per_rank=(40, 2), expert_tokens=(9, 0, 0, 0))
    given = inputs(case, "cpu")
    parts = split(given.args, **given.options)
    assert [len(part[2]) for part in parts] == [40, 2]
    assert [len(part[5]) for part in parts] == [1, 3]
    assert all(tensor.untyped_storage().nbytes() == tensor.nbytes for part in parts for tensor in part[2:])


@given(cases(), st.data())
@settings(FEW, max_examples=20)
def test_an_empty_rank_added_changes_nothing(
    eager: Callable[..., list[Tensor]], case: ExpertParallelCase, data: st.DataObject
) -> None:
    """The world size is static, so this is no relation of the operator's."""
    given = in_float64(inputs(case, "cpu"))
    place = data.draw(st.integers(0, case.world_size))
    counts = {name: (*row[:place], 0, *row[place:]) for name, row in given.options.items()}
    outputs = eager(*given.args, **counts)
    assert outputs.pop(place).shape == (0, case.hidden)
    torch.testing.assert_close(outputs, mix(given), rtol=1e-9, atol=1e-9)


@given(cases())
@settings(FEW, max_examples=20)
def test_one_rank_alone_gives_what_many_give(eager: Callable[..., list[Tensor]], case: ExpertParallelCase) -> None:
    given = in_float64(inputs(case, "cpu"))
    counts = {name: (sum(row),) for name, row in given.options.items()}
    torch.testing.assert_close(eager(*given.args, **counts)[0], torch.cat(mix(given)), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    ("implementation", "examples"),
    [("eager", 20), pytest.param("aot_eager.unbacked", 5, marks=pytest.mark.slow)],
)
def test_implementations_pass_generated_cases(worker: Worker, implementation: str, examples: int) -> None:
    judged = judge_generated(worker, OPERATOR, implementation, examples)
    assert judged.count(Status.PASSED) >= examples


@pytest.mark.parametrize("implementation", ["eager", pytest.param("aot_eager.unbacked", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", SMALL_WORKLOADS)
def test_implementations_pass_the_fixed_workloads(worker: Worker, implementation: str, name: str) -> None:
    workload = OPERATOR.workloads[name].to_data()
    outcome = worker.run(Task(operator="expert_parallel", implementation=implementation, workload=workload))
    assert [verdict.status for verdict in outcome.verdicts] == [Status.PASSED] * len(workload)


@pytest.mark.slow
def test_inductor_compiles_the_step_with_unbacked_splits(worker: Worker) -> None:
    workload = OPERATOR.workloads["two_ranks"].to_data()
    task = Task(operator="expert_parallel", implementation="inductor.unbacked", workload=workload, relations=False)
    outcome = worker.run(task)
    assert [verdict.status for verdict in outcome.verdicts] == [Status.PASSED] * len(workload)


FAILURES: dict[str, tuple[Callable[..., Any], str, str]] = {
    "killed": (failing_ranks.be_killed, "rank 1 of 2 died: ended by SIGKILL", "rank 0 of 2 bereft: lost another rank"),
    "raised": (failing_ranks.raise_midway, "rank 1 of 2 raised: KeyError: 'expert 7'", "rank 0 of 2 bereft"),
    "ended": (failing_ranks.exit_midway, "rank 1 of 2 died: ended with status 0", "rank 0 of 2 bereft"),
    "left": (failing_ranks.leave_early, "rank 0 of 2 silent: no answer", "no rank computed for 2 s"),
    "hung": (failing_ranks.hang, "rank 0 of 2 silent", "rank 1 of 2 silent: no answer, and no rank computed for 3 s"),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_every_rank_and_the_caller_learn_of_a_failure_in_time(group: RankGroup, failure: str) -> None:
    function, *told = FAILURES[failure]
    arguments = [(0, 2), (1, 2)]
    assert group.run(failing_ranks.add_up, arguments) == [1.0, 1.0]
    pids, began = group.pids, time.monotonic()
    with pytest.raises(RankFailed) as raised:
        group.run(function, arguments)
    assert time.monotonic() - began < 60  # within seconds on a machine that does nothing else
    assert all(text in str(raised.value) for text in told), str(raised.value)
    assert not any(map(alive, pids))
    assert group.run(failing_ranks.add_up, arguments) == [1.0, 1.0]
    assert group.starts == 2


def test_memory_that_runs_out_on_a_rank_is_told_by_the_type(group: RankGroup) -> None:
    with pytest.raises(RankExhausted, match="rank 1 of 2 raised: MemoryError: no room") as raised:
        group.run(failing_ranks.run_out_of_memory, [(0, 2), (1, 2)])
    assert verdict_on(raised.value).status is Status.OUT_OF_MEMORY


def test_one_of_four_that_dies_is_named_by_all(worker_pool: WorkerPool) -> None:
    group = RankGroup(4, "cpu", seconds=3.0)
    try:
        with pytest.raises(RankFailed, match="rank 3 of 4 died") as raised:
            group.run(failing_ranks.be_killed, [(rank, 4) for rank in range(4)])
        assert all(f"rank {rank} of 4 bereft" in str(raised.value) for rank in range(3))
    finally:
        group.end()


def test_a_rank_killed_between_two_calls_is_noticed_by_the_next(group: RankGroup) -> None:
    arguments = [(0, 2), (1, 2)]
    group.run(failing_ranks.add_up, arguments)
    group._processes[0].kill()
    group._processes[0].join()
    with pytest.raises(RankFailed, match="rank 0 of 2 died: ended by SIGKILL"):
        group.run(failing_ranks.add_up, arguments)
    assert group.run(failing_ranks.add_up, arguments) == [1.0, 1.0]


def test_a_rank_that_computes_is_waited_for_however_long(group: RankGroup) -> None:
    assert group.run(failing_ranks.compute_long, [(0, 2), (1, 2)]) == [1.0, 1.0]
    assert group.starts == 1


def test_a_slow_rank_is_waited_for(group: RankGroup) -> None:
    assert group.run(failing_ranks.be_slow, [(0, 2), (1, 2)]) == [1.0, 1.0]
    assert group.starts == 1


def test_ranks_end_with_the_process_that_started_them(worker_pool: WorkerPool) -> None:
    with Worker("cpu", worker_pool=worker_pool) as worker:
        workload = OPERATOR.workloads["two_ranks"].to_data()
        assert (
            worker.run(Task(operator="expert_parallel", implementation="eager", workload=workload)).first_failure
            is None
        )
        children = ranks_of(worker.pid)
        assert len(children) == 2
    assert end_soon(children)


def ranks_of(pid: int | None) -> list[int]:
    """Return the children of a process."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_faults_are_many_and_distinct() -> None:
    assert len(FAULTS) >= 15
    assert len({(fault.implementation, fault.text, fault.replacement) for fault in FAULTS}) == len(FAULTS)


@pytest.mark.parametrize("name", ["ep.offset_twice", "ep.combined_in_received_order", "ep.rank_without_tokens_skips"])
def test_a_planted_fault_is_found_by_a_generated_case(worker_pool: WorkerPool, tmp_path: Path, name: str) -> None:
    """Three stand for all here: `eagerdiff selfcheck` searches for every one of them."""
    fault = next(fault for fault in FAULTS if fault.id == name)
    found: list[str] = []
    root = str(plant(fault, tmp_path))
    task = Task(operator="expert_parallel", implementation=fault.implementation, workload=[], source_root=root)

    @given(cases())
    @settings(FEW, max_examples=60)
    def search(case: ExpertParallelCase) -> None:
        if not found and (failure := worker.run(task.with_cases(Workload.of(case))).first_failure):
            found.append(failure.decided_by)

    with Worker("cpu", Limits(case_seconds=20), worker_pool) as worker:
        search()
    assert found
