"""eagerdiff: differential tests and benchmarks for dynamic shapes in compiled GPU code.

Third parties import their names from here. The folders `harness`, `strategies`, `reference`, `compiled` and `suites`
stand at the top of the repository; installed they are subpackages of this one, and the links beside this file make
them so in a checkout (docs/architecture.md says why). Where the links are missing, as in an unpacked sdist, the
folders are looked for beside this one.
"""

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

if not Path(__path__[0], "harness").is_dir():
    __path__.append(str(Path(__path__[0]).parent))

from eagerdiff import harness

if TYPE_CHECKING:
    from eagerdiff.harness import *  # noqa: F403  its __all__ is the one list of names
    from eagerdiff.strategies.own_code.argument import sizes as sizes
    from eagerdiff.strategies.own_code.argument import tensor as tensor
    from eagerdiff.suites.own.check import Checked as Checked
    from eagerdiff.suites.own.check import CheckFailed as CheckFailed
    from eagerdiff.suites.own.check import check as check

_OWN_CODE = {
    "Checked": "suites.own.check",
    "CheckFailed": "suites.own.check",
    "check": "suites.own.check",
    "sizes": "strategies.own_code.argument",
    "tensor": "strategies.own_code.argument",
}
"""What a user of a function of one's own needs, of upper floors: module of each name."""


def __getattr__(name: str) -> Any:
    if name in _OWN_CODE:
        return getattr(importlib.import_module(f"{__name__}.{_OWN_CODE[name]}"), name)
    return getattr(harness, name)


def __dir__() -> list[str]:
    return [*harness.__all__, *_OWN_CODE]
