"""Precompiled functions: compiled ahead for a call, saved, loaded, and asked by their guards which calls they take.

It imports torch alone: its source stands in repro scripts.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch


class Precompiled:
    """Call what was loaded where its guards accept the call; precompile, save and load for one that none accepts."""

    def __init__(
        self, compiled: Any, file: Callable[[], str], names: dict[str, Any], found: Sequence[str] = ()
    ) -> None:
        """Take what `torch.compile` returned, with `fullgraph`, what names the file of an artifact, the globals of the
        function, and the files of artifacts that are there already."""
        self.compiled = compiled
        self.names = names
        self.file = file
        self.loaded = [self.load(path) for path in found]

    def load(self, path: str) -> Any:
        """Return the artifact in a file."""
        with open(path, "rb") as file:
            return torch.compiler.load_compiled_function(file, f_globals=self.names)

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call the first artifact that takes the arguments; raise where not even the one made for them does."""
        for one in self.loaded:
            if one.guard_check(*args, **options):
                return one(*args, **options)
        path = self.file()
        self.compiled.aot_compile((args, options)).save_compiled_function(path)
        self.loaded.append(self.load(path))
        return self.loaded[-1](*args, **options)
