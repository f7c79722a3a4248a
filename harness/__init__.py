"""eagerdiff's engine: everything a third party needs, behind one flat face.

Names load on first use, so that importing them costs neither torch nor Hypothesis.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eagerdiff.harness.model.baseline_rules import Allclose as Allclose
    from eagerdiff.harness.model.baseline_rules import Each as Each
    from eagerdiff.harness.model.baseline_rules import OfRms as OfRms
    from eagerdiff.harness.model.baseline_rules import ShareWithin as ShareWithin
    from eagerdiff.harness.model.baseline_rules import WholeDifference as WholeDifference
    from eagerdiff.harness.model.baseline_suite import BaselineSuite as BaselineSuite
    from eagerdiff.harness.model.case import Case as Case
    from eagerdiff.harness.model.case import DType as DType
    from eagerdiff.harness.model.case import dynamic as dynamic
    from eagerdiff.harness.model.case import static as static
    from eagerdiff.harness.model.declined import Declined as Declined
    from eagerdiff.harness.model.identity import Identity as Identity
    from eagerdiff.harness.model.identity import Stage as Stage
    from eagerdiff.harness.model.implementation import Implementation as Implementation
    from eagerdiff.harness.model.implementation import Requirements as Requirements
    from eagerdiff.harness.model.metric import Metric as Metric
    from eagerdiff.harness.model.mode import Mode as Mode
    from eagerdiff.harness.model.operator import Cost as Cost
    from eagerdiff.harness.model.operator import Inputs as Inputs
    from eagerdiff.harness.model.operator import Operator as Operator
    from eagerdiff.harness.model.operator import Relation as Relation
    from eagerdiff.harness.model.outcome import CompileRecord as CompileRecord
    from eagerdiff.harness.model.outcome import Outcome as Outcome
    from eagerdiff.harness.model.source_tree import SourceTree as SourceTree
    from eagerdiff.harness.model.tolerance import Tolerance as Tolerance
    from eagerdiff.harness.model.verdict import Oracle as Oracle
    from eagerdiff.harness.model.verdict import Status as Status
    from eagerdiff.harness.model.verdict import Verdict as Verdict
    from eagerdiff.harness.model.workload import Workload as Workload
    from eagerdiff.harness.processes.cpu_time import cpu_usage as cpu_usage
    from eagerdiff.harness.triage.finding import Finding as Finding

_HOMES = {
    "Allclose": "model.baseline_rules",
    "Case": "model.case",
    "CompileRecord": "model.outcome",
    "Cost": "model.operator",
    "DType": "model.case",
    "Declined": "model.declined",
    "Each": "model.baseline_rules",
    "Finding": "triage.finding",
    "Identity": "model.identity",
    "Implementation": "model.implementation",
    "Inputs": "model.operator",
    "Metric": "model.metric",
    "Mode": "model.mode",
    "OfRms": "model.baseline_rules",
    "Operator": "model.operator",
    "Oracle": "model.verdict",
    "Outcome": "model.outcome",
    "BaselineSuite": "model.baseline_suite",
    "Relation": "model.operator",
    "Requirements": "model.implementation",
    "ShareWithin": "model.baseline_rules",
    "SourceTree": "model.source_tree",
    "Stage": "model.identity",
    "Status": "model.verdict",
    "Tolerance": "model.tolerance",
    "Verdict": "model.verdict",
    "WholeDifference": "model.baseline_rules",
    "Workload": "model.workload",
    "cpu_usage": "processes.cpu_time",
    "dynamic": "model.case",
    "static": "model.case",
}

__all__ = [
    "Allclose",
    "BaselineSuite",
    "Case",
    "CompileRecord",
    "Cost",
    "DType",
    "Declined",
    "Each",
    "Finding",
    "Identity",
    "Implementation",
    "Inputs",
    "Metric",
    "Mode",
    "OfRms",
    "Operator",
    "Oracle",
    "Outcome",
    "Relation",
    "Requirements",
    "ShareWithin",
    "SourceTree",
    "Stage",
    "Status",
    "Tolerance",
    "Verdict",
    "WholeDifference",
    "Workload",
    "cpu_usage",
    "dynamic",
    "static",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'eagerdiff' has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
