"""A file of someone else's: a regular one, no larger than it may be."""

import os
import stat
from pathlib import Path

from eagerdiff.harness.reading.bounds import Bounds, Unreadable, in_words


def read_bytes(path: Path, bounds: Bounds) -> bytes:
    """Return a file's bytes; raise Unreadable where it cannot be read, is no file or is too large.

    A pipe or a device is not waited for.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except (OSError, ValueError) as error:  # ValueError: a name that holds a zero byte
        raise Unreadable(f"cannot be read: {_why(error)}") from error
    try:
        if not stat.S_ISREG(mode := os.fstat(descriptor).st_mode):
            what = "a folder" if stat.S_ISDIR(mode) else "no regular file"
            raise Unreadable(f"cannot be read: it is {what}")
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(bounds.size + 1)
    except OSError as error:
        raise Unreadable(f"cannot be read: {_why(error)}") from error
    finally:
        os.close(descriptor)
    if len(data) > bounds.size:
        raise Unreadable(f"is larger than {in_words(bounds.size)}")
    return data


def read_text(path: Path, bounds: Bounds) -> str:
    """Return a file's text; raise Unreadable as `read_bytes` does, and for what is not UTF-8."""
    return decoded(read_bytes(path, bounds))


def decoded(data: bytes) -> str:
    """Return UTF-8 as text; raise Unreadable for anything else."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(f"is not text in UTF-8: {error.reason} at byte {error.start}") from error


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
