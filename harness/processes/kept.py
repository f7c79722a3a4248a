"""Kept processes: those that wait for more of the implementation which they have run."""

from eagerdiff.harness.processes.child import Child

MOST = 64
"""Processes that wait at a time."""


class Kept:
    """Hold processes that have run one implementation each, and end what is not asked for while others are."""

    def __init__(self, memory: int) -> None:
        """Bound the bytes that all of them together may have gained since they were forked."""
        self._memory = memory
        self._children: list[Child] = []

    def put(self, child: Child) -> None:
        """Keep a process that has run something; those that have waited longest end to make room for it.

        One that holds too much by itself ends.
        """
        gained = child.gained
        if child.subject is None or gained >= self._memory:
            child.end()
            return
        while len(self._children) >= MOST or gained + sum(kept.gained for kept in self._children) > self._memory:
            self._children.pop(0).end()
        self._children.append(child)

    def take(self, subject: tuple[str, ...]) -> Child | None:
        """Return the process that has run this, which is the caller's from now on; None where there is none."""
        found = next((child for child in self._children if child.subject == subject), None)
        if found is not None:
            self._children.remove(found)
        return found

    def clear(self) -> None:
        """End them all."""
        while self._children:
            self._children.pop().end()
