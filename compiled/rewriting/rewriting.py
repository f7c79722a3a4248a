"""A rewriting: how drawn code is written anew before it is compiled, and what must be so of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from eagerdiff.compiled.rewriting import breaks, holding, keeping, laziness
from eagerdiff.compiled.rewriting.body import Body, defined

__eagerdiff_glue__ = True
"""What this module raises itself is a harness error, not a finding about the compiler (docs/judge.md)."""

Function = Callable[..., Any]


@dataclass(frozen=True, kw_only=True)
class Rewriting:
    """Describe a rewriting of drawn code: one function of tensors `x0`, `x1`, … and numbers."""

    text: Callable[[Body], str]
    """Return source of `build(settings)`, which compiles with those arguments of `torch.compile` and returns what takes
    the function's own arguments."""
    breaks: bool = False
    """Whether it breaks the graph."""
    stateful: bool = False
    """Whether tensors become a state, which has no gradient and as many graphs as it has shapes."""
    lazy: bool = False
    """Whether it wants code that calls a module of torch which has a lazy counterpart."""

    def compile(self, function: Function, settings: Mapping[str, Any]) -> Function:
        """Return what was compiled of a function's rewritten code."""
        return defined(self.text(Body.of(function)), function, "build")(dict(settings))

    def source(self, text: str, name: str, settings: str) -> str:
        """Return source of `compiled`, of source that defines the function of a name."""
        return f"{self.text(Body.read(text, name))}\n\ncompiled = build(dict({settings}))\n"


def of_break(kind: str) -> Rewriting:
    """Return the rewriting with breaks of a kind."""
    return Rewriting(text=partial(breaks.broken, kind=kind), breaks=True)


def of_module(entry: str) -> Rewriting:
    """Return the rewriting as a module that is compiled by an entry, its state loaded before each call."""
    return Rewriting(text=partial(holding.reloaded, entry=entry), stateful=True)


FUNCTIONAL = Rewriting(text=holding.functional)
"""A module that is called with its state as an argument."""
KEPT = Rewriting(text=keeping.of_state)
"""State of Python's, which changes between calls."""
HANDED = Rewriting(text=keeping.handed)
"""Arguments in containers, by a generator."""
RANDOM = Rewriting(text=keeping.with_random)
"""A random object that lives between calls."""
LAZY = Rewriting(text=laziness.lazy, stateful=True, lazy=True)
"""A lazy module, compiled before its parameters have sizes."""
