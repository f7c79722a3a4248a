"""One way of compiling: a backend, a mode of treating sizes that change, and what a variant changes besides."""

import ast
import contextlib
import inspect
import itertools
import types
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor

from eagerdiff import Mode, UnscriptableError, standalone_source
from eagerdiff.compiled import backward, buckets
from eagerdiff.compiled.backend import Backend
from eagerdiff.compiled.caching import GraphCaches
from eagerdiff.compiled.marking import mark, marking_source
from eagerdiff.compiled.shapes_spec import SpecifiedCall, specified_source
from eagerdiff.compiled.variant import PLAIN, Variant
from eagerdiff.compiled.wrapping import fresh
from eagerdiff.harness.internals.dynamo_config import DYNAMO, INDUCTOR, patched

__eagerdiff_glue__ = True
"""What this module raises itself is a harness error, not a finding about the compiler (docs/judge.md)."""

Function = Callable[..., Any]
Key = int | str
"""An argument: position, or name of an option."""
Dims = Mapping[Key, Collection[int]]
"""Changing dims by argument. Where a dim maps to an axis name (`{0: {0: "batch"}}`), equal names have equal sizes."""
Outputs = Sequence[Mapping[int, str]]
"""Named dims of each output tensor."""

AS_IT_IS = "{}"
"""A function is called, and nothing around it."""
_CAPTURE = {"capture_scalar_outputs": True, "capture_dynamic_output_shape_ops": True}
# The compile model says how many are right; past Dynamo's own limit eager would be compared with eager.
_DYNAMO = {**_CAPTURE, "recompile_limit": 256, "accumulated_recompile_limit": 1024}


Held = Sequence[types.ModuleType | str]
"""Modules that import torch and each other only, or source that stands alone."""


def held(function: Function, name: str | None) -> tuple[str, Held]:
    """Return what a script calls a function, and what holds its source: nothing where the operator's own source does.

    One of ours is the `reference` where no name is given; anybody else's brings its file along. Raise UnscriptableError
    where that cannot stand alone.
    """
    if name is not None or function.__module__.partition(".")[0] == "eagerdiff":
        return name or "reference", ()
    try:
        return function.__name__, (standalone_source(function),)
    except (AttributeError, OSError, TypeError, ValueError) as error:
        raise UnscriptableError(f"what is compiled has no source that stands alone: {error}") from error


def module_source(name: str, modules: Held, made: str = "", around: str = AS_IT_IS) -> str:
    """Return the source of modules, and `eager` as the function of a name.

    It stands in the last of the modules, or `made` is source that makes it of them; `around` says what is called in its
    place.
    """
    if not modules:
        return ""
    texts = [one if isinstance(one, str) else inspect.getsource(one) for one in modules]
    lines = [line for text in texts for line in text.splitlines() if not line.startswith("from eagerdiff.compiled.")]
    return "\n".join([*lines, made, f"eager = {around.format(name)}", ""])


def apart(source: str) -> str:
    """Return source of `implementation` with all other functions renamed: the reference's may have the same names.

    A function whose name is also a parameter's, a field's or a variable's keeps it.
    """
    tree = ast.parse(source)
    taken = {"implementation"}
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.keyword) and node.arg:
            taken.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            taken.add(node.id)
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)} - taken
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name in functions:
            node.name = f"{node.name}_under_test"
        elif isinstance(node, ast.Name) and node.id in functions:
            node.id = f"{node.id}_under_test"
    return ast.unparse(tree) + "\n"


