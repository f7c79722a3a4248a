"""What is benchmarked: every implementation, plug-ins included, on the fixed workloads of its operator."""

import functools
import os

import torch

from eagerdiff import SERVING, Catalog, Subject, fixed_workloads, load_catalog, operator_names, runs_on

PLUG_INS = "EAGERDIFF_IMPLEMENTATIONS"
"""Environment variable: more implementations (`module:ATTRIBUTE`), with commas between."""
OPERATORS = "EAGERDIFF_OPERATORS"
"""Environment variable: more operators (`module:OPERATOR`), with commas between."""


@functools.cache
def catalog() -> Catalog:
    """Return the catalog with the plug-ins that the environment names."""
    return load_catalog(operators=[*operator_names(), *_named(OPERATORS)], implementations=_named(PLUG_INS))


def _named(variable: str) -> list[str]:
    return [spec for spec in os.environ.get(variable, "").split(",") if spec]


def device() -> str:
    """Return where times are taken: a GPU where there is one, looked for without starting CUDA.

    asv forks each benchmark's process from one that has imported this, and CUDA does not survive a fork.
    """
    os.environ.setdefault("PYTORCH_NVML_BASED_CUDA_CHECK", "1")
    return "cuda" if torch.cuda.is_available() else "cpu"


def subject(operator: str, implementation: str, workload: str, on: str) -> Subject:
    """Look a pair up; raise NotImplementedError, asv's word for skip, where it cannot run on a device."""
    found = catalog().operators[operator]
    under_test = catalog().implementations[operator][implementation]
    cases = fixed_workloads(found)[workload]
    if not runs_on(under_test, on):
        raise NotImplementedError(f"{implementation} does not run on {on}")
    reasons = [reason for case in cases.cases if (reason := under_test.supports(case))]
    if reasons:
        raise NotImplementedError(reasons[0])
    return Subject(found, under_test, workload, cases, on)


def parameters(operator: str, on: str) -> tuple[list[str], list[str]]:
    """Return the names of an operator's implementations on a device, and of its fixed workloads."""
    implementations = [item.name for item in catalog().implementations[operator].values() if runs_on(item, on)]
    workloads = fixed_workloads(catalog().operators[operator])
    return implementations, [name for name in workloads if on == "cuda" or not name.startswith(SERVING)]
