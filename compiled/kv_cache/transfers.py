"""Copies between the pool and the tiers below it, which end late, in any order, or fail."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random


@dataclass
class Transfer:
    """Describe one copy in flight."""

    run: Callable[[], None]
    """Do the copy: memory is read and written when it ends, not when it begins."""
    settle: Callable[[bool], None]
    """Told at the end whether it was done."""


class Transfers:
    """Keep the copies in flight and end them when asked."""

    def __init__(self, seed: int = 0) -> None:
        """`seed` orders the ends."""
        self._flying: list[Transfer] = []
        self._random = Random(seed)
        self._failures = 0
        self.failed = 0

    def __len__(self) -> int:
        return len(self._flying)

    def begin(self, transfer: Transfer) -> None:
        """Send a copy off."""
        self._flying.append(transfer)

    def fail_next(self) -> None:
        """Let the next copy that ends fail."""
        self._failures += 1

    def end(self, count: int | None = None) -> None:
        """End some copies, all of them by default; a copy that they begin in turn is not waited for unless all are."""
        while self._flying and (count is None or count > 0):
            transfer = self._flying.pop(self._random.randrange(len(self._flying)))
            done = self._done(transfer)
            transfer.settle(done)
            count = None if count is None else count - 1

    def _done(self, transfer: Transfer) -> bool:
        if self._failures:
            self._failures -= 1
            self.failed += 1
            return False
        try:
            transfer.run()
        except OSError:  # what every file system raises; the copy is lost, its source is not
            self.failed += 1
            return False
        return True
