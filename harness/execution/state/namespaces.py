"""Namespaces: modules and classes in which every later call, reference and judge looks names up."""

import builtins
import copy
import functools
import gc
import json
import math
import os
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType, ModuleType
from typing import Any, Self

import torch

from eagerdiff.harness.execution.state.versions import Versions

_SHARED: Sequence[ModuleType] = (torch, torch.nn.functional, torch.linalg, torch.special, torch.fft, torch.testing)
_PYTHON: Sequence[ModuleType] = (builtins, math, os, time, random, json)
_OURS = ("eagerdiff.harness.", "eagerdiff.reference.")

_CLASS = "torch.Tensor"


class Namespaces:
    """Remember what the names of watched modules and classes stand for."""

    def __init__(self) -> None:
        ours = [module for name, module in list(sys.modules.items()) if name.startswith(_OURS)]
        modules = (*_SHARED, *_PYTHON, *ours)
        self._watched: list[tuple[str, dict[str, Any]]] = [(module.__name__, vars(module)) for module in modules]
        self._watched.append((_CLASS, _behind(vars(torch.Tensor))))
        self._versions = Versions([namespace for _, namespace in self._watched])
        self._seen = self._versions.now()
        self._known = [dict(namespace) for _, namespace in self._watched]

    def copied(self) -> Self:
        """Return one that remembers the same, and forgets nothing of it when this one looks again."""
        other = copy.copy(self)
        other._known = list(self._known)
        return other

    def replaced(self) -> list[tuple[str, Any, Any]]:
        """Return what stands for something else than when this was last asked: full name, what it was and what it is.

        A name that is new to a module hides nothing; one that is new to a class may hide what it inherits.
        """
        seen, now = self._seen, self._versions.now()
        if now is not None and now == seen:
            return []
        found: list[tuple[str, Any, Any]] = []
        for index, (name, namespace) in enumerate(self._watched):
            if now is None or seen is None or now[index] != seen[index]:
                found += self._replaced_in(index, name, namespace)
        self._seen = self._versions.now()  # builtins may have been put back
        return found

    def _replaced_in(self, index: int, name: str, now: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
        was = self._known[index]
        if _equal(now, was):
            return
        yield from ((f"{name}.{key}", old, now.get(key, _GONE)) for key, old in was.items() if _differs(now, key, old))
        new = now.keys() - was.keys() if name == _CLASS else ()
        yield from ((f"{name}.{key}", _inherited(key), now[key]) for key in new if _inherited(key) is not _GONE)
        if name == builtins.__name__:  # what looks on needs them, and nobody means to replace them
            for key, old in was.items():
                setattr(builtins, key, old)
        # What is new to a module is nobody's to miss: Dynamo puts names there, and takes them away.
        self._known[index] = dict(now) if name == _CLASS else {key: now[key] for key in was if key in now}


def _behind(view: MappingProxyType[str, Any]) -> dict[str, Any]:
    """Return the dictionary of a class, of which `vars` gives a view."""
    (found,) = gc.get_referents(view)
    return found


@functools.cache
def original() -> Namespaces:
    """Return what names stood for when this was first asked: a fork inherits it, for it takes longer than a call."""
    return Namespaces()


class _Gone:
    def __repr__(self) -> str:
        return "nothing"


_GONE = _Gone()


def _equal(now: Mapping[str, Any], was: Mapping[str, Any]) -> bool:
    try:
        return len(now) == len(was) and bool(now == was)
    except Exception:  # noqa: BLE001  values that cannot be compared: then name by name
        return False


def _differs(now: Mapping[str, Any], key: str, old: Any) -> bool:
    new = now.get(key, _GONE)
    plain = isinstance(old, int | float | str | bytes)
    return new is not old and not (plain and type(new) is type(old) and new == old)


def _inherited(key: str) -> Any:
    return getattr(torch.Tensor.__base__, key, _GONE)
