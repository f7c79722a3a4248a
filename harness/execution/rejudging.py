"""Judging again: what a call gave, by a process in which what is under test was never imported nor built."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch

from eagerdiff.harness.devices import Device
from eagerdiff.harness.execution.exhibit import Exhibit, read, replace_leaves
from eagerdiff.harness.execution.exhibit_place import place
from eagerdiff.harness.execution.stage import Announce, Reach, Stage, silently, unheard
from eagerdiff.harness.judge import ask_mutants, broken, judge, tell_truth
from eagerdiff.harness.judge.judge import check_mutation
from eagerdiff.harness.judge.structure import kind, tensors_by_path
from eagerdiff.harness.judge.truth import Truth, free_format
from eagerdiff.harness.memory import GuardedInputs, duplicate, is_thin, tensors
from eagerdiff.harness.model.case import Case
from eagerdiff.harness.model.operator import Operator
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict, skipped
from eagerdiff.harness.model.workload import Workload


def judge_again(
    operator: Operator,
    workload: Workload,
    folder: Path,
    device: Device,
    *,
    announce: Announce = silently,
    reach: Reach = unheard,
) -> Outcome:
    """Judge the exhibits in a folder, one a case; cases without one are skipped."""
    verdicts: list[Verdict] = []
    previous: dict[str, torch.Tensor] = {}
    for index, case in enumerate(workload.cases):
        announce(index, Stage.HARNESS)
        file = place(folder, index)
        if file.is_file():
            verdict, previous = _judge(operator, case, file, device, previous)
        else:
            verdict = skipped("nothing was kept of it")
        verdicts.append(verdict)
        reach(index, verdict, {})
    return Outcome(verdicts=verdicts)


def _judge(
    operator: Operator, case: Case, file: Path, device: Device, previous: Mapping[str, torch.Tensor]
) -> tuple[Verdict, dict[str, torch.Tensor]]:
    try:
        truth = tell_truth(operator, operator.inputs(case, device.torch_device))
        free_format(truth)  # judged where it ran: who must keep it is not known here
        exhibit = read(file)
        output, after = _output(truth, exhibit), _after(truth, exhibit)
        verdict = check_mutation(truth, after) or judge(truth, output, after.inputs)
        if verdict.status is Status.PASSED:
            verdict = ask_mutants(truth, previous, case.seed).told_in(verdict)
    except BaseException as error:  # noqa: BLE001  reference, judge or bytes: nothing under test runs here
        return broken(error, Oracle.JUDGE, "judging in a clean process"), {}
    return verdict, tensors_by_path(output)


def _output(truth: Truth, exhibit: Exhibit) -> Any:
    """Return the output: eager's structure with the leaves that were kept; those alone where it had another."""
    if kind(truth.output) != exhibit.kind:
        return tuple(exhibit.leaves)
    left: Iterator[Any] = iter(exhibit.leaves)
    return replace_leaves(truth.output, lambda _: next(left))


def _after(truth: Truth, exhibit: Exhibit) -> GuardedInputs:
    """Return the inputs as the call left them, beside what they were."""
    left = iter(exhibit.thin)
    copies = duplicate(truth.inputs, thin=lambda _: next(left))
    for (_, new), kept in zip(copies.storages, exhibit.storages, strict=True):
        new.copy_(kept)
    pairs = zip(tensors(truth.inputs), tensors(copies.inputs), strict=True)
    thin = [(after, before.tensor) for before, after in pairs if is_thin(before.tensor)]
    return GuardedInputs(truth.inputs, copies, bands=[], thin=thin)
