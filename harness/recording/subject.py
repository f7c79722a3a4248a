"""What is called: a function, a module or a kernel, by the name by which another process imports it."""

import inspect
import os
import sys
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from inspect import Parameter
from typing import Any

from eagerdiff.harness.internals.dynamo_calls import inside


@dataclass(frozen=True)
class Subject:
    """Name what is called."""

    kind: str
    """function, module or kernel."""
    name: str
    """`module:qualname`, or `folder/file.py:qualname` of a script."""
    file: str
    """From the working folder on, where it lies below that."""
    line: int
    signature: inspect.Signature | None
    owner: Callable[[], Any] | None = None
    """Returns the module that is called, while there is one."""
    constexprs: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, ...]:
        """Tell it from others."""
        return self.kind, self.name, self.file, str(self.line)

    def as_data(self) -> dict[str, Any]:
        """Return what is written of it."""
        parameters = list(self.signature.parameters) if self.signature is not None else []
        told: dict[str, Any] = {"kind": self.kind, "name": self.name, "file": self.file, "line": self.line}
        told["parameters"] = parameters
        return told | ({"constexprs": list(self.constexprs)} if self.constexprs else {})

    def bound(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return arguments by parameter, and those that are no parameters' by their names.

        Those of `*args` are numbered.
        """
        places, rest, names = self._places
        found = dict(zip(places, args, strict=False))
        found |= {f"{rest}_{at}": value for at, value in enumerate(args[len(places) :])}
        others: dict[str, Any] = {}
        for name, value in kwargs.items():
            (found if name in names else others)[name] = value
        return found, others

    @cached_property
    def _places(self) -> tuple[list[str], str, set[str]]:
        """Hold the parameters by position, that of the rest, and all of them, by name."""
        parameters = list(self.signature.parameters.values()) if self.signature is not None else []
        others = {Parameter.KEYWORD_ONLY, Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL}
        places = [one.name for one in parameters if one.kind not in others]
        rest = next((one.name for one in parameters if one.kind is Parameter.VAR_POSITIONAL), "args")
        return places, rest, {one.name for one in parameters}


def of_function(function: Any) -> Subject:
    """Read what `torch.compile` was given: a function, a method, or a module (the method that calls it)."""
    inner = inside(function)
    owner = getattr(inner, "__self__", None)
    module = _module_called(inner, owner)
    if module is not None:
        kind = type(module)
        code = getattr(kind.forward, "__code__", None)
        place = (_name(kind.__module__, kind.__qualname__), *_place(code))
        return Subject("module", *place, _signature(module.forward), weakref.ref(module))
    qualname = getattr(inner, "__qualname__", None) or type(inner).__qualname__
    home = getattr(inner, "__module__", None) or type(inner).__module__
    code = getattr(inspect.unwrap(inner) if callable(inner) else inner, "__code__", None)
    return Subject("function", _name(home, qualname), *_place(code), _signature(inner))


def of_kernel(kernel: Any) -> Subject:
    """Read a kernel of Triton's, compiled or interpreted."""
    function = kernel.fn
    while hasattr(function, "fn"):
        function = function.fn
    signature = _signature(function)
    constexprs = [
        one.name
        for one in (signature.parameters.values() if signature is not None else ())
        if "constexpr" in str(one.annotation)
    ]
    name = _name(function.__module__, function.__qualname__)
    return Subject("kernel", name, *_place(function.__code__), signature, constexprs=tuple(constexprs))


def _module_called(function: Any, owner: Any) -> Any:
    import torch

    if isinstance(function, torch.nn.Module):
        return function
    calls = getattr(function, "__name__", "") in ("_wrapped_call_impl", "_call_impl", "__call__", "forward")
    return owner if isinstance(owner, torch.nn.Module) and calls else None


def _name(module: str, qualname: str) -> str:
    """Return the name by which another process imports it: of a script its file."""
    if module != "__main__":
        return f"{module}:{qualname}"
    main = sys.modules["__main__"]
    spec = getattr(main, "__spec__", None)
    if spec is not None:
        return f"{spec.name}:{qualname}"
    return f"{_shown(getattr(main, '__file__', None) or '__main__')}:{qualname}"


def _place(code: Any) -> tuple[str, int]:
    return ("", 0) if code is None else (_shown(code.co_filename), code.co_firstlineno)


def _shown(file: str) -> str:
    path, folder = os.path.abspath(file), os.getcwd()
    return os.path.relpath(path, folder) if path.startswith(folder + os.sep) else path


def _signature(function: Any) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None
