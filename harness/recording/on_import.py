"""Something that is done when a module has been imported, whoever imports it."""

import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class OnImport(MetaPathFinder):
    """Call something with a module's name when that module has been imported; at once where it was before."""

    def __init__(self, after: dict[str, Callable[[str], None]]) -> None:
        self._after = after

    def install(self) -> None:
        """Begin."""
        for name in [name for name in self._after if name in sys.modules]:
            self._after[name](name)
        sys.meta_path.insert(0, self)

    def uninstall(self) -> None:
        """End."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module that is waited for as the others do, and have its loader tell."""
        if fullname not in self._after:
            return None
        others = [one for one in sys.meta_path if one is not self and hasattr(one, "find_spec")]
        spec = next((found for one in others if (found := one.find_spec(fullname, path, target))), None)
        loader = spec.loader if spec is not None else None
        if loader is not None:
            load, tell = loader.exec_module, self._after[fullname]

            def exec_module(module: ModuleType) -> None:
                loader.exec_module = load
                load(module)
                tell(fullname)

            loader.exec_module = exec_module
        return spec
