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
    from eagerdiff.compiled.backend import BACKENDS as BACKENDS
    from eagerdiff.compiled.backend import Backend as Backend
    from eagerdiff.compiled.declared import Declared as Declared
    from eagerdiff.compiled.dynamic_shapes import Shapes as Shapes
    from eagerdiff.compiled.export_path import ExportPath as ExportPath
    from eagerdiff.compiled.torch_compile import Compilable as Compilable
    from eagerdiff.compiled.torch_export import exports as exports
    from eagerdiff.compiled.variant import VARIANTS as VARIANTS
    from eagerdiff.compiled.variant import Variant as Variant
    from eagerdiff.harness import *  # noqa: F403  its __all__ is the one list of names
    from eagerdiff.strategies.own_code.argument import sizes as sizes
    from eagerdiff.strategies.own_code.argument import tensor as tensor
    from eagerdiff.suites.own.check import Checked as Checked
    from eagerdiff.suites.own.check import CheckFailed as CheckFailed
    from eagerdiff.suites.own.check import check as check

_UPPER = {
    "BACKENDS": "compiled.backend",
    "Backend": "compiled.backend",
    "Checked": "suites.own.check",
    "CheckFailed": "suites.own.check",
    "Compilable": "compiled.torch_compile",
    "Declared": "compiled.declared",
    "ExportPath": "compiled.export_path",
    "Shapes": "compiled.dynamic_shapes",
    "VARIANTS": "compiled.variant",
    "Variant": "compiled.variant",
    "check": "suites.own.check",
    "exports": "compiled.torch_export",
    "sizes": "strategies.own_code.argument",
    "tensor": "strategies.own_code.argument",
}
"""What a function or an operator of one's own needs of upper floors: module of each name."""


def __getattr__(name: str) -> Any:
    if name in _UPPER:
        return getattr(importlib.import_module(f"{__name__}.{_UPPER[name]}"), name)
    return getattr(harness, name)


def __dir__() -> list[str]:
    return [*harness.__all__, *_UPPER]
