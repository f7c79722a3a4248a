"""What passes of an implementation that is not ours is judged again where it never ran."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch

from eagerdiff.harness.catalog.plugin import Spec
from eagerdiff.harness.catalog.provenance import is_shipped
from eagerdiff.harness.devices import parse
from eagerdiff.harness.execution.exhibit import Unfit, read, replace_leaves, write
from eagerdiff.harness.execution.exhibit_place import place
from eagerdiff.harness.execution.rejudging import judge_again
from eagerdiff.harness.memory import guard
from eagerdiff.harness.model.operator import Inputs
from eagerdiff.harness.model.verdict import Status
from eagerdiff.harness.model.workload import Workload
from eagerdiff.harness.processes import Limits, Task, Worker, WorkerPool
from eagerdiff.strategies.cases.block_copy import BlockCopyCase
from eagerdiff.suites.block_copy import OPERATOR as block_copy
from eagerdiff.suites.tests.ending import soon
from eagerdiff.suites.tests.misbehaving import IMPLEMENTATIONS, OPERATOR, SPEC

PLUGIN = """
import sys, torch
from eagerdiff import Implementation

def right(x):
    return x * 2

def hang_later(x):
    if x.numel() == 4:
        print("hangs", flush=True)
        while True: pass
    return x * 2

def build_cheating(case):
    # By what no comparison of names sees: the class of the truth is asked for its methods.
    leaf = sys.modules["eagerdiff.harness.judge.leaf"]
    leaf.LeafTruth.tolerates = lambda *_: True
    judged = sys.modules["eagerdiff.harness.judge.judge"]
    from eagerdiff.harness.model.verdict import passed
    judged.check_leaf.__code__ = (lambda leaf, value: __import__(
        "eagerdiff.harness.model.verdict", fromlist=["passed"]).passed()).__code__
    judged.compare.__code__ = (lambda truth, output, after=None: __import__(
        "eagerdiff.harness.model.verdict", fromlist=["passed"]).passed()).__code__
    return lambda x: x * 3

def build_writing(case):
    def compute(x):
        twice = x * 2
        x.zero_()
        return twice
    return compute

def build_passing_mutation(case):
    judged = sys.modules["eagerdiff.harness.memory.guards"]
    judged.GuardedInputs.changed = lambda self: []
    return build_writing(case)

