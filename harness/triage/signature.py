"""Signatures: the key under which failures are one bug, and what must stay the same while one is made smaller."""

import hashlib
from collections.abc import Iterable

from pydantic import BaseModel

from eagerdiff.harness.model.identity import Identity
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Oracle, Refusal, Status, Verdict
from eagerdiff.harness.triage.classification import loses_guards
from eagerdiff.harness.triage.normalisation import KERNEL, normalise

LOOSE = frozenset(
    {
        Status.WRONG_VALUE,
        Status.WRONG_SHAPE,
        Status.WRONG_DTYPE,
        Status.WRONG_STRIDES,
        Status.NONDETERMINISTIC,
        Status.UNWRITTEN,
        Status.CRASHED,
        Status.TIMED_OUT,
        Status.OUT_OF_MEMORY,
        Status.OVER_BUDGET,
    }
)
"""Statuses whose reasons change with the sizes; elsewhere the reason names the bug."""


class Symptom(BaseModel, frozen=True, extra="forbid"):
    """Say how something fails, whoever does."""

    status: Status | None
    """None: a size that was to stay symbolic became a constant. Then a guard fails, a mark is refused, or an export."""
    where: str = ""
    """Innermost framework frame, or the output that differs."""
    reason: str = ""
    """Normalised."""

    @property
    def anywhere(self) -> bool:
        """Whether the back end does not matter: a size became constant, or it is known which line of torch raised."""
        return self.status is None or (self.status is Status.RAISED and bool(self.where))

    @property
    def of_any(self) -> bool:
        """Whether what is called does not matter: who drops the guards of a program drops those of all."""
        return self.status is Status.RAISED and loses_guards(self.reason)

    def __str__(self) -> str:
        """Write it for a person."""
        status = "specialised" if self.status is None else self.status.value
        return " ".join(part for part in (status, self.reason or self.where) if part)


def symptom_of(verdict: Verdict, *, of_program: bool, specialised: bool) -> Symptom:
    """Return how a verdict fails.

    `of_program` says that the workload consists of drawn parts: the first differing output of such a program says
    nothing, its parts say all. `specialised` says that a size which was to stay symbolic became a constant.
    """
    if of_program and (specialised or verdict.refusal is Refusal.CONSTANT):
        return Symptom(status=None)
    where = verdict.frame or verdict.output
    # A function that compiles too often fails another guard each time that it is met.
    reason = "" if verdict.status is Status.OVER_BUDGET and where else normalise(verdict.reason)
    if of_program:
        where = KERNEL.sub("KERNEL", verdict.frame) if reason else ""
    return Symptom(status=verdict.status, where=where, reason=reason)


class FailureSignature(BaseModel, frozen=True, extra="forbid"):
    """Tell one bug from another: what fails, who fails, and how."""

    operator: str
    implementation: str
    identity: Identity = Identity()
    about: tuple[str, ...] = ()
    """What the workload consists of (`Finding.about`)."""
    symptom: Symptom

    def explains(self, other: "FailureSignature") -> bool:
        """Whether a known failure accounts for another one: the same symptom, of workloads that consist of no less.

        A large program that fails as a part of it is known to fail needs no second look. Nor does it where torch's
        compiler makes the same of the same function: by the same back end in another mode, by one that does all that
        the known one does and more, and, where a line of torch is known that raises or a size becomes constant, by
        any. An engine that loses a guard of one program loses those of any. Kernels that are written by hand and third
        parties' code account for nobody but themselves.
        """
        if self == other:
            return True
        if (self.operator, self.symptom) != (other.operator, other.symptom):
            return False
        if not self.about and not self.symptom.anywhere:  # nothing that it consists of is to blame
            return False
        return self._reaches(other) and (self.symptom.of_any or frozenset(self.about) <= frozenset(other.about))

    def _reaches(self, other: "FailureSignature") -> bool:
        """Whether the other implementation runs into what this one does."""
        if self.implementation == other.implementation:
            return True
        one, two = self.identity, other.identity
        return one.leads_to(two) or (self.symptom.anywhere and one.akin(two))

    @property
    def place(self) -> str:
        """Who fails, as `operator/implementation`."""
        return f"{self.operator}/{self.implementation}"

    @property
    def digest(self) -> str:
        """A short name of the content, the same in every process."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:6]

    def __str__(self) -> str:
        """Write it for a person, in one line."""
        return f"{self.place}: {self.symptom}" + (f" of {'+'.join(self.about)}" if self.about else "")


def explaining(known: Iterable[FailureSignature], other: FailureSignature) -> FailureSignature | None:
    """Return the first of some signatures that accounts for another one, or None."""
    return next((one for one in known if one.explains(other)), None)


class Kind(BaseModel, frozen=True, extra="forbid"):
    """Say what must stay the same while a failure is made smaller."""

    status: Status
    oracle: Oracle | None
    relation: str
    where: str
    ending: str = ""
    reason: str


def kind(verdict: Verdict) -> Kind:
    """Return a verdict's kind."""
    reason = "" if verdict.status in LOOSE else normalise(verdict.reason)
    return Kind(
        status=verdict.status,
        oracle=verdict.oracle,
        relation=verdict.relation,
        where=verdict.frame or verdict.output,
        ending=verdict.ending,
        reason=reason,
    )


def failures(outcome: Outcome) -> list[Verdict]:
    """Return every failing verdict in call order, the workload's own last.

    A device that a failed case took with it is that case's failure, not one more; of what died over a later case the
    workload's verdict says over which.
    """
    failed = [verdict for verdict in outcome.verdicts if verdict.failed]
    consequence = bool(failed) and outcome.workload.oracle is Oracle.PROCESS and "case" not in outcome.workload.numbers
    return failed if consequence or not outcome.workload.failed else [*failed, outcome.workload]


def shows(outcome: Outcome, wanted: Kind) -> Verdict | None:
    """Return the first failing verdict of a kind, or None."""
    return next((verdict for verdict in failures(outcome) if kind(verdict) == wanted), None)
