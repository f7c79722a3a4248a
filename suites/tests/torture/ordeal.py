"""An ordeal: one campaign over many faults among right code, and what is to be said of each."""

import os
import re
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from eagerdiff.harness.campaign import Campaign
from eagerdiff.harness.campaign.events import TargetKey
from eagerdiff.harness.campaign.target import Target
from eagerdiff.harness.catalog.catalog import Catalog
from eagerdiff.harness.catalog.plugin import typed
from eagerdiff.harness.loading import load_apart
from eagerdiff.harness.processes import Limits
from eagerdiff.harness.processes.catalog_tasks import worker_pool
from eagerdiff.harness.processes.kinship import children
from eagerdiff.harness.results.results import Results, Row
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.suites.tests.torture import faults as faults_of_all
from eagerdiff.suites.tests.torture.acts import Act, Effect
from eagerdiff.suites.tests.torture.faults import Fault, Stage, file_of

RIGHT = TargetKey("torture", "right", "cpu")
"""What is right, and goes on beside the others to the end."""
ENOUGH = 20
"""Cases after which nothing more is to be told of what does no harm."""
BUILDS = 12
"""Workloads after which nothing more is to be told of a build, which sees the first case of each alone."""
LIMITS = Limits(memory=1 << 29, case_seconds=1.0, harness_seconds=2.0, drawing_seconds=2.0, idle_seconds=2.0)


@dataclass
class Ordeal:
    """Hold what a campaign over some faults said."""

    faults: Sequence[Fault]
    catalog: Catalog
    results: Results
    left: set[int] = field(default_factory=set[int])
    """Processes that were left behind."""

    def row(self, fault: Fault) -> Row | None:
        """Return the row of a fault; None where it was not even loaded."""
        place = (fault.name, "right") if fault.stage.of_operator else ("torture", fault.name)
        return next((row for row in self.results.rows if (row.operator, row.implementation) == place), None)

    def findings(self, fault: Fault) -> list[Finding]:
        """Return the findings that are said to be a fault's."""
        row = self.row(fault)
        place = (row.operator, row.implementation) if row else ()
        return [found for found in self.results.findings if (found.operator, found.implementation) == place]

    def right(self) -> Row:
        """Return the row of what is right."""
        return next(row for row in self.results.rows if (row.operator, row.implementation) == ("torture", "right"))


def undergo(faults: Sequence[Fault], acts: Iterable[Act], folder: Path, *, budget: float, slots: int = 2) -> Ordeal:
    """Run a campaign over faults, and over plug-ins in a folder that do `acts` when they are imported.

    It ends after `budget` seconds, or as soon as all is told that is to be.
    """
    before = children(os.getpid())
    files = [_write(act, folder) for act in acts]
    stranger = folder / "stranger.py"  # nothing of ours: what it says of itself is held against a clean process
    stranger.write_text(Path(faults_of_all.__file__).read_text())
    specs = [f"{stranger}:{fault.attribute}" for fault in faults if not fault.stage.of_operator]
    operators = [f"{stranger}:{fault.attribute}" for fault in faults if fault.stage.of_operator]
    catalog = load_apart(
        typed([f"{stranger}:OPERATOR", *operators]),
        typed([*specs, *(f"{file}:IMPLEMENTATION" for file in files)]),
        LIMITS,
    )
    over = threading.Event()
    with worker_pool(catalog) as pool:
        campaign = Campaign(
            catalog, budget=budget, slots=slots, limits=LIMITS, shrink_seconds=0.5, worker_pool=pool, seed=1
        )
        watching = threading.Thread(target=_end_when_told, args=(campaign, over))
        watching.start()
        try:
            results = campaign.run()
        finally:
            over.set()
            watching.join()
    return Ordeal([*faults], catalog, results, children(os.getpid()) - before)


def _write(act: Act, folder: Path) -> Path:
    path = folder / _file(act)
    path.write_text(file_of(act))
    return path


def _file(act: Act) -> str:
    return f"import_{re.sub(r'[^A-Za-z0-9]', '_', act.name)}.py"


