"""Plug-ins: from a spec, `module:ATTRIBUTE` or `folder/file.py:ATTRIBUTE`, to the object it names."""

import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.operator import Operator


class PluginError(Exception):
    """Say in one line why a plug-in cannot be used."""


class Spec(str):
    """Name what is imported: `module:ATTRIBUTE` or `folder/file.py:ATTRIBUTE`.

    Made of what a person typed, or an installed package's entry point declares. A plain `str`, which is all that a
    file can hold, is a name and never imported, whatever it looks like.
    """

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Be `{"spec": …}` on the way to a process of ours, so that no text becomes a spec on its way."""
        field = core_schema.typed_dict_field(core_schema.str_schema())
        told = core_schema.no_info_after_validator_function(
            lambda data: cls(data["spec"]), core_schema.typed_dict_schema({"spec": field}, extra_behavior="forbid")
        )
        return core_schema.json_or_python_schema(
            json_schema=told,
            python_schema=core_schema.is_instance_schema(cls),
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda text: {"spec": str(text)} if is_spec(text) else text  # a union asks about its other members too
            ),
        )


def typed(texts: Sequence[str]) -> list[str]:
    """Return what a person typed, each `module:ATTRIBUTE` as a spec. Never call it on what was read from a file."""
    return [Spec(text) if ":" in text else text for text in texts]


def for_child(texts: Iterable[str]) -> list[Any]:
    """Return names and specs as JSON-ready data that `from_parent` reads, in a process of ours."""
    return [{"spec": str(text)} if is_spec(text) else str(text) for text in texts]


def from_parent(data: Iterable[Any]) -> list[str]:
    """Return the names and specs of `for_child`."""
    return [Spec(item["spec"]) if isinstance(item, dict) else str(item) for item in data]


def is_spec(text: str) -> bool:
    """Return whether a text may be imported: one that merely looks like a spec may not."""
    return isinstance(text, Spec)


def resolve(spec: Spec) -> Any:
    """Import what a spec names, from sys.path or the current directory; raise PluginError in one line.

    Importing runs the plug-in's code: whatever it raises, SystemExit included, becomes the error.
    """
    if not is_spec(spec):
        raise PluginError(f"{spec}: is a name, and not imported")
    home, _, attribute = spec.rpartition(":")
    if not home or not attribute:
        raise PluginError(f"{spec}: write module:ATTRIBUTE or folder/file.py:ATTRIBUTE")
    found: Any = _import(home, spec)
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise PluginError(f"{spec}: {home} has no attribute {attribute!r}")
        found = getattr(found, part)
    return found


def as_operator(found: Any, spec: str) -> Operator:
    """Return the operator that a spec named; raise PluginError for anything else."""
    if not isinstance(found, Operator):
        raise PluginError(f"{spec}: is {_kind(found)}, not an Operator")
    return found


def as_implementations(found: Any, spec: str) -> list[Implementation]:
    """Return the implementation, or each of the sequence of them, that a spec named; raise PluginError otherwise."""
    items = list(cast(Sequence[Any], found)) if isinstance(found, list | tuple) else [found]
    for item in items:
        if not isinstance(item, Implementation):
            raise PluginError(f"{spec}: holds {_kind(item)}, not an Implementation")
    return items


def in_one_line(error: BaseException, limit: int = 240) -> str:
    """Return an exception's type and message without line breaks, cut at `limit` characters."""
    text = " ".join(str(error).split())
    return (f"{type(error).__name__}: {text}" if text else type(error).__name__)[:limit]


def _import(home: str, spec: str) -> ModuleType:
    try:
        return _import_file(Path(home)) if home.endswith(".py") else _import_module(home)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise PluginError(f"{spec}: cannot be imported: {in_one_line(error)}") from error


def _import_module(name: str) -> ModuleType:
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.append(here)
    return importlib.import_module(name)


def _import_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise FileNotFoundError(f"no such file: {path}")
    path = path.resolve()
    name = f"{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"not a Python file: {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # Triton and Dynamo look a function's module up by name
    if (beside := str(path.parent)) not in sys.path:
        sys.path.append(beside)  # files beside it can be imported
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _kind(found: Any) -> str:
    return f"{found!r:.40}" if found is None else f"a {type(found).__name__}"
