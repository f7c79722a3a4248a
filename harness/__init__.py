"""eagerdiff's engine: everything a third party needs, behind one flat face.

Names load on first use, so that `import harness` costs neither torch nor Hypothesis.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.case import Case as Case
    from harness.case import DType as DType
    from harness.case import dynamic as dynamic
    from harness.case import static as static
    from harness.declined import Declined as Declined
    from harness.finding import Finding as Finding
    from harness.implementation import Implementation as Implementation
    from harness.implementation import Requirements as Requirements
    from harness.measure import Measure as Measure
    from harness.mode import Mode as Mode
    from harness.operator import Cost as Cost
    from harness.operator import Inputs as Inputs
    from harness.operator import Operator as Operator
    from harness.operator import Relation as Relation
    from harness.outcome import CompileRecord as CompileRecord
    from harness.outcome import Outcome as Outcome
    from harness.peer_grid import PeerGrid as PeerGrid
    from harness.peer_rules import Allclose as Allclose
    from harness.peer_rules import Each as Each
    from harness.peer_rules import OfRms as OfRms
    from harness.peer_rules import ShareWithin as ShareWithin
    from harness.peer_rules import WholeDifference as WholeDifference
    from harness.source_tree import SourceTree as SourceTree
    from harness.tolerance import Tolerance as Tolerance
    from harness.verdict import Status as Status
    from harness.verdict import Verdict as Verdict
    from harness.workload import Workload as Workload

_HOMES = {
    "Allclose": "peer_rules",
    "Case": "case",
    "CompileRecord": "outcome",
    "Cost": "operator",
    "DType": "case",
    "Declined": "declined",
    "Each": "peer_rules",
    "Finding": "finding",
    "Implementation": "implementation",
    "Inputs": "operator",
    "Measure": "measure",
    "Mode": "mode",
    "OfRms": "peer_rules",
    "Operator": "operator",
    "Outcome": "outcome",
    "PeerGrid": "peer_grid",
    "Relation": "operator",
    "Requirements": "implementation",
    "ShareWithin": "peer_rules",
    "SourceTree": "source_tree",
    "Status": "verdict",
    "Tolerance": "tolerance",
    "Verdict": "verdict",
    "WholeDifference": "peer_rules",
    "Workload": "workload",
    "dynamic": "case",
    "static": "case",
}

__all__ = [
    "Allclose",
    "Case",
    "CompileRecord",
    "Cost",
    "DType",
    "Declined",
    "Each",
    "Finding",
    "Implementation",
    "Inputs",
    "Measure",
    "Mode",
    "OfRms",
    "Operator",
    "Outcome",
    "PeerGrid",
    "Relation",
    "Requirements",
    "ShareWithin",
    "SourceTree",
    "Status",
    "Tolerance",
    "Verdict",
    "WholeDifference",
    "Workload",
    "dynamic",
    "static",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'harness' has no attribute {name!r}")
    return getattr(importlib.import_module(f"harness.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
