"""Excuses in the results: which rule kept how many calls of which way from being compared, and what it rests on."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from eagerdiff.harness.model.excuse import SHARE, Excuse

if TYPE_CHECKING:
    from eagerdiff.harness.results.results import Row


class Rule(BaseModel):
    """Hold what a reader is to know of a rule."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    says: str = ""
    link: str = ""
    reason: str = ""
    """Why it may excuse so many calls."""
    specialises: bool = False


def rule_from(excuse: Excuse) -> Rule:
    """Return what a reader is to know of an excuse."""
    return Rule.model_validate({name: getattr(excuse, name) for name in Rule.model_fields})


class Excused(BaseModel):
    """Count the calls of a way that a rule excused."""

    model_config = ConfigDict(extra="forbid")

    calls: int = 0
    proof: str = ""
    """What proved it the first time."""
    operations: dict[str, int] = Field(default_factory=dict[str, int])
    """Operation → calls of what holds it, where the rule is specialisation on 0 and 1."""

    def count(self, proof: str, operations: Iterable[str]) -> None:
        """Count a call."""
        self.calls += 1
        self.proof = self.proof or proof
        for operation in operations:
            self.operations[operation] = self.operations.get(operation, 0) + 1


class ExcuseLine(BaseModel):
    """Hold a line of the table: a rule on an operator in one way of compiling."""

    rule: Rule
    operator: str
    implementation: str
    excused: Excused
    calls: int
    """All calls of that way, compared or not."""

    @property
    def is_large(self) -> bool:
        """Whether it excuses more than a rule may without a reason."""
        return self.excused.calls > SHARE * self.calls


def lines_of(rules: Iterable[Rule], rows: "Iterable[Row]") -> list[ExcuseLine]:
    """Return a line a rule, operator and way, by rule, the largest share first."""
    known = {rule.name: rule for rule in rules}
    found = [
        ExcuseLine(
            rule=known.get(name, Rule(name=name)),
            operator=row.operator,
            implementation=row.implementation,
            excused=excused,
            calls=row.cases + row.skipped,
        )
        for row in rows
        for name, excused in row.excused.items()
    ]
    order = list(known)
    return sorted(
        found,
        key=lambda line: (
            order.index(line.rule.name) if line.rule.name in known else len(order),
            -line.excused.calls / line.calls,
        ),
    )


def by_operation(rows: "Iterable[Row]") -> dict[str, int]:
    """Return operation → calls excused by specialisation on 0 and 1 over all ways, most first."""
    counts: dict[str, int] = {}
    for excused in (excused for row in rows for excused in row.excused.values()):
        for operation, calls in excused.operations.items():
            counts[operation] = counts.get(operation, 0) + calls
    return dict(sorted(counts.items(), key=lambda item: -item[1]))
