"""`with eagerdiff.record("shapes.yaml"):`: the calls of this process, and of those forked from it, as a file."""

import contextlib
import shutil
import threading
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import Any

from eagerdiff.harness.recording.hooks import Hooks
from eagerdiff.harness.recording.merging import finish, parts_of
from eagerdiff.harness.recording.model import Recording
from eagerdiff.harness.recording.named import Named, checked_names
from eagerdiff.harness.recording.recorder import Recorder

DEFAULT = "shapes.yaml"
_ONE = threading.Lock()
"""Held while this process records."""


@contextlib.contextmanager
def record(path: str | Path = DEFAULT, *, contents: bool = False, functions: Iterable[str] = ()) -> Generator[None]:
    """Note with what compiled functions and Triton kernels are called within the block; write a file at its end.

    Of tensors shapes, strides, dtypes, devices and the like are noted, of any shape; with `contents` those of integer
    tensors of up to 256 elements, and bounds of larger ones. `functions`, as `my_kernels:my_norm`, are noted too,
    where they are called by their modules' names. A file that is there is replaced. Raises ValueError inside another
    recording and for a name that is none, and OSError where the file cannot be written.
    """
    begun = begin(Path(path), contents=contents, functions=functions)
    try:
        yield
    finally:
        begun.end()


class Begun:
    """Hold a recording of this process that has begun."""

    def __init__(self, path: Path, recorder: Recorder, functions: Iterable[str]) -> None:
        self._path = path
        self._recorder = recorder
        self._places = (Hooks(recorder), Named(recorder, functions))
        for one in self._places:
            one.install()

    def end(self) -> Recording:
        """Note nothing more, and write the file."""
        for one in self._places:
            one.uninstall()
        self._recorder.close()
        _ONE.release()
        return finish(self._path)


def begin(
    path: Path,
    *,
    contents: bool = False,
    functions: Iterable[str] = (),
    wanted: Callable[[Any], bool] = lambda context: True,
) -> Begun:
    """Begin to record in this process; raise ValueError where one is under way, and OSError."""
    functions = checked_names(functions)
    if not _ONE.acquire(blocking=False):
        raise ValueError("this process is being recorded already")
    try:
        return Begun(path, Recorder(fresh_parts(path), contents=contents, wanted=wanted), functions)
    except BaseException:
        _ONE.release()
        raise


def fresh_parts(path: Path) -> Path:
    """Return the folder of the parts of a recording that begins, empty; raise OSError."""
    parts = parts_of(path.absolute())
    shutil.rmtree(parts, ignore_errors=True)
    parts.mkdir(parents=True)
    return parts
