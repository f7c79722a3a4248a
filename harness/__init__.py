"""eagerdiff's engine: everything a third party needs, behind one flat face.

Names load on first use, so that importing them costs neither torch nor Hypothesis.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eagerdiff.harness.benchmark.curated import covered as curated_coverage
    from eagerdiff.harness.benchmark.curated import curated_subjects as curated_subjects
    from eagerdiff.harness.benchmark.figures import FIGURES as FIGURES
    from eagerdiff.harness.benchmark.figures import measure as measure_subject
    from eagerdiff.harness.benchmark.figures import offline_reports as offline_reports
    from eagerdiff.harness.benchmark.figures import refused_calls as refused_calls
    from eagerdiff.harness.benchmark.serving import Sampling as Sampling
    from eagerdiff.harness.benchmark.subject import SERVING as SERVING
    from eagerdiff.harness.benchmark.subject import Subject as Subject
    from eagerdiff.harness.benchmark.subject import runs as runs_on
    from eagerdiff.harness.benchmark.subject import subjects as benchmark_subjects
    from eagerdiff.harness.benchmark.taking import take as measure_subjects
    from eagerdiff.harness.campaign.campaign import Campaign as Campaign
    from eagerdiff.harness.campaign.checking import Checking as Checking
    from eagerdiff.harness.campaign.checking import Effort as Effort
    from eagerdiff.harness.campaign.differential import Check as Check
    from eagerdiff.harness.catalog.catalog import Catalog as Catalog
    from eagerdiff.harness.catalog.catalog import load_typed as load_catalog
    from eagerdiff.harness.catalog.catalog import names as operator_names
    from eagerdiff.harness.catalog.plugin import Spec as Spec
    from eagerdiff.harness.catalog.plugin import resolve as resolve_spec
    from eagerdiff.harness.catalog.requirements import unmet as unmet
    from eagerdiff.harness.cli.project import check_settings as check_settings
    from eagerdiff.harness.devices import parse as parse_device
    from eagerdiff.harness.devices.device import Device as Device
    from eagerdiff.harness.devices.device import cache_folder as cache_folder
    from eagerdiff.harness.devices.offline import OfflineReport as OfflineReport
    from eagerdiff.harness.devices.offline import capture as capture_launches
    from eagerdiff.harness.devices.offline import launch_all as launch_all
    from eagerdiff.harness.environments.installing import InstallationError as InstallationError
    from eagerdiff.harness.environments.installing import install as install_environment
    from eagerdiff.harness.environments.installing import python_of as python_of_environment
    from eagerdiff.harness.execution.execution import execute as execute
    from eagerdiff.harness.internals.dynamo_calls import uncompiled as uncompiled
    from eagerdiff.harness.ledger.ledger import Ledger as Ledger
    from eagerdiff.harness.ledger.model import expected as expected_compiles
    from eagerdiff.harness.ledger.signature import Signature as Signature
    from eagerdiff.harness.ledger.signature import signature as signature
    from eagerdiff.harness.ledger.simulation import layout_of as layout_of
    from eagerdiff.harness.memory.copies import is_thin as is_thin
    from eagerdiff.harness.memory.leaves import replace_tensors as replace_tensors
    from eagerdiff.harness.model.baseline_rules import Allclose as Allclose
    from eagerdiff.harness.model.baseline_rules import Each as Each
    from eagerdiff.harness.model.baseline_rules import OfRms as OfRms
    from eagerdiff.harness.model.baseline_rules import ShareWithin as ShareWithin
    from eagerdiff.harness.model.baseline_rules import WholeDifference as WholeDifference
    from eagerdiff.harness.model.baseline_suite import BaselineSuite as BaselineSuite
    from eagerdiff.harness.model.case import Case as Case
    from eagerdiff.harness.model.case import CaseT as CaseT
    from eagerdiff.harness.model.case import DType as DType
    from eagerdiff.harness.model.case import dynamic as dynamic
    from eagerdiff.harness.model.case import static as static
    from eagerdiff.harness.model.comparison import Cell as Cell
    from eagerdiff.harness.model.comparison import Comparison as Comparison
    from eagerdiff.harness.model.comparison import Sheet as Sheet
    from eagerdiff.harness.model.covering import Covering as Covering
    from eagerdiff.harness.model.declined import Declined as Declined
    from eagerdiff.harness.model.environment import Environment as Environment
    from eagerdiff.harness.model.excuse import Excuse as Excuse
    from eagerdiff.harness.model.excuse import rule_of as rule_of
    from eagerdiff.harness.model.identity import Identity as Identity
    from eagerdiff.harness.model.identity import Stage as Stage
    from eagerdiff.harness.model.implementation import Implementation as Implementation
    from eagerdiff.harness.model.implementation import Requirements as Requirements
    from eagerdiff.harness.model.metric import Metric as Metric
    from eagerdiff.harness.model.mode import Mode as Mode
    from eagerdiff.harness.model.operator import Cost as Cost
    from eagerdiff.harness.model.operator import Drawing as Drawing
    from eagerdiff.harness.model.operator import Extras as Extras
    from eagerdiff.harness.model.operator import Inputs as Inputs
    from eagerdiff.harness.model.operator import Judging as Judging
    from eagerdiff.harness.model.operator import Operator as Operator
    from eagerdiff.harness.model.operator import Relation as Relation
    from eagerdiff.harness.model.operator import Showing as Showing
    from eagerdiff.harness.model.operator import Table as Table
    from eagerdiff.harness.model.outcome import CompileRecord as CompileRecord
    from eagerdiff.harness.model.outcome import Outcome as Outcome
    from eagerdiff.harness.model.source_tree import SourceTree as SourceTree
    from eagerdiff.harness.model.tolerance import Tolerance as Tolerance
    from eagerdiff.harness.model.verdict import Oracle as Oracle
    from eagerdiff.harness.model.verdict import Status as Status
    from eagerdiff.harness.model.verdict import Verdict as Verdict
    from eagerdiff.harness.model.vocabulary import BACKWARD as BACKWARD
    from eagerdiff.harness.model.vocabulary import NOT_ON_CPU as NOT_ON_CPU
    from eagerdiff.harness.model.workload import Workload as Workload
    from eagerdiff.harness.processes.cpu_time import cpu_usage as cpu_usage
    from eagerdiff.harness.processes.fresh_process import python as python_command
    from eagerdiff.harness.processes.fresh_process import run_fresh as run_fresh
    from eagerdiff.harness.processes.fresh_process import telling_line as telling_line
    from eagerdiff.harness.processes.spare import helper as helper_process
    from eagerdiff.harness.recording.merging import read_recording as read_recording
    from eagerdiff.harness.recording.model import RecordedCall as RecordedCall
    from eagerdiff.harness.recording.model import RecordedFunction as RecordedFunction
    from eagerdiff.harness.recording.model import RecordedTensor as RecordedTensor
    from eagerdiff.harness.recording.model import Recording as Recording
    from eagerdiff.harness.recording.session import record as record
    from eagerdiff.harness.repro.kernel import standalone_source as standalone_source
    from eagerdiff.harness.repro.script import UnscriptableError as UnscriptableError
    from eagerdiff.harness.search.batch import Batch as Batch
    from eagerdiff.harness.search.fixed import fixed_workloads as fixed_workloads
    from eagerdiff.harness.search.hunt import Shrinking as Shrinking
    from eagerdiff.harness.timing.comparison import compare as compare_calls
    from eagerdiff.harness.timing.comparison import cpu_seconds as cpu_seconds
    from eagerdiff.harness.timing.cuda_graphs import CudaGraphs as CudaGraphs
    from eagerdiff.harness.timing.growth import Growth as Growth
    from eagerdiff.harness.timing.growth import growth_of as growth_of
    from eagerdiff.harness.timing.loops import Loops as Loops
    from eagerdiff.harness.timing.roofline import measure as measure_roofline
    from eagerdiff.harness.timing.timers import timing_of as timing_of
    from eagerdiff.harness.timing.work import Work as Work
    from eagerdiff.harness.timing.work import work_of as work_of
    from eagerdiff.harness.triage.finding import Finding as Finding

_HOMES = {
    "Allclose": "model.baseline_rules",
    "BACKWARD": "model.vocabulary",
    "BaselineSuite": "model.baseline_suite",
    "Batch": "search.batch",
    "Campaign": "campaign.campaign",
    "Case": "model.case",
    "CaseT": "model.case",
    "Cell": "model.comparison",
    "Catalog": "catalog.catalog",
    "Check": "campaign.differential",
    "Checking": "campaign.checking",
    "Comparison": "model.comparison",
    "CompileRecord": "model.outcome",
    "Cost": "model.operator",
    "Covering": "model.covering",
    "DType": "model.case",
    "Declined": "model.declined",
    "Device": "devices.device",
    "Drawing": "model.operator",
    "Each": "model.baseline_rules",
    "Effort": "campaign.checking",
    "Environment": "model.environment",
    "Excuse": "model.excuse",
    "Extras": "model.operator",
    "FIGURES": "benchmark.figures",
    "Finding": "triage.finding",
    "Growth": "timing.growth",
    "Identity": "model.identity",
    "Implementation": "model.implementation",
    "Inputs": "model.operator",
    "InstallationError": "environments.installing",
    "Judging": "model.operator",
    "Ledger": "ledger.ledger",
    "Loops": "timing.loops",
    "Metric": "model.metric",
    "Mode": "model.mode",
    "NOT_ON_CPU": "model.vocabulary",
    "OfRms": "model.baseline_rules",
    "OfflineReport": "devices.offline",
    "Operator": "model.operator",
    "Oracle": "model.verdict",
    "Outcome": "model.outcome",
    "RecordedCall": "recording.model",
    "RecordedFunction": "recording.model",
    "RecordedTensor": "recording.model",
    "Recording": "recording.model",
    "Relation": "model.operator",
    "Requirements": "model.implementation",
    "SERVING": "benchmark.subject",
    "Sampling": "benchmark.serving",
    "Sheet": "model.comparison",
    "ShareWithin": "model.baseline_rules",
    "Showing": "model.operator",
    "Shrinking": "search.batch",
    "Signature": "ledger.signature",
    "SourceTree": "model.source_tree",
    "Spec": "catalog.plugin",
    "Stage": "model.identity",
    "Status": "model.verdict",
    "Subject": "benchmark.subject",
    "Table": "model.operator",
    "Tolerance": "model.tolerance",
    "UnscriptableError": "repro.script",
    "Verdict": "model.verdict",
    "WholeDifference": "model.baseline_rules",
    "Work": "timing.work",
    "Workload": "model.workload",
    "benchmark_subjects": "benchmark.subject:subjects",
    "cache_folder": "devices.device",
    "check_settings": "cli.project",
    "capture_launches": "devices.offline:capture",
    "compare_calls": "timing.comparison:compare",
    "cpu_seconds": "timing.comparison",
    "cpu_usage": "processes.cpu_time",
    "dynamic": "model.case",
    "execute": "execution.execution",
    "curated_coverage": "benchmark.curated:covered",
    "curated_subjects": "benchmark.curated",
    "expected_compiles": "ledger.model:expected",
    "fixed_workloads": "search.fixed",
    "growth_of": "timing.growth",
    "helper_process": "processes.spare:helper",
    "install_environment": "environments.installing:install",
    "is_thin": "memory.copies",
    "launch_all": "devices.offline",
    "layout_of": "ledger.simulation",
    "load_catalog": "catalog.catalog:load_typed",
    "measure_roofline": "timing.roofline:measure",
    "measure_subject": "benchmark.figures:measure",
    "measure_subjects": "benchmark.taking:take",
    "offline_reports": "benchmark.figures",
    "operator_names": "catalog.catalog:names",
    "parse_device": "devices:parse",
    "python_command": "processes.fresh_process:python",
    "python_of_environment": "environments.installing:python_of",
    "read_recording": "recording.merging",
    "record": "recording.session",
    "rule_of": "model.excuse",
    "replace_tensors": "memory.leaves",
    "refused_calls": "benchmark.figures",
    "resolve_spec": "catalog.plugin:resolve",
    "run_fresh": "processes.fresh_process",
    "signature": "ledger.signature",
    "standalone_source": "repro.kernel",
    "static": "model.case",
    "runs_on": "benchmark.subject:runs",
    "telling_line": "processes.fresh_process",
    "CudaGraphs": "timing.cuda_graphs",
    "timing_of": "timing.timers",
    "uncompiled": "internals.dynamo_calls",
    "unmet": "catalog.requirements",
    "work_of": "timing.work",
}
"""Module of each name; after a colon what it is called there."""

__all__ = [
    "BACKWARD",
    "FIGURES",
    "NOT_ON_CPU",
    "SERVING",
    "Allclose",
    "BaselineSuite",
    "Batch",
    "Campaign",
    "Case",
    "CaseT",
    "Catalog",
    "Cell",
    "Check",
    "Checking",
    "Comparison",
    "CompileRecord",
    "Cost",
    "Covering",
    "CudaGraphs",
    "DType",
    "Declined",
    "Device",
    "Drawing",
    "Each",
    "Effort",
    "Environment",
    "Excuse",
    "Extras",
    "Finding",
    "Growth",
    "Identity",
    "Implementation",
    "Inputs",
    "InstallationError",
    "Judging",
    "Ledger",
    "Loops",
    "Metric",
    "Mode",
    "OfRms",
    "OfflineReport",
    "Operator",
    "Oracle",
    "Outcome",
    "RecordedCall",
    "RecordedFunction",
    "RecordedTensor",
    "Recording",
    "Relation",
    "Requirements",
    "Sampling",
    "ShareWithin",
    "Sheet",
    "Showing",
    "Shrinking",
    "Signature",
    "SourceTree",
    "Spec",
    "Stage",
    "Status",
    "Subject",
    "Table",
    "Tolerance",
    "UnscriptableError",
    "Verdict",
    "WholeDifference",
    "Work",
    "Workload",
    "benchmark_subjects",
    "cache_folder",
    "capture_launches",
    "check_settings",
    "compare_calls",
    "cpu_seconds",
    "cpu_usage",
    "curated_coverage",
    "curated_subjects",
    "dynamic",
    "execute",
    "expected_compiles",
    "fixed_workloads",
    "growth_of",
    "helper_process",
    "install_environment",
    "is_thin",
    "launch_all",
    "layout_of",
    "load_catalog",
    "measure_roofline",
    "measure_subject",
    "measure_subjects",
    "offline_reports",
    "operator_names",
    "parse_device",
    "python_command",
    "python_of_environment",
    "read_recording",
    "record",
    "refused_calls",
    "replace_tensors",
    "resolve_spec",
    "rule_of",
    "run_fresh",
    "runs_on",
    "signature",
    "standalone_source",
    "static",
    "telling_line",
    "timing_of",
    "uncompiled",
    "unmet",
    "work_of",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'eagerdiff' has no attribute {name!r}")
    module, _, called = _HOMES[name].partition(":")
    return getattr(importlib.import_module(f"{__name__}.{module}"), called or name)


def __dir__() -> list[str]:
    return __all__
