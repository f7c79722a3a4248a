"""Live progress: a table on a terminal, a line every ten seconds elsewhere."""

import contextlib
import sys
import threading
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eagerdiff.harness.cli.duration import format_duration

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from eagerdiff.harness.campaign import Progress
    from eagerdiff.harness.campaign.events import CrewAt

LINE_SECONDS = 10.0
MOST_CREWS = 4
"""That are named one by one."""
ROWS = 12
"""Most streams shown at once: those that moved last."""


@dataclass
class _Target:
    cases: int = 0
    compiles: int = 0
    findings: int = 0
    moved: float = 0.0
    shrinking: bool = False


def crews_line(crews: "Sequence[CrewAt]") -> str:
    """Say how the machines of a fleet stand: each, as long as they are few."""
    gone, lost = sum(one.gone for one in crews), sum(one.lost for one in crews)
    told = f"{len(crews) - gone} of {len(crews)} crews at work" + (f", {lost} turns lost" if lost else "")
    if len(crews) > MOST_CREWS:
        return told
    return f"{told}: " + ", ".join(f"{one.name} {one.workloads} workloads" for one in crews)


class Display:
    """Show a campaign's progress; called from its threads, one at a time."""

    def __init__(self, out: "Console", budget: float) -> None:
        self._out = out
        self._ends = time.monotonic() + budget
        self._latest: Progress | None = None
        self._targets: dict[tuple[str, str, str], _Target] = {}
        self._lock = threading.Lock()
        self._printed = time.monotonic()
        self._live = sys.stdout.isatty()

    def update(self, progress: "Progress") -> None:
        """Take in a campaign's progress."""
        with self._lock:
            before, self._latest = self._latest, progress
            target = self._targets.setdefault((progress.operator, progress.implementation, progress.device), _Target())
            # Progress holds totals: what was added since the last call belongs to the target that made this one.
            target.cases += progress.cases - (before.cases if before else 0)
            target.compiles += progress.compiles - (before.compiles if before else 0)
            target.findings += progress.findings - (before.findings if before else 0)
            target.moved, target.shrinking = time.monotonic(), progress.shrinking
            self._ends = time.monotonic() + progress.seconds_left
        if not self._live and time.monotonic() - self._printed >= LINE_SECONDS:
            self._printed = time.monotonic()
            print(self.line(), flush=True)

    def line(self) -> str:
        """Return the state in one line."""
        now = self._latest
        if now is None:
            return "starting the workers"
        where = f"{now.operator} {now.implementation} {now.device}" + (" (shrinking)" if now.shrinking else "")
        counts = f"{now.cases} cases, {now.workloads} workloads, {now.compiles} compiles, {now.findings} findings"
        crews = f"; {crews_line(now.crews)}" if now.crews else ""
        return f"{format_duration(self._left())} left: {counts}, {now.skipped} skipped; {where}{crews}"

    @contextlib.contextmanager
    def shown(self) -> Generator[None]:
        """Keep the display on the terminal while the campaign runs."""
        if not self._live:
            print(self.line(), flush=True)
            yield
            return
        from rich.live import Live

        with Live(get_renderable=self._table, console=self._out, refresh_per_second=4, transient=True):
            yield

    def _left(self) -> float:
        return max(0.0, self._ends - time.monotonic())

    def _table(self) -> "RenderableType":
        from eagerdiff.harness.cli.console import table

        made = table(self.line(), "operator", "implementation", "device", "cases", "compiles", "findings", "")
        with self._lock:
            latest = sorted(self._targets.items(), key=lambda item: -item[1].moved)[:ROWS]
            for (operator, implementation, device), target in sorted(latest, key=lambda item: item[0]):
                counts = (str(target.cases), str(target.compiles), str(target.findings))
                made.add_row(operator, implementation, device, *counts, "shrinking" if target.shrinking else "")
        return made
