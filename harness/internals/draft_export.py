"""What a draft export reports of itself."""

from typing import Any

from eagerdiff.harness.internals.hook import Hook

REPORT = Hook(
    "torch",
    "torch.export._draft_export:DraftExportReport.successful",
    "tells a draft that is sound from one that says that it is not",
    since="2.6",
)
HOOKS = {"report": REPORT}


def unsound(program: Any) -> str:
    """Return what kinds of failures a draft reports, or an empty string where it reports none."""
    report = program._report
    if REPORT.reach()(report):
        return ""
    return ", ".join(sorted({failure.failure_type.name for failure in report.failures}))
