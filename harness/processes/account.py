"""An account: what a worker has told of a task so far, which is what remains where it dies."""

from dataclasses import dataclass, field

from eagerdiff.harness.execution.stage import Stage
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Verdict
from eagerdiff.harness.processes.message import Entered, Reached


@dataclass
class Account:
    """Hold where a task is, and the verdicts that were reached."""

    heard: int = 0
    """Messages."""
    at: Entered = field(default_factory=Entered)
    reached: dict[int, Reached] = field(default_factory=dict[int, Reached])

    def note(self, message: Entered | Reached) -> None:
        """Take a message down."""
        if isinstance(message, Entered):
            self.at = message
        else:
            self.reached[message.case] = message

    @property
    def ours(self) -> bool:
        """Whether what takes time just now is not under test."""
        return self.at.stage is Stage.HARNESS

    def ended_by(self, verdict: Verdict) -> Outcome:
        """Return the outcome of a task that went no further: the verdicts on its first cases, and why it ended."""
        told = [self.reached[case] for case in range(len(self.reached)) if case in self.reached]
        return Outcome(
            verdicts=[one.verdict for one in told], launched=[one.launched for one in told], workload=verdict
        )
