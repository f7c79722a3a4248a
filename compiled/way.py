"""One way of compiling: a backend, and a mode of treating sizes that change."""

import inspect
import itertools
import types
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
import torch._dynamo.config as dynamo_config
from torch import Tensor
from torch._dynamo.decorators import mark_dynamic, mark_unbacked

from compiled import buckets
from harness import Mode

Function = Callable[..., Any]
Key = int | str
"""An argument: position, or name of an option."""
Dims = Mapping[Key, Collection[int]]
"""Changing dims by argument. Where a dim maps to an axis name (`{0: {0: "batch"}}`), equal names have equal sizes."""
Outputs = Sequence[Mapping[int, str]]
"""Named dims of each output tensor."""

_BACKENDS = {"dynamo": "eager", "aot_eager": "aot_eager", "inductor": "inductor", "inductor_triton": "inductor"}
_OPTIONS: Mapping[str, dict[str, Any]] = {
    # A pool of compiling processes costs seconds to start, in every worker.
    "inductor": {"compile_threads": 1},
    "inductor_triton": {"compile_threads": 1, "cpu_backend": "triton"},
}
_DYNAMIC = {Mode.STATIC: False, Mode.BUCKETED: False, Mode.DYNAMIC: True}
_CAPTURE = {"capture_scalar_outputs": True, "capture_dynamic_output_shape_ops": True}
# The compile model says how many are right; past Dynamo's own limit eager would be compared with eager.
_DYNAMO = {**_CAPTURE, "recompile_limit": 256, "accumulated_recompile_limit": 1024}
_HAS_SHAPE_ID = "shape_id" in inspect.signature(mark_unbacked).parameters
_serial = itertools.count()


@dataclass(frozen=True, kw_only=True)
class Way:
    """Describe how a function is compiled, and what the mode must know of its inputs."""

    backend: str
    mode: Mode
    dims: Dims
    outputs: Outputs = ()
    """Used by `bucketed`."""
    fullgraph: bool = True
    ignored: Collection[str] = ()
    """Options that only chose the function and are not passed on."""

    @property
    def settings(self) -> dict[str, Any]:
        """The arguments of `torch.compile`."""
        options = _OPTIONS.get(self.backend)
        settings = {"backend": _BACKENDS[self.backend], "dynamic": _DYNAMIC.get(self.mode), "fullgraph": self.fullgraph}
        return settings | ({"options": options} if options else {})

    def compile(self, function: Function) -> Function:
        """Return a callable with the function's signature that compiles as it goes."""
        compiled: Function = torch.compile(fresh(function), **self.settings)
        call = self._call_in_buckets if self.mode is Mode.BUCKETED else self._call_marked

        def compiled_call(*args: Any, **options: Any) -> Any:
            kept = {name: value for name, value in options.items() if name not in self.ignored}
            with dynamo_config.patch(_DYNAMO):
                return call(compiled, args, kept)

        return compiled_call

    def source(self, name: str = "reference", modules: Sequence[types.ModuleType] = ()) -> str:
        """Return plain-torch source of `implementation`, which compiles the function of a name.

        That function stands in the last of the modules, which import torch and each other only; without modules it is
        the `reference` defined above. `eager` is that function where modules are given.
        """
        texts = [inspect.getsource(module) for module in modules]
        lines = [line for text in texts for line in text.splitlines() if not line.startswith("from compiled.")]
        eager = [f"eager = {name}"] if modules else []
        return "\n".join([*lines, "", *eager, self._compilation(name)])

    def _compilation(self, name: str) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in self.settings.items())
        config = "\n".join(f"torch._dynamo.config.{name} = {value!r}" for name, value in _CAPTURE.items())
        return f"{config}\ncompiled = torch.compile({name}, {settings})\n{self._source()}"

    def _source(self) -> str:
        dims = {key: _plain(named) for key, named in self.dims.items() if named}
        if self.mode is Mode.BUCKETED:
            call = f"call_in_buckets(compiled, {dims}, {[dict(named) for named in self.outputs]}, args, options)"
            return f"{inspect.getsource(buckets)}\n\ndef implementation(*args, **options):\n    return {call}\n"
        if self.mode not in (Mode.MARK_DYNAMIC, Mode.UNBACKED):
            return "implementation = compiled\n"
        return _MARKING.format(dims=dims, mark=_MARKS[self.mode])

    def _call_marked(self, compiled: Function, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        for tensor, dims in _tensors(self.dims, args, options):
            mark(tensor, dims, self.mode)
        return compiled(*args, **options)

    def _call_in_buckets(self, compiled: Function, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        dims = {key: _named(named) for key, named in self.dims.items()}
        return buckets.call_in_buckets(compiled, dims, self.outputs, args, options)


def mark(tensor: Tensor, dims: Collection[int], mode: Mode) -> None:
    """Mark the changing dims of an input as the mode asks; does nothing for modes without marks."""
    if mode is Mode.MARK_DYNAMIC:
        mark_dynamic(tensor, list(dims))
    elif mode is Mode.UNBACKED:
        for dim in dims:
            shared = _HAS_SHAPE_ID and isinstance(dims, Mapping)
            mark_unbacked(tensor, dim, **({"shape_id": _named(dims)[dim]} if shared else {}))


def fresh(function: Function) -> types.FunctionType:
    """Return a copy of a function that shares nothing with it inside Dynamo.

    Dynamo keeps compiled code and its limit per code object, and what it learnt of sizes per (file, line, name).
    """
    plain = function if isinstance(function, types.FunctionType) else _wrapped(function)
    code = plain.__code__
    name = f"{code.co_name}_{next(_serial)}"
    renamed = code.replace(co_name=name)
    copy = types.FunctionType(renamed, plain.__globals__, name, plain.__defaults__, plain.__closure__)
    copy.__kwdefaults__ = plain.__kwdefaults__
    return copy


_MARKING = """
MARKED = {dims}


def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options[key]
        {mark}
    return compiled(*args, **options)
"""
_MARKS = {
    Mode.MARK_DYNAMIC: "torch._dynamo.mark_dynamic(tensor, list(dims))",
    Mode.UNBACKED: "for dim, name in dims.items():\n            torch._dynamo.decorators.mark_unbacked(tensor, dim"
    + (", shape_id=name)" if _HAS_SHAPE_ID else ")"),
}


def _plain(dims: Collection[int]) -> dict[int, str | None]:
    return dict(dims) if isinstance(dims, Mapping) else dict.fromkeys(dims)


def _named(dims: Collection[int]) -> Mapping[int, str]:
    if not isinstance(dims, Mapping):
        raise ValueError("bucketed needs the names of the changing dims")
    return dims


def _tensors(dims: Dims, args: tuple[Any, ...], options: Mapping[str, Any]) -> Iterator[tuple[Tensor, Collection[int]]]:
    for key, changing in dims.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        if isinstance(tensor, Tensor) and changing:
            yield tensor, changing


def _wrapped(function: Function) -> types.FunctionType:
    def call(*args: Any, **options: Any) -> Any:
        return function(*args, **options)

    return call
