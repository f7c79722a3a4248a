"""Causes: what findings have in common, whichever operation met it and in whichever way it was compiled."""

import hashlib
import re
from collections.abc import Iterable, Sequence

from pydantic import BaseModel

from eagerdiff.harness.triage.classification import Class
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.normalisation import normalise

_EXPRESSION = re.compile(r"data-dependent expression (.*)")
_RELATION = re.compile(r"\b(?:Eq|Ne|Mod)\b|[<>]=?|%")
_OPERATION = re.compile(r"\b(?:aten|prims)(?:::|\.)\w+(?:\.\w+)*|\btorch(?:\.\w+)+")
_DIMS = re.compile(r"(?<=Constraints violated) \(.*?\)(?=!)|(?<=You marked )\S+(?= as dynamic)")
_SIZES = re.compile(r"\[N(?:, N)*\]")
_PLACE = re.compile(r"\b[a-z]+\d+\.(?:size|stride)\(\)\[\d+\]|L\['\w+'\](?:\[\d+\])*\.size\(\)\[\d+\]")


class Cause(BaseModel, frozen=True, extra="forbid"):
    """Tell one cause from another: a class of defects, a function of the framework, and what it says or asks."""

    defect: Class
    where: str = ""
    """The function that an exception is due to, `module:function`; where none is told, what the workload consists of if
    it is about sizes or values, else the function that raised it."""
    shape: str = ""
    """The message, or the guard, without its sizes, symbols and operations; empty where values are wrong."""

    @property
    def digest(self) -> str:
        """A short name of the content, the same in every process."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:6]

    def __str__(self) -> str:
        """Write it for a person, in one line."""
        return ": ".join(part for part in (self.defect.value, self.where, self.shape) if part)


class Family(BaseModel, extra="forbid"):
    """Say of one cause who met it."""

    cause: Cause
    findings: int
    parts: list[str]
    """What the workloads consist of, the operators where they do not say."""
    ways: list[str]
    """The implementations that meet it."""
    new: bool
    """Whether any of its findings is new."""
    script: str = ""
    """A standalone script that shows it, relative to the report's folder; empty where there is none."""

    @classmethod
    def of(cls, cause: Cause, members: Sequence[Finding]) -> "Family":
        """Sum up the findings of a cause."""
        return cls(
            cause=cause,
            findings=len(members),
            parts=sorted({"+".join(found.about) or found.operator for found in members}),
            ways=sorted({found.implementation for found in members}),
            new=any(found.new for found in members),
            script=next((found.script for found in members if found.script), ""),
        )


def cause_of(finding: Finding) -> Cause:
    """Return what a finding is due to, as far as it can be told."""
    verdict = finding.verdict
    shape = shape_of(verdict.guard or _message(finding))
    of_sizes = verdict.guard or verdict.refusal is not None or "data-dependent" in shape or not verdict.exceptions
    own = "+".join(finding.about) or f"{finding.operator}/{finding.implementation}"
    return Cause(defect=finding.defect, where=verdict.origin or (own if of_sizes else verdict.frame), shape=shape)


def families(findings: Iterable[Finding]) -> list[Family]:
    """Return the causes of some findings, those with the most first."""
    found: dict[Cause, list[Finding]] = {}
    for finding in findings:
        found.setdefault(cause_of(finding), []).append(finding)
    ordered = sorted(found.items(), key=lambda item: -len(item[1]))
    return [Family.of(cause, members) for cause, members in ordered]


def shape_of(text: str) -> str:
    """Return what a message or a guard says without its sizes, symbols, numbers and operations."""
    text = _EXPRESSION.sub(lambda met: "data-dependent " + "/".join(dict.fromkeys(_RELATION.findall(met[1]))), text)
    text = _PLACE.sub("SIZE", _DIMS.sub("", _OPERATION.sub("OP", text)))
    return _SIZES.sub("[N]", re.sub(r"\bSYM\b", "N", normalise(text)))


def _message(finding: Finding) -> str:
    """Return the message of an exception; what else fails says how in figures."""
    return finding.verdict.reason if finding.verdict.exceptions else ""