IMPLEMENTATIONS = [
    Implementation(operator="doubling", name=name, build=build, devices=("cpu",))
    for name, build in {
        "acme.right": lambda case: right,
        "acme.cheating": build_cheating,
        "acme.writing": build_passing_mutation,
        "acme.hanging": lambda case: hang_later,
    }.items()
]
"""


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("acme") / "acme.py"
    file.write_text(PLUGIN)
    return f"{file}:IMPLEMENTATIONS"


@pytest.fixture(scope="module")
def worker(plugin: str) -> Iterator[Worker]:
    with WorkerPool([SPEC], [plugin]) as worker_pool, Worker("cpu", Limits(), worker_pool) as worker:
        yield worker


@pytest.mark.parametrize(
    ("name", "status", "said"),
    [
        ("acme.right", Status.PASSED, ""),
        ("acme.cheating", Status.WRONG_VALUE, "where it ran it had PASSED"),
        ("acme.writing", Status.WRONG_MUTATION, "where it ran it had PASSED"),
    ],
)
def test_a_kernel_that_has_its_own_judge_say_yes_is_found_out(
    worker: Worker, plugin: str, name: str, status: Status, said: str
) -> None:
    outcome = worker.run(Task(operator=SPEC, implementation=name, workload=[{"size": 3}] * 2, plugins=(Spec(plugin),)))
    assert [verdict.status for verdict in outcome.verdicts] == [status] * 2
    assert all(said in verdict.reason for verdict in outcome.verdicts)


def test_what_ships_is_judged_once() -> None:
    shipped = IMPLEMENTATIONS[0]
    assert is_shipped(OPERATOR, shipped, [])
    assert is_shipped(OPERATOR, _copy(shipped), [SPEC])


@pytest.mark.parametrize("specs", [[], ["/somewhere/acme.py:IMPLEMENTATION"], [SPEC, "acme:IMPLEMENTATION"]])
def test_what_was_plugged_in_is_not_ours_whatever_it_was_made_with(specs: list[str]) -> None:
    assert not is_shipped(OPERATOR, _copy(IMPLEMENTATIONS[0]), specs)


def _copy(implementation: Any) -> Any:
    return type(implementation)(operator="doubling", name="acme.copy", build=implementation.build)


class Pair(NamedTuple):
    first: torch.Tensor
    second: int


OUTPUTS = [
    torch.randn(3, 4).t(),
    (torch.zeros(0, 3), None, 7, 1.5, True, "text"),
    {"a": [torch.ones(2, dtype=torch.bfloat16)], "b": Pair(torch.arange(3)[::2], 3)},
    torch.randn(2, 3, dtype=torch.complex64).conj(),
    torch.ones(1).expand(4, 5),
    torch.tensor(float("nan"), dtype=torch.float8_e4m3fn) if hasattr(torch, "float8_e4m3fn") else torch.ones(1),
]


@pytest.mark.parametrize("output", OUTPUTS, ids=range(len(OUTPUTS)))
def test_an_exhibit_holds_every_bit(tmp_path: Path, output: Any) -> None:
    given = guard(Inputs((torch.arange(5),)))
    given.inputs.args[0][1] = 9
    write(tmp_path / "0", output, given)
    exhibit = read(tmp_path / "0")
    leaves = iter(exhibit.leaves)
    again = replace_leaves(output, lambda _: next(leaves))
    for mine, theirs in zip(_leaves(output), _leaves(again), strict=True):
        if isinstance(mine, torch.Tensor):
            assert (mine.dtype, mine.shape, mine.stride()) == (theirs.dtype, theirs.shape, theirs.stride())
            assert torch.equal(
                torch.nan_to_num(mine.to(torch.complex128)), torch.nan_to_num(theirs.to(torch.complex128))
            )
        else:
            assert mine == theirs
    assert exhibit.storages[0].view(torch.int64).tolist() == [0, 9, 2, 3, 4]


def test_what_is_no_plain_memory_cannot_be_kept(tmp_path: Path) -> None:
    with pytest.raises(Unfit):
        write(tmp_path / "0", torch.eye(2).to_sparse(), guard(Inputs(())))


def _leaves(value: Any) -> list[Any]:
    found: list[Any] = []
    replace_leaves(value, found.append)
    return found


KILLED = """
import sys
from eagerdiff.harness.catalog.plugin import Spec
from eagerdiff.harness.processes import Limits, WorkerPool, Task, Worker
from eagerdiff.harness.processes.judgement import prefix
from eagerdiff.suites.tests.misbehaving import SPEC
plugin = Spec(sys.argv[1])
with WorkerPool([SPEC], [plugin]) as worker_pool, Worker("cpu", Limits(case_seconds=100), worker_pool) as worker:
    print(prefix(), flush=True)
    workload = [{"size": 3}, {"size": 4}]
    worker.run(Task(operator=SPEC, implementation="acme.hanging", plugins=(plugin,), workload=workload))
"""


def test_what_a_campaign_that_is_killed_kept_to_be_judged_again_goes(plugin: str) -> None:
    parent = subprocess.Popen([sys.executable, "-c", KILLED, plugin], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    begins = Path(parent.stdout.readline().strip())
    assert soon(lambda: folders(begins) != [])
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert soon(lambda: folders(begins) == [])


def folders(prefix: Path) -> list[Path]:
    return list(prefix.parent.glob(f"{prefix.name}*"))


@pytest.mark.parametrize(("writes", "status"), [(True, Status.PASSED), (False, Status.WRONG_MUTATION)])
def test_arguments_too_far_to_copy_are_judged_again_as_the_call_left_them(
    writes: bool, status: Status, tmp_path: Path
) -> None:
    case = BlockCopyCase(num_blocks=3, num_pairs=1, block_size=4, head_dim=8, layouts=(("key_cache", "far"),))
    after = guard(block_copy.inputs(case, "cpu"))
    assert len(after.thin) == 1
    output = block_copy.reference(*after.inputs.args, **after.inputs.options) if writes else None
    write(place(tmp_path, 0), output, after)
    (verdict,) = judge_again(block_copy, Workload.of(case), tmp_path, parse("cpu")).verdicts
    assert verdict.status is status, verdict.describe()
