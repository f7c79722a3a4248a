"""The calls of a workload: each made on guarded inputs, watched, and judged."""

import contextlib
import os
import time
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from eagerdiff.harness.devices import Device, MemoryWatch
from eagerdiff.harness.execution.at_once import STEPS, Made, made_at_once
from eagerdiff.harness.execution.exhibit import Unfit, write
from eagerdiff.harness.execution.exhibit_place import place
from eagerdiff.harness.execution.stage import Announce, Reach, Stage, silently, unheard
from eagerdiff.harness.execution.state.watch import Change, Watch, left_behind
from eagerdiff.harness.judge import (
    Truth,
    ask_mutants,
    broken,
    check_guards,
    check_mutation,
    is_out_of_memory,
    judge,
    judge_memory,
    judge_raise,
    lost_device,
    of_values,
    one_line,
    ours_in_build,
    ours_in_call,
    raised,
    tell_truth,
)
from eagerdiff.harness.judge.exceptions import BUILD
from eagerdiff.harness.judge.omissions import complete
from eagerdiff.harness.judge.reference import run_eager, seed_generators
from eagerdiff.harness.judge.structure import flatten, tensors_by_path
from eagerdiff.harness.judge.truth import free_format
from eagerdiff.harness.ledger import Ledger, Signature, signature
from eagerdiff.harness.memory import GuardedInputs, duplicate, guard, tensors
from eagerdiff.harness.memory.copies import is_thin
from eagerdiff.harness.memory.fill import filled
from eagerdiff.harness.memory.guards import same_bits
from eagerdiff.harness.memory.leaves import replace_tensors
from eagerdiff.harness.model.case import Case
from eagerdiff.harness.model.declined import Declined
from eagerdiff.harness.model.excuse import excused
from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.operator import Inputs, Operator
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict, harness_error, skipped
from eagerdiff.harness.model.workload import Workload


@dataclass
class Call:
    """Hold one judged call, for the relations that come after the workload."""

    index: int
    case: Case
    truth: Truth
    output: Any
    """A copy: the implementation may reuse its buffers."""


