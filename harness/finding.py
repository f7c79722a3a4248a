"""Findings: failing workloads, shrunk, grouped, each with its script."""

from typing import Any

from pydantic import BaseModel, ConfigDict

from harness.verdict import Status, Verdict


class Finding(BaseModel):
    """Keep a failing workload as data: it loads without executing anything."""

    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="strings")

    operator: str
    implementation: str
    device: str
    verdict: Verdict
    workload: list[dict[str, Any]]
    """The shrunk workload's cases, in call order."""
    seed: int = 0
    """Seed of the search chunk that drew it."""
    shrunk: bool = False
    reproduced: bool = False
    """Whether it failed again in a fresh process."""
    count: int = 1
    """How many failures of this group were met."""
    script: str = ""
    """Path of the standalone script, relative to the report's folder; empty where none could be verified."""
    script_note: str = ""
    """Why there is no verified script."""
    new: bool = True
    """Whether the corpus does not know this group yet."""

    @property
    def group(self) -> str:
        """Name the bug: operator, implementation, status, frame or output, normalised reason (DESIGN §7)."""
        where = self.verdict.frame or self.verdict.output
        # A function that compiles too often fails another guard each time that it is met.
        reason = "" if self.verdict.status is Status.OVER_BUDGET and where else normalise(self.verdict.reason)
        return "|".join((self.operator, self.implementation, self.verdict.status.value, where, reason))


def normalise(reason: str) -> str:
    """Replace what varies from case to case (numbers, addresses, symbols) so that one bug gives one text."""
    import re

    text = re.sub(r"0x[0-9a-f]+", "ADDR", reason)
    text = re.sub(r"\b[su]\d+\b", "SYM", text)
    text = re.sub(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?", "N", text)
    return text[:160]
