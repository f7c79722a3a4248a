"""Results: what a campaign found, as the data behind every report."""

import json

from pydantic import BaseModel, ConfigDict, Field

from eagerdiff.harness.model.comparison import Comparison
from eagerdiff.harness.model.identity import Identity
from eagerdiff.harness.model.kernel_coverage import Places
from eagerdiff.harness.model.metric import Metric
from eagerdiff.harness.results.closeness import Closeness
from eagerdiff.harness.results.coverage import Covered, Met
from eagerdiff.harness.results.detection import Reading
from eagerdiff.harness.results.excuses import Excused, Rule
from eagerdiff.harness.results.installed import Installed
from eagerdiff.harness.results.pairs import PairsMet
from eagerdiff.harness.results.part import Part
from eagerdiff.harness.results.past import Past
from eagerdiff.harness.results.unseen import Unseen
from eagerdiff.harness.triage.family import Family, families
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.note import Note


class SameCause(BaseModel):
    """Say which entry tells of a row's failures, where it is not of that row."""

    model_config = ConfigDict(extra="forbid")

    operator: str
    implementation: str
    device: str = ""
    """Empty where the entry is the corpus's."""
    what: str
    """How it fails, in one line."""
    new: bool
    failures: int
    """How many of the row's."""

    @property
    def place(self) -> str:
        """Whose entry it is: `operator/implementation`, with the device where it is known."""
        return f"{self.operator}/{self.implementation}" + (f" on {self.device}" if self.device else "")

    def __str__(self) -> str:
        """Write it for a person, in one line."""
        return f"same cause as {self.place}: {self.what}"


class Row(BaseModel):
    """Sum up one operator × implementation × device."""

    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="strings")

    operator: str
    implementation: str
    device: str
    identity: Identity = Identity()
    mode: str = ""
    cases: int = 0
    """Cases judged: passed or failed, not skipped."""
    workloads: int = 0
    compiles: int = 0
    failures: int = 0
    """Verdicts that failed, whichever entry tells of them."""
    findings: int = 0
    """Entries of its own: bugs, not failures."""
    new: int = 0
    same_cause: list[SameCause] = Field(default_factory=list[SameCause])
    """Entries of others, and of the corpus, that tell of its failures too."""
    skipped: int = 0
    survived: int = 0
    """Judged cases on which the judge could not refuse some wrong answer."""
    closeness: Closeness = Field(default_factory=Closeness)
    """How near to their limits those came that passed."""
    seconds: float = 0.0
    """Worker time."""
    compile_seconds: float = 0.0
    launches: int = 0
    launches_a_call: dict[str, int] = Field(default_factory=dict)
    """Kernel → most launches in one call."""
    skip_reasons: dict[str, int] = Field(default_factory=dict)
    stood_in: dict[str, int] = Field(default_factory=dict)
    """What the device does not take, by name and line → cases judged on the one that stands in for it."""
    excused: dict[str, Excused] = Field(default_factory=dict[str, Excused])
    """Rule → the calls that it excused; they are among the skipped."""
    recompile_reasons: dict[str, int] = Field(default_factory=dict)
    """Normalised guard reason → how often."""
    compiles_per_workload: dict[int, int] = Field(default_factory=dict)
    """Histogram: compile count → workloads."""
    compile_changes: dict[str, int] = Field(default_factory=dict)
    """Fewer compiles than the model says: note → how often."""
    judged_before: int = 0
    """Workloads that were drawn and left out: a night before judged them right, under the same environment."""
    distinct_sizes: int = 0
    """How many different cases (by content) were judged."""
    kernels: dict[str, Places] = Field(default_factory=dict[str, Places])
    """Hand-written kernel → what was reached of it, and what was not; on the interpreter and the host device."""
    met: dict[str, Met] = Field(default_factory=dict[str, Met])
    """What workloads consist of, joined with `+` → calls, where the operator draws from a table that is not its own."""
    problem: str = ""
    """Why this row could not run at all (broken plug-in, device not there)."""
    last_judged: str = ""
    """When it was last judged here, ISO 8601, where this time it was not; empty where that is not known."""
    can_run: bool = True
    """Whether the device is here and what the implementation requires."""
    harness_errors: dict[str, int] = Field(default_factory=dict)
    """What broke of ours or of a plug-in's glue: reason → how often. None of it is a finding."""

    @property
    def why_unjudged(self) -> str:
        """Why no case was judged, in one line; empty where one was."""
        if self.cases:
            return ""
        if self.harness_errors:
            return f"harness error: {next(iter(self.harness_errors))}"
        if self.skip_reasons and not self.problem:
            return f"nothing that was drawn is supported: {max(self.skip_reasons, key=self.skip_reasons.__getitem__)}"
        before = f", which last happened on {self.last_judged[:10]}" if self.last_judged else ""
        return self.problem or f"the budget ended before a case was judged{before}"

    @property
    def failed(self) -> bool:
        """Whether something failed, be it known or not."""
        return bool(self.failures or self.findings)

    @property
    def failed_anew(self) -> bool:
        """Whether something failed that the corpus does not know."""
        return bool(self.new) or any(cause.new for cause in self.same_cause)


