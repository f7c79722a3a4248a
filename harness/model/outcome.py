"""Outcomes: what came of running one workload."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from eagerdiff.harness.model.kernel_coverage import Places
from eagerdiff.harness.model.verdict import Status, Verdict
from eagerdiff.harness.sinks.visible import encodable


class CompileRecord(BaseModel):
    """Record one compilation."""

    model_config = ConfigDict(extra="forbid")

    layer: str
    """dynamo, inductor, triton or export."""
    frame: str = ""
    """What was compiled: Dynamo's frame id (`0`, `1`, ...: each resume function is a frame), kernel name."""
    call: int = -1
    """Index of the case in the workload that caused it."""
    reason: str = ""
    """Guard that failed, or the new specialisation key."""
    seconds: float = 0.0
    graph_breaks: int = 0
    guards: int = 0
    cache_hit: bool = False
    failed: str = ""
    """Exception type, where compilation failed."""
    details: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _encodable(cls, data: Any) -> Any:
        """Take any text, as a verdict does."""
        return encodable(data)


class Outcome(BaseModel):
    """Hold everything that one workload gave: a verdict a case, one for the workload, the compilations."""

    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="strings")

    verdicts: list[Verdict]
    """One a case, in call order; shorter where the process died (then `workload` says why)."""
    workload: Verdict = Verdict(status=Status.PASSED)
    """What concerns no single case: compile budget, fall-back, crash of the process."""
    compiles: list[CompileRecord] = Field(default_factory=list)
    compile_count: int = 0
    """Compilations as the compile model counts them (most over any one frame)."""
    compile_allowed: int | None = None
    compile_note: str = ""
    """Set where fewer compiles happened than the model says: reported as a change, not a failure."""
    launched: list[dict[str, int]] = Field(default_factory=list[dict[str, int]])
    """Kernel launches seen, by kernel, one entry a call."""
    features: list[str] = Field(default_factory=list[str])
    """Of each case the code of its features, where it was judged and the operator has such (`Drawing.covering`)."""
    kernels: dict[str, Places] = Field(default_factory=dict[str, Places])
    """What was reached of hand-written kernels, and not told by an earlier outcome of the process."""
    seconds: float = 0.0
    build_seconds: float = 0.0
    refused: str = ""
    """What its device does not take, by name and line: then all of it was judged on the one that stands in for it."""
    changed: str = ""
    """What a call changed of its process, whatever its verdict: the process is then of no more use."""

    @property
    def launches(self) -> int:
        """Kernel launches seen in all calls."""
        return sum(count for call in self.launched for count in call.values())

    @property
    def right(self) -> bool:
        """Whether something was judged, and nothing failed or broke."""
        judged = any(verdict.status.judged for verdict in self.verdicts)
        return judged and self.workload.status is Status.PASSED and self.first_failure is None

    @property
    def first_failure(self) -> Verdict | None:
        """The first failing verdict in call order, then the workload's own."""
        return next((verdict for verdict in (*self.verdicts, self.workload) if verdict.failed), None)
