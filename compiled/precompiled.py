"""Precompiled functions: compiled ahead for a call, saved, loaded, and asked by their guards which calls they take.

It imports torch alone: its source stands in repro scripts.
"""

from collections.abc import Callable
from typing import Any

import torch


class Precompiled:
    """Call what was loaded where its guards accept the call; precompile, save and load for one that none accepts."""

    def __init__(self, compiled: Any, file: Callable[[], str], names: dict[str, Any]) -> None:
        """Take what `torch.compile` returned, with `fullgraph`, what names the file of an artifact, and the globals of
        the function."""
        self.compiled = compiled
        self.names = names
        self.file = file
        self.loaded: list[Any] = []

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call the first artifact that takes the arguments; raise where not even the one made for them does."""
        for one in self.loaded:
            if one.guard_check(*args, **options):
                return one(*args, **options)
        path = self.file()
        self.compiled.aot_compile((args, options)).save_compiled_function(path)
        with open(path, "rb") as file:
            self.loaded.append(torch.compiler.load_compiled_function(file, f_globals=self.names))
        return self.loaded[-1](*args, **options)
