"""The recorder of one process: what was called, each different call once, and in which order."""

import atexit
import os
import threading
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eagerdiff.harness.recording.call_key import Key, Telling, key_of
from eagerdiff.harness.recording.contents import contents_of
from eagerdiff.harness.recording.part import Part
from eagerdiff.harness.recording.subject import Subject, of_function, of_kernel

MOST_CALLS = 512
"""Different calls of one function."""
MOST_RUNS = 4096
"""Runs of equal calls in the order of one function's calls."""
MOST_FUNCTIONS = 256
_LEFT_OUT = -1
_KEYS_A_CALL = 4
"""One call has several keys where it is given by position and by name; they are made one when parts are merged."""


@dataclass(slots=True)
class _Noted:
    """Hold what is known of one function or kernel."""

    number: int
    subject: Subject
    keys: dict[Key, int] = field(default_factory=dict[Key, int])
    fresh: list[tuple[Key, dict[str, Any]]] = field(default_factory=list[tuple[Key, dict[str, Any]]])
    """Calls that are not written yet, with what their tensors hold; the last of `keys`."""
    order: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """Runs that are not written yet."""
    last: int = _LEFT_OUT
    times: int = 0
    runs: int = 0
    missing: int = 0
    """Calls that are not among those kept."""
    unordered: int = 0
    """Calls whose place in the order is not kept."""

    def turn(self, number: int) -> None:
        """Begin a run of another call, or go on with one of which a part is written."""
        goes_on = number == self.last
        if self.times:
            self.order.append((self.last, self.times))
        self.last, self.times = number, 0
        if number == _LEFT_OUT:
            self.missing += 1
        elif self.runs >= MOST_RUNS * _KEYS_A_CALL and not goes_on:
            self.last, self.unordered = _LEFT_OUT, self.unordered + 1
        else:
            self.runs += not goes_on
            self.times = 1


@dataclass(frozen=True, slots=True)
class _Known:
    """Hold what is known of one function object."""

    noted: _Noted | None
    """None where nothing of it is noted."""
    owner: Callable[[], Any] | None
    """The module that it calls."""
    reference: Any
    """Forgets it when it is gone."""


