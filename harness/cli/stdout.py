"""Standard output that may go away: closed, a full disk, a reader like `head` that has had enough."""

import contextlib
import io
import os
import sys
from collections.abc import Generator
from typing import TextIO


class Stdout(io.TextIOBase):
    """Pass text on until that fails, remember why, and swallow the rest: no search ends because nobody reads."""

    def __init__(self, inner: TextIO | None) -> None:
        self.failure = "" if inner is not None else "it is closed"
        """Why text was lost, in one line."""
        self.left = False
        """Whether it is that the reader has gone."""
        self._inner = inner

    @property
    def encoding(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]  a property there, typed as a variable
        """The encoding of the output."""
        return self._inner.encoding if self._inner is not None else "utf-8"

    def write(self, text: str, /) -> int:
        """Write a text."""
        with self._watched():
            if self._inner is not None and not self.failure:
                self._inner.write(text)
        return len(text)

    def flush(self) -> None:
        """Hand on what was written."""
        with self._watched():
            if self._inner is not None and not self.failure:
                self._inner.flush()

    def isatty(self) -> bool:
        """Whether a person reads it as it comes."""
        return self._inner is not None and self._inner.isatty()

    def writable(self) -> bool:
        """Whether it takes text: always."""
        return True

    def fileno(self) -> int:
        """Return the descriptor."""
        return self._inner.fileno() if self._inner is not None else 1

    @contextlib.contextmanager
    def _watched(self) -> Generator[None]:
        try:
            yield
        except OSError as error:
            self.failure, self.left = error.strerror or str(error), isinstance(error, BrokenPipeError)
            silence(1)


def silence(descriptor: int) -> None:
    """Send to nowhere what is left in a buffer: the interpreter would complain of it at its end."""
    with contextlib.suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, descriptor)
        os.close(nowhere)


def open_standard_descriptors() -> None:
    """Open those of 0, 1 and 2 that are closed, so that no file of ours is taken for one of them."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free: this one


@contextlib.contextmanager
def lasting() -> Generator[Stdout]:
    """Replace standard output by one that cannot fail."""
    before = sys.stdout
    sys.stdout = made = Stdout(before)
    try:
        yield made
    finally:
        made.flush()
        sys.stdout = before
