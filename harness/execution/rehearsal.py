"""A rehearsal: an operator's own code run on some cases with nothing under test, to see whether it ends a process."""

import torch

from eagerdiff.harness.devices import Device
from eagerdiff.harness.judge.truth import tell_truth
from eagerdiff.harness.memory import duplicate
from eagerdiff.harness.model.operator import Operator
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import passed
from eagerdiff.harness.model.workload import Workload


def rehearse(operator: Operator, workload: Workload, device: Device, relation: str = "") -> Outcome:
    """Build the inputs of each case, run the reference on them and transform them for a relation, where one is named.

    Passes on whatever that raises.
    """
    for case in workload.cases:
        truth = tell_truth(operator, operator.inputs(case, device.torch_device))
        for one in operator.judging.relations:
            if one.name == relation:
                one.transform(duplicate(truth.inputs).inputs, torch.Generator().manual_seed(case.seed))
    return Outcome(verdicts=[passed()] * len(workload.cases))
