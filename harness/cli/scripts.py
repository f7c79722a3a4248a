"""Scripts of findings, verified within their share of the time: one of each cause, new ones first, then the rest."""

import threading
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from eagerdiff.harness.cli.clock import Clock

if TYPE_CHECKING:
    from eagerdiff.harness.catalog.catalog import Catalog
    from eagerdiff.harness.processes import WorkerPool
    from eagerdiff.harness.triage.finding import Finding


@dataclass
class Scripts:
    """Write the scripts of a campaign's findings; whatever is not verified says why (`Finding.script_note`)."""

    folder: Path
    catalog: "Catalog"
    worker_pool: "WorkerPool"
    clock: Clock
    interrupted: Callable[[], bool]
    progress: Callable[[], None] = lambda: None
    _shown: "dict[Hashable, str]" = field(default_factory=dict[Hashable, str])
    """Cause → the script that shows it."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def write(self, findings: "Sequence[Finding]", slots: int) -> None:
        """Write what there is time for, `slots` at a time."""
        ordered = sorted(findings, key=lambda finding: not finding.new)
        firsts = {cause(finding): finding for finding in reversed(ordered)}
        leading = [finding for finding in ordered if firsts[cause(finding)] is finding]
        alike = [finding for finding in ordered if firsts[cause(finding)] is not finding]
        with ThreadPoolExecutor(slots) as pool:
            list(pool.map(lambda finding: self._write(finding, alike=False), leading))
            list(pool.map(lambda finding: self._write(finding, alike=True), alike))

    def _write(self, finding: "Finding", *, alike: bool) -> None:
        from eagerdiff.harness import repro
        from eagerdiff.harness.processes.catalog_tasks import task_for

        late = self.clock.overtime if finding.new and not alike else self.clock.left

        def going() -> bool:
            return not self.interrupted() and late() > 0

        if going():
            task = task_for(self.catalog, finding.operator, finding.implementation)
            with repro.Writer(finding.device, self.worker_pool) as writer:
                repro.write_script(finding, self.folder, writer.drafts(task, finding), going=going)
        if not finding.script and not going():
            finding.script_note = self._why_not(finding)
        with self._lock:
            if finding.script:
                self._shown.setdefault(cause(finding), finding.script)
        self.progress()

    def _why_not(self, finding: "Finding") -> str:
        if self.interrupted():
            return "interrupted before its script was verified"
        with self._lock:
            other = self._shown.get(cause(finding))
        why = "no time was left to verify its script" + ("" if finding.new else ": it is known")
        return f"{why}; {other} fails alike" if other else why


def cause(finding: "Finding") -> Hashable:
    """Return what findings have in common that one script shows: the operator, the class and how it fails."""
    verdict = finding.verdict
    return finding.operator, finding.defect, finding.signature.symptom, verdict.oracle, verdict.relation, verdict.rule