class Totals(BaseModel):
    """Sum up a campaign."""

    cases: int = 0
    workloads: int = 0
    compiles: int = 0
    findings: int = 0
    new: int = 0
    skipped: int = 0
    survived: int = 0
    harness_errors: int = 0


class Replay(BaseModel):
    """Say how one kept finding of the corpus behaved."""

    operator: str
    implementation: str
    device: str
    name: str
    status: str
    """PRESENT (fails as recorded), CHANGED (otherwise), GONE, SKIPPED, HARNESS_ERROR, WAITING (for a later run)."""
    reason: str = ""


class OperatorMetrics(BaseModel):
    """Hold the metrics of one operator and what it compares, or why there is nothing."""

    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="strings")

    operator: str
    metrics: list[Metric] = Field(default_factory=list[Metric])
    comparison: Comparison | None = None
    problem: str = ""


VERSION = 1
"""Of the form of `report.json`."""


class Results(BaseModel):
    """Hold a whole campaign; `report.json` is this model's dump."""

    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="strings")

    version: int = VERSION
    totals: Totals = Field(default_factory=Totals)
    rows: list[Row] = Field(default_factory=list)
    findings: list[Finding] = Field(default_factory=list)
    causes: list[Family] = Field(default_factory=list[Family])
    """What the findings are due to, those that most are due to first."""
    notes: list[Note] = Field(default_factory=list[Note], exclude=True)
    """What is known of causes; each cause has its own in the report."""
    replays: list[Replay] = Field(default_factory=list)
    past: Past | None = None
    """What nights before say, where a history was given."""
    metrics: list[OperatorMetrics] = Field(default_factory=list[OperatorMetrics])
    coverage: dict[str, list[Covered]] = Field(default_factory=dict[str, list[Covered]])
    """Table → what became of each of its entries."""
    pairs: list[PairsMet] = Field(default_factory=list[PairsMet])
    """What was met of the pairs of features of each operator that has such."""
    unseen: list[Unseen] = Field(default_factory=list[Unseen])
    """How many causes the search has not met yet, an estimate for each operator."""
    excuses: list[Rule] = Field(default_factory=list[Rule])
    """The rules of all ways of compiling that were searched."""
    detections: list[Reading] = Field(default_factory=list)
    """Planted faults found by the search and by baseline suites, as they were last measured."""
    environment: dict[str, str] = Field(default_factory=dict)
    """python, torch, triton, platform, cores, gpu, commit."""
    installed: list[Installed] = Field(default_factory=list[Installed])
    """What a night ran with."""
    started: str = ""
    """ISO 8601, UTC."""
    elapsed: float = 0.0
    """Seconds of wall clock."""
    budget: float = 0.0
    seed: int = 0
    shard: str = ""
    """Which part of a campaign it is, `2/4`; empty for the whole."""
    parts: list[Part] = Field(default_factory=list[Part])
    """The reports of which it was made, where it was made of several."""
    interrupted: bool = False
    problems: list[str] = Field(default_factory=list)
    """One line each: a plug-in that could not be loaded, a device that is not there."""
    patch: str = ""
    """Beside the report: what adds one finding of each new cause to the corpora, with `git apply`; empty: nothing."""
    broken: list[str] = Field(default_factory=list[str])
    """One line each: what ended the campaign before its time, or kept what it found from being written."""

    @property
    def never_judged(self) -> list[Row]:
        """A row of each implementation that can run here and of which no case was judged on any device."""
        judged = {(row.operator, row.implementation) for row in self.rows if row.cases}
        idle = {(row.operator, row.implementation): row for row in reversed(self.rows) if row.can_run}
        return [row for name, row in sorted(idle.items()) if name not in judged]

    def add_up(self) -> None:
        """Set the totals and the causes from the rows and the findings."""
        self.causes = families(self.findings, self.notes)
        names = ("cases", "workloads", "compiles", "skipped", "survived")
        sums = {name: sum(getattr(row, name) for row in self.rows) for name in names}
        sums["harness_errors"] = sum(sum(row.harness_errors.values()) for row in self.rows)
        sums["harness_errors"] += sum(replay.status == "HARNESS_ERROR" for replay in self.replays)
        sums["harness_errors"] += len(self.broken)
        self.totals = Totals(**sums, findings=len(self.findings), new=sum(finding.new for finding in self.findings))


def schema() -> str:
    """Return the JSON schema of `report.json`, as it is published (docs/report.schema.json)."""
    return json.dumps(Results.model_json_schema(mode="serialization"), indent=1) + "\n"
