"""Findings: failing workloads, shrunk, grouped, each with its script."""

from typing import Any, cast

from pydantic import BaseModel, ConfigDict, computed_field, model_validator

from eagerdiff.harness.model.identity import Identity
from eagerdiff.harness.model.verdict import Status, Verdict
from eagerdiff.harness.triage.classification import Class, classify
from eagerdiff.harness.triage.signature import FailureSignature, symptom_of


class Finding(BaseModel):
    """Keep a failing workload as data: it loads without executing anything."""

    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="strings")

    operator: str
    implementation: str
    identity: Identity = Identity()
    """What the implementation is."""
    device: str
    verdict: Verdict
    workload: list[dict[str, Any]]
    """The shrunk workload's cases, in call order."""
    source: str = ""
    """What was called, as Python source, where the operator gives it."""
    about: tuple[str, ...] = ()
    """What the workload consists of, where the operator says so (the operations of a program), sorted."""
    seed: int = 0
    """Seed of the search batch that drew it."""
    shrunk: bool = False
    reproduced: bool = False
    """Whether it failed again in a fresh process."""
    flaky: bool = False
    """Whether it was run again in a fresh process, with nothing before it, and did not fail: then it is not new."""
    count: int = 1
    """How many failures of this signature were met."""
    script: str = ""
    """Path of the standalone script, relative to the report's folder; empty where none could be verified."""
    script_note: str = ""
    """Why there is no verified script."""
    new: bool = True
    """Whether the corpus knows neither this signature nor what it is due to."""
    kept: bool = False
    """Whether the corpus holds this signature; what is due to a known cause may not be kept yet."""
    backed: Status | None = None
    """What the same workload came to with backed sizes, where it fails with unbacked ones and that was asked."""

    @model_validator(mode="before")
    @classmethod
    def _without_class(cls, data: Any) -> Any:
        """Drop the class that a report says: it follows from the rest, and by today's rules."""
        named = cast(dict[str, Any], data) if isinstance(data, dict) else None
        return data if named is None else {name: value for name, value in named.items() if name != "defect"}

    @computed_field
    @property
    def defect(self) -> Class:
        """What a maintainer would call it."""
        return classify(self.verdict, self.identity, self.backed)

    @property
    def standing(self) -> str:
        """What a reader is to make of it: new, known, flaky, or a known cause that another failure has."""
        if self.flaky or self.new:
            return "flaky" if self.flaky else "new"
        return "known" if self.kept else "known cause"

    @property
    def calls(self) -> list[dict[str, Any]]:
        """The workload's cases as a person reads them: without what `source` says better."""
        return [{name: value for name, value in case.items() if not _is_nested(value)} for case in self.workload]

    @property
    def signature(self) -> FailureSignature:
        """The key under which failures are one bug."""
        specialised = self.defect is Class.SPECIALISATION
        return FailureSignature(
            operator=self.operator,
            implementation=self.implementation,
            identity=self.identity,
            about=self.about,
            symptom=symptom_of(self.verdict, of_program=bool(self.about), specialised=specialised),
        )


def _is_nested(value: Any) -> bool:
    """Whether a value is data inside data, such as a program, which the source shows."""
    inner = cast("dict[str, Any]", value).values() if isinstance(value, dict) else ()
    return any(isinstance(item, dict | list) for item in inner)