@dataclass
class Execution:
    """Run the cases of one workload in order and keep what they gave."""

    operator: Operator
    implementation: Implementation
    workload: Workload
    device: Device
    announce: Announce = silently
    reach: Reach = unheard
    at: int = 0
    """Index of the case that is worked on."""
    relation: str = ""
    """Name of the relation for which it is worked on, once the calls have been judged."""
    function: Callable[..., Any] | None = None
    verdicts: list[Verdict] = field(default_factory=list[Verdict])
    signatures: list[Signature] = field(default_factory=list[Signature])
    """Of each call of compiled code."""
    called_by: list[int] = field(default_factory=list[int])
    """Which case made that call."""
    calls: list[Call] = field(default_factory=list[Call])
    previous: dict[str, torch.Tensor] = field(default_factory=dict[str, torch.Tensor])
    """The last call's output tensors by path: what a stale buffer would hold."""
    kernels: Counter[str] = field(default_factory=Counter[str])
    """How often the last call launched each kernel, where the interpreter ran them."""
    specialisations: dict[tuple[str, str], None] = field(default_factory=dict[tuple[str, str], None])
    """The last call's kernels and what Triton would compile for each on a GPU, where the interpreter ran them."""
    calls_made: bool = False
    """Whether the calls were made at once."""
    made: dict[int, list[Made]] = field(default_factory=dict[int, list[Made]])
    """The calls that were made at once and wait to be judged, by case."""
    build_seconds: float = 0.0
    exhibits: Path | None = None
    """Folder in which what passes is kept, to be judged again by a process that never ran it."""
    state: Watch = field(default_factory=Watch)
    changes: list[Change] = field(default_factory=list[Change])
    """What the implementation changed of this process, which is then of no more use."""
    refused: str = ""
    """What of a kernel the device does not take; there is another one for the whole workload."""
    lost: str = ""
    """Why this process can no longer use the device; it should be replaced."""

    def run(self, ledger: Ledger) -> None:
        """Build once, then call and judge each case in order."""
        for index, case in enumerate(self.workload.cases):
            self.enter(index)
            refused = self.unsupported(case)
            if refused is None and self.function is None:
                failure = self._build(case)
                if failure is not None:
                    rest = failure if failure.status is Status.SKIPPED else skipped("the build failed")
                    self._conclude(failure)
                    self._skip_rest(rest)
                    return
            ledger.at(index)
            self.kernels = Counter()
            if self.implementation.at_once and refused is None and not self.calls_made:
                self._make_at_once()
            self._conclude(refused or self._judge(index, case))
            ledger.launched(self.kernels)
            if self.implementation.hand_written:
                ledger.note(self.specialisations)
            if self.refused:
                self._skip_rest(self.verdicts[-1])
                return
            if self.lost or self.changes:
                gone = "the device was lost" if self.lost else f"{self.changes[0].what} was changed"
                self._skip_rest(skipped(f"{gone} in an earlier call"))
                return

    def enter(self, index: int, relation: str = "") -> None:
        """Turn to a case, to judge its call or to see whether a relation holds."""
        self.at, self.relation = index, relation
        self.announce(index, Stage.HARNESS, relation)

    def _conclude(self, verdict: Verdict) -> None:
        """Add the verdict on the next case, and tell it."""
        self.verdicts.append(verdict)
        self.reach(len(self.verdicts) - 1, verdict, self.kernels)

    def _skip_rest(self, reason: Verdict) -> None:
        self.kernels = Counter()
        for _ in range(len(self.workload.cases) - len(self.verdicts)):
            self._conclude(reason)

    def correct(self, index: int, verdict: Verdict) -> None:
        """Replace the verdict on a case that had passed."""
        self.verdicts[index] = verdict
        self.reach(index, verdict, {})

    @contextlib.contextmanager
    def _under_test(self) -> Generator[None]:
        """Tell that what runs in the context is the implementation, and see what it changes of the process.

        What it raises is its own code too, which may hang where it is written down. Of a process that it forked off,
        nothing is to be told.
        """
        before, pid = self.state.look(), os.getpid()
        self.announce(self.at, Stage.IMPLEMENTATION, self.relation)
        try:
            yield
        except BaseException as error:
            with contextlib.suppress(BaseException):
                str(error)
            raise
        finally:
            if os.getpid() != pid:
                os._exit(0)
            self.changes = self.changes or self.state.changes(before, self.implementation.leaves)
            self.announce(self.at, Stage.HARNESS, self.relation)

    def unsupported(self, case: Case) -> Verdict | None:
        """Return why a case is not for this implementation, or None; a predicate that raises is a harness error."""
        what = "check_inputs"
        try:
            check = self.operator.drawing.check_inputs
            reason = check(case) if check else None
            what = "supports"
            reason = reason or self.implementation.unsupported(case)
        except BaseException as error:  # noqa: BLE001 - becomes the verdict
            return broken(error, Oracle.SUPPORT, what)
        if self._renamed():
            return harness_error(f"{what} changed {self.changes[0]}"[:240], Oracle.SUPPORT)
        return skipped(reason) if reason else None

    def _renamed(self) -> bool:
        """Whether what is not under test has changed names that everybody uses; then the process is of no more use."""
        self.changes = self.changes or self.state.renamed()
        return bool(self.changes)

    def _build(self, case: Case) -> Verdict | None:
        start = time.perf_counter()
        try:
            with self._under_test():
                self.function = self.implementation.build(case)
        except Declined as reason:
            return skipped(str(reason))
        except BaseException as error:  # noqa: BLE001 - becomes the verdict
            if refusal := self._refusal(error):
                return refusal
            if reason := self._excused(case, error):
                return left_behind(self.changes, "the build") if self.changes else reason
            ours = None if is_out_of_memory(error) else ours_in_build(error, self.implementation.build)
            return ours or raised(error, oracle=Oracle.BUILD, prefix=BUILD)
        finally:
            self.build_seconds = time.perf_counter() - start
        return left_behind(self.changes, "the build") if self.changes else None

    def _excused(self, case: Case, refusal: BaseException) -> Verdict | None:
        """Return the skip of a refusal of which one of the implementation's rules is proved, or None."""
        try:
            reason = excused(self.implementation.excuses, case, refusal)
        except BaseException as error:  # noqa: BLE001 - becomes the verdict
            return broken(error, Oracle.SUPPORT, "an excuse")
        return skipped(reason) if reason else None

    def _judge(self, index: int, case: Case) -> Verdict:
        try:
            if self.device.asserts and self.operator.judging.may_raise:
                error = run_eager(self.operator, self.operator.inputs(case, "cpu")).error
                if error is not None and of_values(error):
                    return skipped(f"eager raises on the processor, here it may end the process: {one_line(error)}")
            inputs = self.operator.inputs(case, self.device.torch_device)
            truth = tell_truth(self.operator, inputs)
        except BaseException as error:  # noqa: BLE001 - becomes the verdict
            if is_out_of_memory(error) and self.calls:  # earlier calls may hold it
                return raised(error, oracle=Oracle.OPERATOR, prefix="the operator's own code raised ")
            return broken(error, Oracle.OPERATOR, "the operator's own code")
        if self._renamed():
            return harness_error(f"the operator's own code changed {self.changes[0]}"[:240], Oracle.OPERATOR)
        met = [inputs] if self.operator.judging.calls is None else self.operator.judging.calls(case)
        self.signatures += map(signature, met)
        self.called_by += [index] * len(met)
        try:
            output, verdict = self.call(case, inputs, truth)
        except BaseException as error:  # noqa: BLE001 - an output nobody can compare is a verdict about it
            if not _judges_eager(truth):
                return broken(error, Oracle.JUDGE, "judging")
            return raised(error, oracle=Oracle.JUDGE, prefix="the output cannot be judged: ")
        if verdict.status is Status.PASSED and truth.raised is None:
            again = index > 0 and self.workload.cases[index - 1] == case  # then the last output is the right one
            verdict = ask_mutants(truth, {} if again else self.previous, case.seed).told_in(verdict)
            output = copied(output)
            if any(is_thin(named.tensor) for named in tensors(truth.inputs)):
                # Relations are about values; what lies gigabytes apart is kept for one call at a time.
                truth.inputs = duplicate(truth.inputs).inputs
            self.calls.append(Call(index, case, truth, output))
        # What lies gigabytes apart is kept dense: a worker has no room for it and for the next call's.
        found = tensors_by_path(output)
        self.previous = {path: tensor.clone() if is_thin(tensor) else tensor for path, tensor in found.items()}
        return verdict

    def call(self, case: Case, inputs: Inputs, truth: Truth) -> tuple[Any, Verdict]:
        """Call the implementation on a guarded copy of the inputs, under the device's watch, and judge what it did."""
        answers = [(one.guarded, self._told(one)) for one in self.made.pop(self.at, [])]
        if not answers:
            guarded = guard(inputs)
            answers = [(guarded, self._invoke(guarded, case.seed))]
        for guarded, answer in answers[:-1]:
            output, verdict = self._judged_call(case, inputs, truth, guarded, *answer)
            if verdict.status is not Status.PASSED:
                return output, verdict
        guarded, answer = answers[-1]
        return self._judged_call(case, inputs, truth, guarded, *answer)

    def _judged_call(
        self,
        case: Case,
        inputs: Inputs,
        truth: Truth,
        guarded: GuardedInputs,
        output: Any,
        watch: MemoryWatch,
        failure: Verdict | None,
    ) -> tuple[Any, Verdict]:
        self.kernels = watch.kernels
        self.specialisations = watch.specialisations
        if watch.faults:
            return output, judge_memory(watch)
        if failure is not None:
            verdict = judge_raise(truth, failure) if failure.status is not Status.SKIPPED else failure
            return None, left_behind(self.changes, "the call") if self.changes and not verdict.failed else verdict
        if self.changes:  # reference and judge would run in what it left
            return None, left_behind(self.changes, "the call")
        output = complete(output, truth.output, self.implementation.omits)
        if self.implementation.free_format:
            free_format(truth)
        verdict = check_guards(guarded) or _judged(truth, output, guarded)
        if verdict.status is Status.PASSED and self.exhibits is not None:
            verdict = self._exhibit(verdict, output, guarded)
        if verdict.failed and verdict.oracle is not None and verdict.oracle.of_values:
            verdict = self._unwritten(case, inputs, output) or verdict
        return output, verdict

    def _exhibit(self, verdict: Verdict, output: Any, guarded: GuardedInputs) -> Verdict:
        """Keep what a call gave; what cannot be kept is not said to have passed."""
        assert self.exhibits is not None
        try:
            write(place(self.exhibits, self.at), output, guarded)
        except (Unfit, OSError) as error:
            return skipped(f"it passed where it ran, and cannot be judged in a clean process: {error}"[:240])
        return verdict

    def _invoke(self, guarded: GuardedInputs, seed: int) -> tuple[Any, MemoryWatch, Verdict | None]:
        assert self.function is not None
        seed_generators()
        with self.device.watch(seed % (1 << 31)) as watch:
            try:
                with self._under_test():
                    output = self.function(*guarded.inputs.args, **dict(guarded.inputs.options))
                    if self.device.torch_device == "cuda":
                        torch.cuda.synchronize()
            except BaseException as error:  # noqa: BLE001 - becomes the verdict
                self.lost = "" if isinstance(error, Declined) else lost_device(error)
                return None, watch, self._refused(error)
        return output, watch, None

    def _told(self, made: Made) -> tuple[Any, MemoryWatch, Verdict | None]:
        """Return what `_invoke` does, of a call that was made at once with others."""
        error = made.answer.error
        return made.answer.output, made.watch, None if error is None else self._refused(error)

    def _refused(self, error: BaseException) -> Verdict:
        """Return the verdict on what a call raised: a skip where it is declined or excused."""
        if isinstance(error, Declined):
            return skipped(str(error))
        case = self.workload.cases[self.at]
        return self._refusal(error) or self._excused(case, error) or ours_in_call(error) or raised(error)

    def _refusal(self, error: BaseException) -> Verdict | None:
        """Return the skip of what the device does not take, for which another one stands in."""
        self.refused = self.refused or (self.device.stand_in and self.device.refusal(error))
        return skipped(f"the device {self.device.name} does not take {self.refused}") if self.refused else None

    def _make_at_once(self) -> None:
        """Make all calls that are supported, each in a thread and once more in another; they compile meanwhile.

        What goes wrong before a call is made is told where it is judged.
        """
        assert self.function is not None
        self.calls_made = True
        given: list[dict[int, GuardedInputs]] = [{} for _ in range(STEPS)]
        for index, case in enumerate(self.workload.cases):
            if index < self.at or self.unsupported(case) is not None:
                continue
            with contextlib.suppress(Exception):
                for arguments in given:
                    arguments[index] = guard(self.operator.inputs(case, self.device.torch_device))
        seed_generators()
        with self.device.watch() as watch, self._under_test():
            for index, made in made_at_once(self.function, given, watch):
                self.made.setdefault(index, []).append(made)

    def again(self, inputs: Inputs, seed: int) -> tuple[Any, Inputs, Verdict | None]:
        """Call once more, not accounted for: output, arguments after the call, verdict where it went wrong."""
        if told := self.told_of_relation():
            return None, inputs, told
        guarded = guard(inputs)
        output, watch, failure = self._invoke(guarded, seed)
        if watch.faults:
            failure = judge_memory(watch)
        if self.implementation.omits and failure is None:
            output = complete(output, run_eager(self.operator, inputs).output, self.implementation.omits)
        return output, guarded.inputs, failure or check_guards(guarded)

    def told_of_relation(self) -> Verdict | None:
        """Return a harness error where the relation's own code has changed names that everybody uses."""
        if not self._renamed():
            return None
        reason = f"relation {self.relation} changed {self.changes[0]}"
        return harness_error(reason[:240], Oracle.RELATION).model_copy(update={"relation": self.relation})

    def _unwritten(self, case: Case, inputs: Inputs, output: Any) -> Verdict | None:
        """Call again with other contents in uninitialised memory: what changes was never written."""
        same, _, failed = self._invoke(guard(inputs), case.seed)
        if failed is not None or not _equal(same, output):
            return None
        with filled(1536.0):
            other, _, failed = self._invoke(guard(inputs), case.seed)
        if failed is not None:
            return None
        pairs = zip(flatten(output), flatten(other), strict=False)
        changed = next((one.path for one, two in pairs if not _equal(one.value, two.value)), None)
        if changed is None:
            return None
        reason = "the output changes with what uninitialised memory held before the call"
        return Verdict(status=Status.UNWRITTEN, reason=reason, oracle=Oracle.UNWRITTEN, output=changed)


def copied(output: Any) -> Any:
    """Copy every tensor of a nested output."""
    return replace_tensors(Inputs((output,)), lambda tensor: tensor.detach().clone()).args[0]


def _judged(truth: Truth, output: Any, guarded: GuardedInputs) -> Verdict:
    """Judge the output, then the inputs; a changed input is told first, for it explains the rest."""
    return check_mutation(truth, guarded) or judge(truth, output, guarded.inputs)


def _judges_eager(truth: Truth) -> bool:
    """Whether the judge manages eager's own output: then another that it chokes on is to blame."""
    try:
        judge(truth, copied(truth.output), truth.inputs)
    except BaseException:  # noqa: BLE001 - that is the answer
        return False
    return True


def _equal(one: Any, other: Any) -> bool:
    pairs = list(zip(flatten(one), flatten(other), strict=False))
    return all(
        same_bits(mine.value, theirs.value)
        if isinstance(mine.value, torch.Tensor) and isinstance(theirs.value, torch.Tensor)
        else mine.value == theirs.value or mine.value != mine.value
        for mine, theirs in pairs
    )
