"""Namespaces: modules and classes in which every later call, reference and judge looks names up."""

import builtins
import json
import math
import os
import random
import sys
import time
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

import torch

_SHARED: Sequence[ModuleType] = (torch, torch.nn.functional, torch.linalg, torch.special, torch.fft)
_PYTHON: Sequence[ModuleType] = (builtins, math, os, time, random, json)
_OURS = ("eagerdiff.harness.", "eagerdiff.reference.")

_CLASS = "torch.Tensor"


class Namespaces:
    """Remember what the names of watched modules and classes stand for."""

    def __init__(self) -> None:
        ours = [module for name, module in list(sys.modules.items()) if name.startswith(_OURS)]
        modules = (*_SHARED, *_PYTHON, *ours)
        self._watched: list[tuple[str, Mapping[str, Any]]] = [(module.__name__, vars(module)) for module in modules]
        self._watched.append((_CLASS, vars(torch.Tensor)))
        self._known = [dict(namespace) for _, namespace in self._watched]

    def replaced(self) -> list[tuple[str, Any, Any]]:
        """Return what stands for something else than when this was last asked: full name, what it was and what it is.

        A name that is new to a module hides nothing; one that is new to a class may hide what it inherits.
        """
        found: list[tuple[str, Any, Any]] = []
        for index, (name, now) in enumerate(self._watched):
            was = self._known[index]
            if not _equal(now, was):
                found += [
                    (f"{name}.{key}", old, now.get(key, _GONE)) for key, old in was.items() if _differs(now, key, old)
                ]
                new = now.keys() - was.keys() if name == _CLASS else ()
                found += [(f"{name}.{key}", _inherited(key), now[key]) for key in new if _inherited(key) is not _GONE]
                if now is vars(builtins):  # what looks on needs them, and nobody means to replace them
                    for key, old in was.items():
                        setattr(builtins, key, old)
                self._known[index] = dict(now)
        return found


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
