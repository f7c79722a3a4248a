"""Counting different things with little memory: 8 bytes for each."""

import hashlib

import numpy as np
from numpy.typing import NDArray

PENDING = 4096
"""Kept as they come, before they are sorted into the others."""


class Distinct:
    """Count different texts by 8 bytes of their SHA-256."""

    def __init__(self) -> None:
        self._sorted: NDArray[np.uint64] = np.empty(0, np.uint64)
        self._pending: set[int] = set()

    def add(self, text: str) -> None:
        """Count a text, unless it was."""
        self._pending.add(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]))
        if len(self._pending) >= PENDING:
            self._settle()

    def __len__(self) -> int:
        """Return how many there are."""
        known = self._sorted
        if not known.size:
            return len(self._pending)
        fresh = np.fromiter(self._pending, np.uint64, len(self._pending))
        return int(known.size + fresh.size - np.isin(fresh, known, assume_unique=True).sum())

    def _settle(self) -> None:
        self._sorted = np.union1d(self._sorted, np.fromiter(self._pending, np.uint64, len(self._pending)))
        self._pending.clear()
