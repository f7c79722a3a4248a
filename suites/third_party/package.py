"""A published package of Triton kernels: where it comes from, and what of it is checked."""

import importlib
import inspect
import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import patch

import torch

from eagerdiff import SourceTree
from eagerdiff.suites.own.source import of_lambda

Function = Callable[..., Any]


@dataclass(frozen=True)
class OfPackage:
    """Call kernels of a package's module: `call(module, *args)`."""

    tree: SourceTree
    call: Function
    __name__: str

    @property
    def __signature__(self) -> inspect.Signature:
        """That of `call` without the module."""
        given = inspect.signature(self.call)
        return given.replace(parameters=list(given.parameters.values())[1:])

    def __call__(self, *args: Any) -> Any:
        """Load the module, once, and call; tensors are as the reference of this kernel takes them."""
        return self.call(self._module(), *args)

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Be found by name in another process, where stand-ins may be what no pickle takes."""
        held = self.call.__module__
        if any(one.kernel is self for one in getattr(sys.modules.get(held), "KERNELS", ())):
            return _found, (held, self.__name__)
        return super().__reduce_ex__(protocol)

    def leads_to(self) -> Iterator[Any]:
        """Return what of the module the call names."""
        module = self._module()
        yield from (getattr(module, name) for name in self.call.__code__.co_names if hasattr(module, name))

    def _module(self) -> ModuleType:
        if (loaded := sys.modules.get(self.tree.modules[0])) is not None:
            return loaded  # a call looks for no file
        with _answered():
            return self.tree.load()

    def source(self) -> str:
        """Return source that defines `_function`; empty where modules are stood in for, or `call` is no lambda."""
        text = of_lambda(self.call) if self.call.__name__ == "<lambda>" else ""
        module = self.tree.modules[0]
        if not text or self.tree.stand_ins:
            return ""
        named = {"variable": self.tree.variable, "module": module, "package": self.tree.package}
        loading = _LOADING.format(**named, inits=sorted(self.tree.inits))
        return f"{loading}\n{text.replace('_function =', '_called =', 1)}\n{_BOUND}"


@contextmanager
def _answered() -> Generator[None]:
    """Answer what modules ask of a GPU while they are imported, where there is none."""
    properties = SimpleNamespace(multi_processor_count=1, warp_size=32)
    answers = {"get_device_capability": (9, 0), "get_device_properties": properties, "current_device": 0}
    if torch.cuda.is_available():
        answers = {}
    with ExitStack() as stack:
        for name, answer in answers.items():
            stack.enter_context(patch.object(torch.cuda, name, lambda *_, answer=answer: answer))
        yield


def _found(module: str, name: str) -> OfPackage:
    """Return a kernel of an adapter's module."""
    return next(one.kernel for one in importlib.import_module(module).KERNELS if one.kernel.__name__ == name)


_LOADING = """import contextlib, importlib, os, sys, types
import torch, triton

if not torch.cuda.is_available():  # what its functions ask of a GPU, for Triton's interpreter
    target = triton.backends.compiler.GPUTarget("cuda", 90, 32)
    triton.runtime.driver.set_active(types.SimpleNamespace(get_current_target=lambda: target))
    torch.cuda.device = lambda device: contextlib.nullcontext()
    torch.cuda.get_device_capability, torch.cuda.get_device_name = (lambda *device: (9, 0)), (lambda *device: "H100")
    torch.cuda.get_device_properties = lambda *device: types.SimpleNamespace(
        name="H100", major=9, minor=0, multi_processor_count=132
    )
root = os.environ.get("{variable}", ".")
sys.path.insert(0, root)
names = "{module}".split(".")
try:
    for name in (".".join(names[:count]) for count in range(1, len(names))):
        if name in {inits}:
            importlib.import_module(name)
        else:  # without what its __init__ runs
            sys.modules[name] = types.ModuleType(name)
            sys.modules[name].__path__ = [os.path.join(root, *name.split("."))]
    module = importlib.import_module("{module}")
except ImportError as error:
    sys.exit(print(f"needs {package}, {variable} names the folder that holds it: {{error}}") or 2)"""
_BOUND = "_function = lambda *args: _called(module, *args)"


@dataclass(frozen=True)
class Adapted:
    """Hold what `check` is given of one kernel."""

    kernel: OfPackage
    reference: Function
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Arguments, and options of `check`."""


@dataclass(frozen=True)
class Package:
    """Name a package that is published."""

    module: str
    """Import name."""
    source: str
    """Where it comes from: `liger-kernel==0.8.0` of PyPI, or a repository and its revision."""
    stand_ins: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    """What is put in place of modules that its kernels' files import, and that need CUDA or what is not here."""
    inits: Sequence[str] = ()
    """Its packages whose `__init__` is run; the others' are not."""

    @property
    def variable(self) -> str:
        """The environment variable that names the folder which holds it."""
        return f"EAGERDIFF_{self.module.upper()}"

    def kernel(self, module: str, call: Function, reference: Function, *, name: str, **arguments: Any) -> Adapted:
        """Adapt a kernel of one of its modules: `call(module, …)` is held against `reference(…)`."""
        tree = SourceTree(self.module, self.variable, (f"{self.module}.{module}",), self.stand_ins, self.inits)
        return Adapted(OfPackage(tree, call, f"{self.module}.{name}"), reference, arguments)


Kernels = Sequence[Adapted]
