"""What a check did, and what it raises where something fails."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eagerdiff import Check, Finding
from eagerdiff.suites.own.telling import told


@dataclass(frozen=True)
class Checked:
    """Hold what a check did."""

    name: str
    ways: Mapping[str, Check]
    said: Sequence[str] = ()
    """What was found out of the arguments, in a line each."""

    @property
    def findings(self) -> list[Finding]:
        """What fails, way by way."""
        return [finding for check in self.ways.values() for finding in check.findings]

    @property
    def right(self) -> "Checked":
        """This, where nothing fails; raises CheckFailed where something does, or could not be checked."""
        __tracebackhide__ = True  # of pytest: what failed is the test's
        if self.findings or any(one.broken for one in self.ways.values()):
            raise CheckFailed(self)
        return self

    def __str__(self) -> str:
        """Say it in a few lines."""
        return told(self.name, self.ways, self.said)


class CheckFailed(AssertionError):
    """Tell what a check found: each failure in a few lines, with its script."""

    def __init__(self, checked: Checked) -> None:
        super().__init__(str(checked))
        self.checked = checked
