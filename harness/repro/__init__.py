"""Repro scripts: every finding ends as a tiny standalone program."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from eagerdiff.harness.repro.script import Form, UnscriptableError, forms, render
from eagerdiff.harness.repro.verification import Verification, verify
from eagerdiff.harness.triage.finding import Finding

if TYPE_CHECKING:
    from eagerdiff.harness.catalog.catalog import Catalog
    from eagerdiff.harness.model.implementation import Implementation
    from eagerdiff.harness.model.operator import Operator

__all__ = [
    "Form",
    "UnscriptableError",
    "Verification",
    "file_name",
    "render",
    "verify",
    "write_script",
    "write_scripts",
]


def write_scripts(
    findings: list[Finding], out: Path, catalog: "Catalog", progress: Callable[[Finding], None] = lambda finding: None
) -> None:
    """Give each finding its verified script under `out/findings`, or the reason why it has none."""
    for finding in findings:
        operator = catalog.operators.get(finding.operator)
        implementation = catalog.implementations.get(finding.operator, {}).get(finding.implementation)
        if operator is None or implementation is None:
            finding.script_note = "its operator or implementation is not loaded"
        else:
            write_script(finding, out, operator, implementation)
        progress(finding)


def write_script(finding: Finding, out: Path, operator: "Operator", implementation: "Implementation") -> None:
    """Write the readable form if it shows the bug, else the exact one; say in `script_note` if neither does."""
    note = ""
    for form in forms(finding, operator, implementation):
        try:
            script = render(finding, operator, implementation, form)
        except UnscriptableError as error:
            note = str(error)
            continue
        verification = verify(script, finding.verdict)
        note = verification.note
        if verification.shown:
            path = out / "findings" / file_name(finding)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(script, encoding="utf-8")
            finding.script, finding.script_note = str(path.relative_to(out)), ""
            return
    finding.script_note = note


def file_name(finding: Finding) -> str:
    """Name a finding's script after what it shows; distinct signatures get distinct names."""
    words = f"{finding.operator}-{finding.implementation}-{finding.verdict.status.value.lower()}"
    return f"{re.sub(r'[^A-Za-z0-9_.-]+', '-', words)}-{finding.signature.digest}.py"