class Recorder:
    """Note calls, and append them to a part."""

    def __init__(
        self, folder: Path, *, contents: bool = False, wanted: Callable[[Any], bool] = lambda context: True
    ) -> None:
        """Write into a folder, which exists; note compiled functions by what compiled them."""
        self._contents = contents
        self._wanted = wanted
        self._begin(folder)
        os.register_at_fork(after_in_child=self._forked)
        atexit.register(self.flush)

    def _begin(self, folder: Path) -> None:
        self._part = Part(folder)
        self._lock = threading.Lock()
        self._known: dict[int, _Known] = {}
        """By the identity of a function."""
        self._noted: dict[tuple[str, ...], _Noted] = {}
        self._lines: list[dict[str, Any]] = []
        self._refused = 0
        self._closed = False

    def _forked(self) -> None:
        """Begin anew in a process that was forked: what is noted so far is the parent's."""
        if self._closed:
            return
        self._begin(self._part.folder)
        _at_the_end_of_a_child(self)

    def called(self, function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any], by: Any) -> None:
        """Note a call of a compiled function."""
        try:
            known = self._known.get(id(function)) or self._learn(function, of_function, by)
            if known.noted is not None:
                owner = known.owner() if known.owner is not None else None
                key = (*key_of(args, kwargs), owner is not None and owner.training)
                self._note(known.noted, key, args, kwargs)
        except Exception as error:  # noqa: BLE001 - the program goes on; what was not noted is counted and told
            self._refuse(error)

    def launched(self, kernel: Any, args: Sequence[Any], kwargs: Mapping[str, Any], grid: Any) -> None:
        """Note a launch of a Triton kernel."""
        try:
            known = self._known.get(id(kernel)) or self._learn(kernel, of_kernel, None)
            if known.noted is not None:
                sizes = tuple(map(int, grid)) if isinstance(grid, tuple | list) else (int(grid),)
                self._note(known.noted, (*key_of(args, kwargs), sizes), args, kwargs)
        except Exception as error:  # noqa: BLE001 - as above
            self._refuse(error)

    def _note(self, noted: _Noted, key: Key, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        with self._lock:
            number = noted.keys.get(key)
            if number is None:
                number = self._add(noted, key, args, kwargs)
            if number == noted.last and noted.times:
                noted.times += 1
            else:
                noted.turn(number)
            if time.monotonic() >= self._part.due:
                self._write()

    def _add(self, noted: _Noted, key: Key, args: Sequence[Any], kwargs: Mapping[str, Any]) -> int:
        """Return the number of a call that has a new key; what it says is put in words when it is written."""
        if len(noted.keys) >= MOST_CALLS * _KEYS_A_CALL:
            return _LEFT_OUT
        held = dict[str, Any]()
        if self._contents:
            named = noted.subject.bound(args, kwargs)[0]
            held = {name: found for name, value in named.items() if (found := contents_of(value))}
        noted.fresh.append((key, held))
        number = noted.keys[key] = len(noted.keys)
        return number

    def _learn(self, code: Any, read: Callable[[Any], Subject], by: Any) -> _Known:
        """Find out what something is, the first time it is called."""
        noted = owner = None
        if self._wanted(by):
            subject = read(code)
            owner = subject.owner
            with self._lock:
                noted = self._noted.get(subject.key)
                if noted is None and len(self._noted) < MOST_FUNCTIONS:
                    noted = self._noted[subject.key] = _Noted(len(self._noted), subject)
                    self._lines.append({"function": noted.number, **subject.as_data()})
                    self._part.due = 0.0  # the first call of each is written at once
                elif noted is None:
                    self._lines.append({"beyond": subject.name})
        number, all_known = id(code), self._known
        try:
            reference: Any = weakref.ref(code, lambda _: all_known.pop(number, None))
        except TypeError:
            reference = code
        found = all_known[number] = _Known(noted, owner, reference)
        return found

    def miss(self, why: str) -> None:
        """Note why calls of a kind cannot be noted."""
        self._lines.append({"why": why})

    def _refuse(self, error: Exception) -> None:
        self._refused += 1
        if self._refused == 1:
            text = " ".join(str(error).split())[:200]
            self.miss(f"{type(error).__name__}: {text}")

    def flush(self) -> None:
        """Write what is not written yet."""
        with self._lock:
            self._write()

    def close(self) -> None:
        """Write the rest, and note nothing more."""
        self.flush()
        self._closed = True
        self._part.close()
        atexit.unregister(self.flush)

    def _write(self) -> None:
        if self._closed:
            return
        lines, self._lines = self._lines, []
        for noted in self._noted.values():
            first = len(noted.keys) - len(noted.fresh)
            lines += [
                {"call": number, "of": noted.number, "told": _told(noted.subject, key, held)}
                for number, (key, held) in enumerate(noted.fresh, first)
            ]
            order = [*noted.order, (noted.last, noted.times)] if noted.times else noted.order
            if order or noted.missing or noted.unordered:
                left = {"missing": noted.missing, "unordered": noted.unordered}
                lines.append({"order": order, "of": noted.number} | {name: n for name, n in left.items() if n})
            noted.fresh, noted.order, noted.times, noted.missing, noted.unordered = [], [], 0, 0, 0
        if self._refused:
            lines.append({"refused": self._refused})
            self._refused = 0
        self._part.write(lines)


def _told(subject: Subject, key: Key, held: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """Return a call as data of the fields of `model.RecordedCall`."""
    telling = Telling(key[:4])
    given, others = subject.bound(*telling.arguments())
    for name, contents in held.items():
        if "tensor" in given[name]:  # of a subclass' tensor nothing but the type is kept
            given[name] |= contents
    if subject.kind == "kernel":
        return {"arguments": given, "grid": list(key[4])} | ({"options": others} if others else {})
    told: dict[str, Any] = {"arguments": given | others}
    told |= {"grad": True} if telling.grad else {}
    return told | ({"training": True} if key[4] else {})


def _at_the_end_of_a_child(recorder: Recorder) -> None:
    """Have a process of `multiprocessing` write before it ends: it ends without `atexit`.

    What is registered there is held weakly: a bound method would be gone before it is asked for.
    """
    import sys

    util = sys.modules.get("multiprocessing.util")
    if util is not None:
        util.register_after_fork(recorder, lambda one: util.Finalize(None, one.flush, exitpriority=0))
