"""A baseline suite: the fixed shapes of a test that another project publishes, and its rule of what is equal."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic

from eagerdiff.harness.model.case import CaseT
from eagerdiff.harness.model.operator import Inputs


@dataclass(frozen=True, kw_only=True)
class BaselineSuite(Generic[CaseT]):
    """Describe a published test as cases of ours, judged as it judges: no poison, no relations, one tolerance."""

    project: str
    """With its version: vLLM 0.33.0."""
    test: str
    cases: Callable[[], Iterable[CaseT]]
    """Expand the test's tables of parameters; the cheapest case is run first, whatever the order."""
    inputs: Callable[[CaseT, str], Inputs]
    """Build the tensors of a case as that test does, on a torch device."""
    compared: Callable[[Any, Inputs], Any]
    """Return what the test looks at, given the output and the arguments after the call."""
    rule: Callable[[Any, Any], str]
    """Return how what was compared differs from the reference's, in one line; empty where the test passes."""
    against: Callable[[Inputs], Inputs] | None = None
    """Return other inputs that the implementation must answer alike, where the test has no reference but itself."""
    note: str = ""
    """What of the test is left out or scaled."""

    @property
    def name(self) -> str:
        """What the reports call it."""
        return f"{self.project}, {self.test}"