@dataclass(frozen=True, kw_only=True)
class CompileConfig:
    """Describe how a function is compiled, and what the mode must know of its inputs."""

    backend: Backend
    mode: Mode
    dims: Dims
    outputs: Outputs = ()
    """Used by `bucketed`."""
    fullgraph: bool = True
    ignored: Collection[str] = ()
    """Options that only chose the function and are not passed on."""
    variant: Variant = PLAIN
    seed: int = 0
    """Which neighbour a cached call comes after."""
    inductor: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Settings of Inductor besides those that the backend needs; only backends that make use of Inductor heed them."""

    @property
    def settings(self) -> dict[str, Any]:
        """The arguments of `torch.compile`."""
        fullgraph = self.fullgraph and not self.variant.breaks
        settings = {"backend": self.backend.called, "dynamic": self.mode.dynamic, "fullgraph": fullgraph}
        needed = self.backend.options
        return settings if needed is None else settings | {"options": {**needed, **self.inductor}}

    @property
    def config(self) -> dict[str, dict[str, Any]]:
        """What is set in modules of settings: module → name → value."""
        found: dict[str, dict[str, Any]] = {module: dict(values) for module, values in self.mode.settings.items()}
        found[DYNAMO] = {**_CAPTURE, **found.get(DYNAMO, {}), **self.variant.dynamo}
        if self.backend.configured and self.inductor:
            found[INDUCTOR] = dict(self.inductor)
        return found

    def compile(self, function: Function, caches: GraphCaches | None = None) -> Function:
        """Return a callable with the function's signature that compiles as it goes; `caches`, where a variant needs
        them, must be in force at each call."""
        if self.variant.caching is not None and caches is not None:
            compiled = self.variant.caching.call(caches, self._wrapped(function), self._made_with, self.seed)
        else:
            compiled = self._compiled(function)
        return self._calling(compiled)

    def hand_over(self, standalone: str, name: str, around: str) -> Function:
        """Return what calls a function, defined by its name in source, in one process and another in turns."""
        assert self.variant.handover is not None
        handed = self.variant.handover.build(standalone, name, self._settings_text(), around, self.seed)
        return self._calling(handed)

    def _calling(self, compiled: Function) -> Function:
        """Return what calls compiled code with all that is set for it."""
        call = self._call_in_buckets if self.mode.padded else self._call_marked
        stances = self._stances() if self.mode.stance else itertools.repeat(contextlib.nullcontext())

        def compiled_call(*args: Any, **options: Any) -> Any:
            kept = {name: value for name, value in options.items() if name not in self.ignored}
            with patched(DYNAMO, {**_DYNAMO, **self.config[DYNAMO]}), self._configured(), next(stances):
                return call(compiled, args, kept)

        return compiled_call

    def _compiled(self, function: Function) -> Function:
        """Hand a function, or what is made of it, to torch."""
        if self.variant.spec:
            return SpecifiedCall(fresh(function), self.dims, self.settings)
        if self.variant.rewriting:
            return self.variant.rewriting.compile(function, self.settings)
        return self._made(self._wrapped(function))

    def _wrapped(self, function: Function) -> Function:
        return self.variant.wrapping.around(function) if self.variant.wrapping else function

    def _made(self, function: Function) -> Function:
        compiled: Function = torch.compile(fresh(function), **self.settings)
        return compiled

    def _made_with(self, function: Function, **options: Any) -> Function:
        """Compile a function, with further options of Inductor's."""
        return replace(self, inductor={**self.inductor, **options})._made(function)

    def outermost(self, call: Function) -> Function:
        """Return what is called in place of compiled code and of what takes its gradients."""
        return backward.compiled(call, self.settings) if self.variant.compiled_autograd else call

    def source(
        self,
        name: str = "reference",
        modules: Held = (),
        *,
        made: str = "",
        around: str = AS_IT_IS,
        drawn: str = "",
    ) -> str:
        """Return plain-torch source of `implementation`, which compiles the function of a name.

        `module_source` says what the arguments are; without modules that function is the `reference` defined above.
        `drawn` is the source of drawn code, which a variant may write anew.
        """
        if self.variant.handover is not None:
            config = "\n".join(self._config_lines())
            return config + self.variant.handover.source(name, self._settings_text(), around, self.seed)
        wrapping = "" if around == AS_IT_IS else f"\nimplementation = {around.format('implementation')}\n"
        whole = module_source(name, modules, made, around) + self._compilation(name, drawn) + wrapping
        if self.variant.compiled_autograd:
            whole += backward.SOURCE.format(settings=self._settings_text())
        return apart(whole) if modules else whole

    def _settings_text(self) -> str:
        return ", ".join(f"{name}={value!r}" for name, value in self.settings.items())

    def _config_lines(self) -> list[str]:
        return [f"{at}.{name} = {value!r}" for at, values in self.config.items() for name, value in values.items()]

    def _configured(self) -> contextlib.AbstractContextManager[Any]:
        """Set what is not Dynamo's, for as long as a call takes."""
        stack = contextlib.ExitStack()
        for module, settings in self.config.items():
            if module != DYNAMO:
                stack.enter_context(patched(module, settings))
        return stack

    def _stances(self) -> Iterator[contextlib.AbstractContextManager[Any]]:
        """Give each call its stance, the mode's to every one but the first."""
        yield contextlib.nullcontext()
        while True:
            yield torch.compiler.set_stance(self.mode.stance)

    def _compilation(self, name: str, drawn: str) -> str:
        settings = self._settings_text()
        config = self._config_lines()
        if self.variant.rewriting:
            return "\n".join([*config, self.variant.rewriting.source(drawn, name, settings), self._source()])
        if self.variant.spec:
            return "\n".join([*config, specified_source(name, self.dims, settings)])
        called = self.variant.wrapping.source.format(name=name) if self.variant.wrapping else ""
        target = "call" if called else name
        made = f"{called}compiled = torch.compile({target}, {settings})"
        if self.variant.caching is None:
            return "\n".join([*config, made, self._source()])
        cached = self.variant.caching.source.replace("NAME", target).replace("SEED", str(self.seed))
        return "\n".join([*config, made, _MAKE.format(settings=self.settings), cached])

    def _source(self) -> str:
        dims = {key: _plain(named) for key, named in self.dims.items() if named}
        if self.mode.padded:
            call = f"call_in_buckets(compiled, {dims}, {[dict(named) for named in self.outputs]}, args, options)"
            return f"{inspect.getsource(buckets)}\n\ndef implementation(*args, **options):\n    return {call}\n"
        if self.mode.stance:
            return _LATER_STANCE.format(stance=self.mode.stance)
        if not self.mode.marked:
            return "implementation = compiled\n"
        return marking_source(dims, self.mode, self.variant)

    def _call_marked(self, compiled: Function, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        for tensor, dims in _tensors(self.dims, args, options):
            mark(tensor, dims, self.mode, self.variant)
        return compiled(*args, **options)

    def _call_in_buckets(self, compiled: Function, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        dims = {key: _named(named) for key, named in self.dims.items()}
        return buckets.call_in_buckets(compiled, dims, self.outputs, args, options)


_MAKE = """

def make(function, **more):
    settings = {settings!r}
    if more:
        settings["options"] = settings.get("options", {{}}) | more
    return torch.compile(function, **settings)

"""
_LATER_STANCE = """

def implementation(*args, **options):
    stance = torch.compiler.set_stance({stance!r} if CALLED else "default")
    CALLED.append(True)
    with stance:
        return compiled(*args, **options)


CALLED = []
"""


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
