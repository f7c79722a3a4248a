"""Run one workload in this process and say what came of it."""

import random
import time
from pathlib import Path

import torch

from eagerdiff.harness.catalog.provenance import is_ours
from eagerdiff.harness.catalog.requirements import unmet
from eagerdiff.harness.devices import Device
from eagerdiff.harness.execution.calls import Call, Execution
from eagerdiff.harness.execution.stage import Announce, Reach, silently, unheard
from eagerdiff.harness.execution.state.watch import Watch, left_behind
from eagerdiff.harness.internals import dynamo_metrics
from eagerdiff.harness.judge import broken
from eagerdiff.harness.judge.compiles import check_compiles
from eagerdiff.harness.judge.relations import check_recall, check_relation, check_rerun
from eagerdiff.harness.ledger import Ledger
from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.operator import Operator
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict, skipped
from eagerdiff.harness.model.workload import Workload


def execute(
    operator: Operator,
    implementation: Implementation,
    workload: Workload,
    device: Device,
    *,
    relations: bool = True,
    announce: Announce = silently,
    reach: Reach = unheard,
    exhibits: Path | None = None,
) -> Outcome:
    """Run a workload in this process, which is already activated for the device; never raise for what is under test.

    `announce` is told which case is worked on, whether by the implementation, and for which relation; `reach`, each
    verdict as it is reached. In the folder `exhibits` what passes is kept, to be judged again elsewhere. Relations run
    after the accounted calls, outside the ledger. A KeyboardInterrupt that is raised meanwhile is taken for the
    implementation's: no terminal's reaches a worker.
    """
    start = time.perf_counter()
    reason = _unmet(implementation, device)
    if reason is not None:
        return Outcome(verdicts=[skipped(reason) for _ in workload.cases])
    if dynamo_metrics.is_loaded():
        torch.compiler.reset()
    state = Watch(alone=is_ours(operator) and exhibits is None)
    execution = Execution(operator, implementation, workload, device, announce, reach, exhibits=exhibits, state=state)
    with Ledger() as ledger:
        execution.run(ledger)
        records, count = ledger.records, ledger.compile_count
        launched = ledger.launches
        fell_back, idle = ledger.fell_back, ledger.ran_eagerly
    failed = any(verdict.failed for verdict in execution.verdicts)
    verdict, allowed, note = check_compiles(
        implementation,
        workload,
        execution.signatures,
        records,
        count,
        fell_back,
        failed=failed,
        called_by=execution.called_by,
    )
    if relations and execution.calls and not (execution.lost or execution.changes or execution.refused):
        _relate(execution)
    features, broken_features = _features(operator, execution)
    verdict = broken_features or verdict
    if execution.lost:
        reason = f"the device is lost: {execution.lost}"[:240]
        verdict = Verdict(status=Status.CRASHED, reason=reason, oracle=Oracle.PROCESS)
    return Outcome(
        verdicts=execution.verdicts,
        workload=verdict,
        compiles=records,
        compile_count=count,
        compile_allowed=allowed,
        compile_note="" if failed else note or idle,
        launched=[launched.get(index, {}) for index in range(len(execution.verdicts))],
        features=features,
        kernels=device.kernel_coverage() if implementation.hand_written else {},
        seconds=time.perf_counter() - start,
        build_seconds=execution.build_seconds,
        refused=execution.refused,
        changed=str(execution.changes[0]) if execution.changes else "",
    )


def _features(operator: Operator, execution: Execution) -> tuple[list[str], Verdict | None]:
    """Return the codes of the features of each case that was judged, or why they cannot be told."""
    covering = operator.drawing.covering
    if covering is None:
        return [], None
    judged = zip(execution.workload.cases, execution.verdicts, strict=False)
    try:
        return [covering.code(case) if verdict.status.judged else "" for case, verdict in judged], None
    except BaseException as error:  # noqa: BLE001 - the operator's own code
        return [], broken(error, Oracle.OPERATOR, "the operator's `covering`")


def _unmet(implementation: Implementation, device: Device) -> str | None:
    """Return why an implementation cannot run here at all, or None."""
    if not implementation.runs_on(device.kind):
        return f"does not run on {device.kind} (runs on {', '.join(implementation.devices)})"
    return unmet(implementation.requires, device)


def _relate(execution: Execution) -> None:
    """Check one relation on each call that passed, at the price of one more call; a broken one replaces the verdict."""
    for position, call in enumerate(execution.calls):
        verdict = _broken_relation(execution, call, first=position == 0, last=position == len(execution.calls) - 1)
        if execution.changes and (verdict is None or verdict.status is not Status.HARNESS_ERROR):
            verdict = left_behind(execution.changes, f"the call for the relation {execution.relation!r}")
        if verdict is not None:
            execution.correct(call.index, verdict)
        if execution.lost or execution.changes:
            return


def _broken_relation(execution: Execution, call: Call, *, first: bool, last: bool) -> Verdict | None:
    seed = call.case.seed
    invariant = execution.implementation.batch_invariant(call.case)
    relations = [one for one in execution.operator.judging.relations if invariant or not one.only_declared]
    if invariant and seed % 4:  # what is declared is asked about in three of four calls at least
        relations = [relation for relation in relations if relation.of_batch] or relations
    recalled = first and not last
    chosen = random.Random(seed).choice(relations) if relations and not recalled else None
    name = "recall" if recalled else chosen.name if chosen is not None else "rerun"
    execution.enter(call.index, name)
    try:
        if recalled:
            return check_recall(call.truth, seed, execution.again)
        if chosen is not None:
            verdict = check_relation(chosen, call.truth, call.output, seed, execution.again, invariant=invariant)
            return verdict if execution.changes else execution.told_of_relation() or verdict
        return check_rerun(call.truth, seed, execution.again) if last else None
    except BaseException as error:  # noqa: BLE001 - the relation's own code, or an output nobody can compare
        return broken(error, Oracle.RELATION, f"relation {name}").model_copy(update={"relation": name})
