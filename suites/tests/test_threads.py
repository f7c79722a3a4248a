"""Calls at once: judged as one after another, each with its own arguments; each finds what no serial call does."""

import sys
from pathlib import Path

import pytest
import torch
from torch import Tensor

from eagerdiff import Case, Implementation, Inputs, Mode, Operator, Outcome, Status, Workload, dynamic
from eagerdiff.compiled.backend import AOT_EAGER, DYNAMO
from eagerdiff.compiled.torch_compile import Compilable, always
from eagerdiff.compiled.variant import THREADS, THREADS_AUTOMATIC
from eagerdiff.harness.devices import parse
from eagerdiff.harness.execution.at_once import at_once
from eagerdiff.harness.execution.execution import execute
from eagerdiff.harness.model.verdict import Oracle, Verdict
from eagerdiff.harness.processes import Limits, Task, Worker, WorkerPool
from eagerdiff.harness.processes.fresh_process import run_fresh
from eagerdiff.harness.repro.script import Form, UnscriptableError, render
from eagerdiff.harness.repro.verification import control
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.suites.tests.misbehaving import Doubling
from eagerdiff.suites.tests.threaded import FAULTS, OPERATOR, SPEC

CPU = parse("cpu")
TOLD = {one.name: one for one in OPERATOR.implementations}
SIZES = (5, 8, 13, 2)
WRONG = {"shared_buffer": Status.WRONG_VALUE, "lazy_table": Status.WRONG_VALUE, "current_size": Status.WRONG_SHAPE}


@pytest.fixture(autouse=True, scope="module")
def activated() -> None:
    CPU.activate()


def run(name: str, *sizes: int) -> Outcome:
    workload = Workload(tuple(Doubling(size=size, seed=at) for at, size in enumerate(sizes)))
    return execute(OPERATOR, TOLD[name], workload, CPU)


@pytest.mark.parametrize("name", [*FAULTS, "locked", "locked.at_once"])
def test_one_call_after_another_and_what_waits_for_its_turn_are_right(name: str) -> None:
    assert [one.status for one in run(name, *SIZES).verdicts] == [Status.PASSED] * 4


@pytest.mark.parametrize("name", WRONG)
def test_calls_at_once_find_what_no_serial_call_does(name: str) -> None:
    found = [one.status for one in run(f"{name}.at_once", *SIZES).verdicts]
    assert WRONG[name] in found


def test_a_deadlock_is_a_time_out() -> None:
    limits = Limits(memory=1 << 30, case_seconds=20, idle_seconds=2.0)
    with WorkerPool([SPEC]) as pool, Worker("cpu", limits, pool) as worker:

        def outcome(name: str) -> Outcome:
            return worker.run(Task(operator=SPEC, implementation=name, workload=[{"size": 3}, {"size": 4}]))

        assert outcome("crossed_locks").first_failure is None
        hanging = outcome("crossed_locks.at_once")
        assert hanging.workload.status is Status.TIMED_OUT
        assert "no CPU used" in hanging.workload.reason


def test_each_call_is_told_its_own_answer_and_what_it_raised() -> None:
    def refuse() -> int:
        raise ValueError("no")

    before = sys.getswitchinterval()
    answers = at_once([[lambda: 1, lambda: 2], [refuse, lambda: 3]])
    assert [[one.output for one in ours] for ours in answers] == [[1, 2], [None, 3]]
    assert [type(one.error) for one in answers[1]] == [ValueError, type(None)]
    assert sys.getswitchinterval() == before


def test_threads_have_the_settings_of_their_process() -> None:
    import torch._inductor.config as inductor_config

    with inductor_config.patch(max_fusion_size=7):
        ((answer,),) = at_once([[lambda: inductor_config.max_fusion_size]])
    assert answer.output == 7


class Square(Case):
    """Name the size of a matrix."""

    a: int = dynamic(4)


def matrix(case: Square, device: str) -> Inputs:
    return Inputs((torch.randn(case.a, case.a, generator=torch.Generator().manual_seed(case.seed)),))


def affine(x: Tensor) -> Tensor:
    return x.mT @ x * 2.5 + x


def ways() -> dict[str, Implementation[Square]]:
    made = Compilable[Square](operator="squares", function=always(affine)).implementations(
        backends=(DYNAMO, AOT_EAGER), modes=(Mode.DYNAMIC,), variants=(THREADS, THREADS_AUTOMATIC)
    )
    return {one.name: one for one in made}


def squares(implementation: Implementation[Square], *sizes: int) -> Outcome:
    cases = tuple(Square(a=size, seed=at) for at, size in enumerate(sizes))
    return execute(_operator(), implementation, Workload(cases), CPU)


def _operator() -> Operator[Square]:
    return Operator(name="squares", case=Square, inputs=matrix, reference=affine, cases=lambda: None)  # pyright: ignore


@pytest.mark.parametrize("way", ["dynamo.automatic+threads", "aot_eager.dynamic+threads"])
def test_compiled_calls_at_once_are_right(way: str) -> None:
    outcome = squares(ways()[way], 4, 7, 1, 0, 9)
    assert outcome.first_failure is None
    assert {record.call for record in outcome.compiles if record.layer == "dynamo"} == {0}, "all compiled at once"


def test_what_draws_random_numbers_is_not_called_at_once() -> None:
    compilable = Compilable(operator="squares", function=always(affine), random=lambda case: True)
    (one,) = compilable.implementations(backends=(AOT_EAGER,), modes=(), variants=(THREADS,))
    assert "no order" in (one.supports(Square()) or "")


def finding(status: Status) -> Finding:
    cases = tuple(Square(a=size, seed=at) for at, size in enumerate((4, 7)))
    verdict = Verdict(status=status, reason="it differs", oracle=Oracle.ELEMENTWISE)
    return Finding(
        operator="squares",
        implementation="aot_eager.dynamic+threads",
        device="cpu",
        workload=Workload(cases).to_data(),
        verdict=verdict,
    )


@pytest.mark.slow
def test_a_script_makes_the_calls_at_once(tmp_path: Path) -> None:
    implementation = ways()["aot_eager.dynamic+threads"]
    script = render(finding(Status.WRONG_VALUE), _operator(), implementation, Form())
    racing = "\nfirst = []\ndef implementation(x):\n    import time\n    first.append(x)\n    time.sleep(0.5)\n"
    racing += "    return reference(first[-1])\ncalls = ["
    planted = script.replace("\ncalls = [", racing, 1)
    codes = [
        run_fresh([sys.executable, str(_written(tmp_path, one))], 100)[0] for one in (script, control(script), planted)
    ]
    assert codes == [0, 0, 1]
    with pytest.raises(UnscriptableError, match="at once"):
        render(finding(Status.NONDETERMINISTIC), _operator(), implementation, Form())


def _written(folder: Path, script: str) -> Path:
    file = folder / "script.py"
    file.write_text(script)
    return file