def _end_when_told(campaign: Campaign, over: threading.Event) -> None:
    """Close each target as soon as all is told of it that is to be, and stop the campaign when none is left."""
    while not over.wait(0.2):
        for target in campaign.targets:
            target.closed = target.closed or (target.key != RIGHT and _is_told(target))
        if all(map(_is_told, campaign.targets)):
            campaign.stop()
            return


def _is_told(target: Target) -> bool:
    row = target.tally.row
    builds = target.implementation.name.startswith(f"{Stage.BUILD}.")
    enough = row.workloads > BUILDS if builds else row.cases > ENOUGH
    return bool(target.closed or target.tally.failures or row.harness_errors or enough)


def refused(ordeal: Ordeal, act: Act) -> str:
    """Return the line that says why a plug-in which does something when it is imported was not loaded; or nothing."""
    file = _file(act)
    return next((line for line in ordeal.catalog.problems if file in line), "")


def misjudged_import(ordeal: Ordeal, act: Act) -> str:
    """Return what is wrong with what was said of an import, in one line, or nothing."""
    line, fault = refused(ordeal, act), Fault(Stage.IMPORT, act)
    if act.effect in (Effect.RAISES, Effect.ENDS, Effect.HANGS, Effect.EATS):
        return "" if line else "was loaded"
    if act.effect is Effect.HARMLESS and line:
        return f"was refused: {line}"
    return "" if line or ordeal.row(fault) is not None else "is neither loaded nor refused"


def misjudged(ordeal: Ordeal, fault: Fault) -> str:
    """Return what is wrong with what was said of a fault, in one line, or nothing."""
    row, findings = ordeal.row(fault), ordeal.findings(fault)
    if row is None:
        return "has no row"
    if not row.cases and not row.harness_errors and not row.problem and not findings:
        return "was never judged, and nothing is said"
    expected = EXPECTED[fault.stage].get(fault.act.effect, NOTHING)
    said = {FINDING: bool(findings), BROKEN: bool(row.harness_errors or row.problem)}
    told = " ".join(name for name, there in said.items() if there) or NOTHING
    return "" if told in expected.split(" or ") else f"{told} in place of {expected}: {_words(row, findings)}"


def _words(row: Row, findings: Sequence[Finding]) -> str:
    return "; ".join([*(found.verdict.describe() for found in findings), *row.harness_errors, row.problem])[:300]


FINDING, BROKEN, NOTHING = "finding", "broken", "nothing"
_KERNEL = {
    Effect.RAISES: FINDING,
    Effect.ENDS: FINDING,
    Effect.HANGS: FINDING,
    Effect.EATS: FINDING,
    Effect.SPOILS: f"{FINDING} or {NOTHING}",
}
_GLUE = {Effect.RAISES: BROKEN, Effect.ENDS: BROKEN, Effect.HANGS: BROKEN, Effect.EATS: BROKEN}
_SPOILT = {Effect.SPOILS: f"{BROKEN} or {NOTHING}"}
EXPECTED: dict[Stage, dict[Effect, str]] = {
    Stage.BUILD: _KERNEL | {Effect.RAISES: f"{FINDING} or {BROKEN}"},  # what its own code raises there is glue
    Stage.CALL: _KERNEL,
    Stage.SOURCE: dict.fromkeys(Effect, FINDING),
    Stage.SUPPORTS: _GLUE | _SPOILT,
    Stage.STRATEGY: _GLUE | _SPOILT,
    Stage.CHECK: _GLUE | _SPOILT,
    Stage.ABOUT: _GLUE | _SPOILT,
    Stage.INPUTS: _GLUE | _SPOILT,
    # What eager raises is to be raised; so is what it raises because of what it spoilt.
    Stage.REFERENCE: _GLUE | dict.fromkeys((Effect.RAISES, Effect.SPOILS), f"{FINDING} or {BROKEN} or {NOTHING}"),
    Stage.RELATION: _GLUE | _SPOILT,
}
"""What is to be said by stage and effect; nothing where neither is named."""
