"""Repro scripts: every finding ends as a tiny standalone program."""

from collections.abc import Callable, Iterable
from pathlib import Path

from eagerdiff.harness.repro.script import Draft, Form, UnscriptableError, drafts, hashed, render
from eagerdiff.harness.repro.verification import Verification, verify
from eagerdiff.harness.repro.writer import Writer
from eagerdiff.harness.sinks.file_name import stem
from eagerdiff.harness.triage.finding import Finding

__all__ = [
    "Draft",
    "Form",
    "UnscriptableError",
    "Verification",
    "Writer",
    "drafts",
    "file_name",
    "render",
    "verify",
    "write_script",
]

_HASH_SEEDS = ("0", "2", "3")
"""Tried for a script that passes: workers' own, and two others."""


def write_script(
    finding: Finding, out: Path, drafts: Iterable[Draft], *, going: Callable[[], bool] = lambda: True
) -> None:
    """Write the first draft that shows the bug under `out/findings`; say in `script_note` why where none does.

    A verification under way ends, and does not count, where `going` says no.
    """
    note = ""
    for draft in drafts:
        if not draft.script:
            note = draft.note
            continue
        script, note = _verified(draft, finding, going)
        if script:
            path = out / "findings" / file_name(finding)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(script, encoding="utf-8")
            finding.script, finding.script_note = str(path.relative_to(out)), ""
            return
    finding.script_note = note


def _verified(draft: Draft, finding: Finding, going: Callable[[], bool]) -> tuple[str, str]:
    """Return the script that shows the bug, with other hashes where it passes; else nothing, and why."""
    tried = draft.script
    verification = verify(tried, finding.verdict, going=going, python=draft.python)
    for seed in _HASH_SEEDS:
        if not verification.passes:
            break
        tried = hashed(draft.script, seed)
        verification = verify(tried, finding.verdict, going=going, python=draft.python)
    return tried if verification.shown else "", verification.note


def file_name(finding: Finding) -> str:
    """Name a finding's script after what it shows; distinct signatures get distinct names."""
    words = f"{finding.operator}-{finding.implementation}-{finding.verdict.status.value.lower()}"
    return f"{stem(words)}-{finding.signature.digest}.py"
