"""An example of an operator: a case to show."""

import warnings

from harness.case import Case
from harness.operator import Operator


def example_case(operator: Operator) -> Case:
    """Return the first case of the first fixed workload, else one drawn from the operator's strategy."""
    for workload in operator.workloads.values():
        return workload.cases[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Hypothesis discourages `example` in tests; this is a terminal
        return operator.cases().example()
