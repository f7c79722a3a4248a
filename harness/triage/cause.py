"""Causes: what findings have in common, whichever operation met it and in whichever way it was compiled."""

import hashlib
import re
from collections.abc import Sequence

from pydantic import BaseModel

from eagerdiff.harness.model.identity import Stage
from eagerdiff.harness.model.verdict import Status
from eagerdiff.harness.triage.classification import Class
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.normalisation import normalise

_EXPRESSION = re.compile(r"data-dependent expression (.*)")
_RELATION = re.compile(r"\b(?:Eq|Ne|Mod)\b|[<>]=?|%")
_OPERATION = re.compile(r"\b(?:aten|prims)(?:::|\.)\w+(?:\.\w+)*|\btorch(?:\.\w+)+")
_DIMS = re.compile(r"(?<=Constraints violated) \(.*?\)(?=!)|(?<=You marked )\S+(?= as dynamic)")
_RANGE = re.compile(r"Not all values of .*? satisfy the generated guard.*", re.DOTALL)
_SIZES = re.compile(r"(?<=[\[({])N(?:, N)+(?=[\])}])")
_CARRIED = re.compile(
    r"^(?:(?:build raised|the output cannot be judged:|BackendCompilerFailed: backend raised:"
    r"|InductorError:|LoweringException:|InternalTorchDynamoError:|TorchRuntimeError:"
    r"|RuntimeError when making fake tensor call:|UserError: (?=(?:Consider .*\. )?Could not)"
    r"|EngineError: \w+ raised (?=\w+ at )|GuardOnDataDependentSymNode: (?=Could not)"
    r"|Consider annotating your code using OP\S*) *)+"
)
"""What carries a message up, which differs from one way of compiling to the next."""
_GUARD = re.compile(
    r"^(?:AssertionError: Guard failed: |Tautology: .*?: )?(?!.*(?:expected|Could) )(?=.*[=<>])([^:\"']*)$"
)
_ASKED = re.compile(r"[=!<>]=|[<>]|//|%|\bmax\b|\bmin\b|\bMod\b")
_LEAK = re.compile(r"\ba \w+ without values\b|the call changed .*?(?= from )")
"""What is wrong with a result, or with what a call left behind, whichever operation is called."""
_EXAMPLE = re.compile(r"specialized (?:it to be a constant \(|due to hint of )[01]\b")
"""What is said where an example has a size of 0 or 1, whichever operation is called."""
_FORM = re.compile(r"^RuntimeError: Expected input .* to be of the form ")
"""What is said of a size that is not what its derived dim makes of any, whichever operation is called."""
_LAYOUT = re.compile(r"(?<=AssertionError: )expected size N==N.*")
"""What all code of Inductor says of strides that are not as its compiler was told: it does not say whose they are."""
_EXPECTED = "other sizes or strides"
_BFLOAT = re.compile(r"\bbfloat(?=N\b)")
"""A dtype, which `normalise` leaves without its bits: of floats the b is no more than those."""
_WRONG = {Status.WRONG_SHAPE: "its shape", Status.WRONG_DTYPE: "its dtype", Status.WRONG_MUTATION: "its write"}
"""What of a result is wrong where no figure says so."""
_MOST = 120
"""Characters of a message; numbers before the cut would tell one cause from itself."""
_PLACE = re.compile(r"\b[a-z]+\d+\.(?:size|stride)\(\)\[\d+\]|L\['\w+'\](?:\[\d+\])*\.size\(\)\[\d+\]")


class Cause(BaseModel, frozen=True, extra="forbid"):
    """Tell one cause from another: a class of defects, a function of the framework, and what it says or asks."""

    defect: Class
    where: str = ""
    """The function that an exception is due to, `module:function`; where none is told, what the workload consists of if
    it is about sizes or values, after the engine's name if that is no compiler of torch, else the function that raised
    it."""
    shape: str = ""
    """The message, or the guard, without its sizes, symbols and operations; what a call leaves behind, or gives without
    values; whether a shape, a dtype or a write is wrong; empty where values or strides are."""

    @property
    def digest(self) -> str:
        """A short name of the content, the same in every process."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:6]

    def __str__(self) -> str:
        """Write it for a person, in one line."""
        return ": ".join(part for part in (self.defect.value, self.where, self.shape) if part)


def cause_of(finding: Finding) -> Cause:
    """Return what a finding is due to, as far as it can be told."""
    verdict = finding.verdict
    if leak := _LEAK.search(verdict.reason):
        return Cause(defect=finding.defect, shape=leak[0])
    if finding.defect is Class.EXPORT_CONSTRAINT and _EXAMPLE.search(verdict.reason):
        return Cause(defect=finding.defect, shape="an example of 0 or 1 becomes a constant")
    if finding.defect is Class.EXPORT_CONSTRAINT and _FORM.search(verdict.reason):
        return Cause(defect=finding.defect, shape="a size is not of the form of its derived dim")
    shape = shape_of(verdict.guard or _message(finding)) or _WRONG.get(verdict.status, "")
    of_sizes = verdict.guard or verdict.refusal is not None or "data-dependent" in shape or not verdict.exceptions
    of_sizes = of_sizes or finding.defect is Class.CRASH  # who died says nothing of where
    own = "+".join(finding.about) or f"{finding.operator}/{finding.implementation}"
    own = f"{finding.identity.backend}: {own}" if finding.identity.stage is Stage.ENGINE else own  # each has its own
    if shape.endswith(_EXPECTED):
        return Cause(defect=finding.defect, where=own, shape=shape)
    return Cause(defect=finding.defect, where=verdict.origin or (own if of_sizes else verdict.frame), shape=shape)


def shape_of(text: str) -> str:
    """Return what a message or a guard says without its sizes, symbols, numbers and operations."""
    text = _EXPRESSION.sub(lambda met: "data-dependent " + "/".join(dict.fromkeys(_RELATION.findall(met[1]))), text)
    text = _RANGE.sub("Not all values satisfy the generated guard", text)
    text = _PLACE.sub("SIZE", _DIMS.sub("", _OPERATION.sub("OP", text)))
    text = _BFLOAT.sub("float", re.sub(r"\bSYM\b", "N", normalise(text)))
    text = _LAYOUT.sub(_EXPECTED, _CARRIED.sub("", _SIZES.sub("N", text)))
    if guard := _GUARD.match(text):
        asked = _ASKED.findall(guard[1])
        return f"{text[: guard.start(1)]}{' '.join(one for at, one in enumerate(asked) if _relates(one, asked[:at]))}"
    return text[:_MOST]


def _relates(asked: str, before: Sequence[str]) -> bool:
    """Whether what a guard asks is a relation, or an operation that it has not named yet."""
    return asked[0] in "=!<>" or asked not in before


def _message(finding: Finding) -> str:
    """Return the message of an exception; what else fails says how in figures."""
    return finding.verdict.reason if finding.verdict.exceptions else ""
