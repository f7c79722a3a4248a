"""Tensors that a program wants on a GPU, kept in host memory: they say `cuda`, and are the processor's.

What is on a GPU is known by its storage: what is made there, what is moved there, and what is made of either.
"""

import contextlib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves

from eagerdiff.harness.devices.host.driver import HostDriver
from eagerdiff.harness.devices.interpreted.host import stand_in
from eagerdiff.harness.internals.torch_placement import HOOKS
from eagerdiff.harness.sanitizer.registered import Registered

GPU = torch.device("cuda", 0)
_HOST = torch.device("cpu")
_MARK = "eagerdiff_on_gpu"
Function = Callable[..., Any]


class OnHost(TorchFunctionMode):
    """Answer each call of torch as if a GPU were there, of host memory."""

    unsaid = False
    """Whether a tensor of which nothing says where it is, is on the GPU: gradients are, which autograd makes unseen."""
    making = False
    """Whether what is being made is to be on the GPU."""

    def __torch_function__(
        self, func: Function, types: Sequence[type], args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Take `cuda` for the processor; mark what comes of it."""
        kwargs = kwargs or {}
        if answer := _ANSWERS.get(func):
            return answer(*args, **kwargs)
        if func in _OF_DEVICES:
            return func(*args, **kwargs)
        if func is Tensor.cuda:
            func, args, kwargs = Tensor.to, (args[0], GPU), {}
        elif func is Tensor.cpu:
            func, args = Tensor.to, (args[0], _HOST)
        asked = {device.type for device in _devices(args, kwargs)}
        given = _tensors((*args, *kwargs.values())) or _tensors(tree_leaves((args, kwargs)))
        if asked:
            args = [_here(argument) for argument in args]
            kwargs = {name: _here(argument, name) for name, argument in kwargs.items()}
        deciding = [tensor for tensor in given if tensor.dim()] or given  # one number goes along with what has dims
        there = "cuda" in asked if asked else any(map(on_gpu, deciding))
        before, OnHost.making = OnHost.making, "cuda" in asked
        try:
            result = func(*args, **kwargs)
        finally:
            OnHost.making = before
        if func is Tensor.to and asked and there != on_gpu(args[0]) and _is(result, args[0]):
            result = result.clone()  # a copy on the other side
        if there or asked:
            for tensor in _tensors(tree_leaves(result)):
                _mark(tensor, there)
        return result


def _tensors(items: Iterable[Any]) -> list[Tensor]:
    return [item for item in items if isinstance(item, Tensor)]


def on_gpu(tensor: Tensor) -> bool:
    """Whether a program takes a tensor for one on a GPU."""
    storage = _storage(tensor)
    return storage is not None and getattr(storage, _MARK, OnHost.unsaid)


def _mark(tensor: Tensor, there: bool) -> None:
    if (storage := _storage(tensor)) is not None:
        setattr(storage, _MARK, there)


def _storage(tensor: Tensor) -> Any:
    """Return a tensor's storage; None where it has none, as within `vmap`, or is not the processor's."""
    if tensor.layout is not torch.strided or tensor.device != _HOST:
        return None
    try:
        return tensor.untyped_storage()
    except NotImplementedError:
        return None


def _is(result: Any, given: Tensor) -> bool:
    return isinstance(result, Tensor) and result.data_ptr() == given.data_ptr()


def _devices(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Iterator[torch.device]:
    """Return the devices that a call names."""
    for argument in args:
        if (device := _device(argument)) is not None:
            yield device
    for name, argument in kwargs.items():
        if (device := _device(argument, name)) is not None:
            yield device


def _device(argument: Any, name: str = "") -> torch.device | None:
    if name == "device" and isinstance(argument, int):
        return GPU
    if isinstance(argument, torch.device):
        return argument
    if isinstance(argument, str) and argument.partition(":")[0] in ("cuda", "cpu"):
        return torch.device(argument)
    return None


def _here(argument: Any, name: str = "") -> Any:
    return argument if _device(argument, name) is None else _HOST


def _say_device(tensor: Tensor) -> torch.device:
    return GPU if on_gpu(tensor) else tensor.device


def _say_number(tensor: Tensor) -> int:
    return 0 if on_gpu(tensor) else tensor.get_device()


def _itself(tensor: Tensor, *_: Any) -> Tensor:
    return tensor


_ANSWERS: dict[Function, Function] = {
    Tensor.device.__get__: _say_device,  # pyright: ignore[reportAttributeAccessIssue]
    Tensor.is_cuda.__get__: on_gpu,  # pyright: ignore[reportAttributeAccessIssue]
    Tensor.get_device: _say_number,
    Tensor.pin_memory: _itself,
}
_OF_DEVICES: tuple[Function, ...] = (torch.device, HOOKS["parse"].reach())
"""Functions that give devices, and no tensors."""


class _Timer:
    """Stand in for an event or a stream: nothing waits, and all take a millisecond."""

    cuda_stream = 0
    device = GPU

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def elapsed_time(self, end: "_Timer") -> float:
        return 1.0

    def query(self) -> bool:
        return True

    def _nothing(self, *_: Any, **__: Any) -> None:
        pass

    record = synchronize = wait = wait_event = wait_stream = record_event = _nothing


@contextlib.contextmanager
def _stream(*_: Any) -> Generator[None]:
    yield


class _Generator(torch.Generator):
    """A generator of the processor, wherever it is asked for; one for a GPU tells its state as a GPU's does."""

    def __new__(cls, device: Any = "cpu") -> "_Generator":
        return super().__new__(cls)

    def __init__(self, device: Any = "cpu") -> None:
        self._on_gpu = torch.device(device).type == "cuda"
        self._offset = 0

    @property
    def device(self) -> torch.device:  # pyright: ignore[reportIncompatibleVariableOverride]
        return GPU if self._on_gpu else _HOST

    def get_state(self) -> Tensor:
        """Return the seed and how far a kernel got (Philox), as bytes, where it is a GPU's."""
        if not self._on_gpu:
            return super().get_state()
        seed = (self.initial_seed() + 2**63) % 2**64 - 2**63
        words = torch.tensor([seed, self._offset], dtype=torch.int64, device=_HOST)
        return words.view(torch.uint8)

    def set_state(self, new_state: Tensor) -> "_Generator":
        """Go on from a state."""
        if not self._on_gpu:
            return super().set_state(new_state)  # pyright: ignore[reportReturnType]
        seed, self._offset = map(int, new_state.view(torch.int64))
        self.manual_seed(seed)
        return self


_MEMORY = 80 * 2**30
_ANSWERED: Mapping[str, object] = {
    **dict.fromkeys(("is_available", "is_initialized", "is_bf16_supported"), True),
    **dict.fromkeys(
        ("set_device", "set_stream", "empty_cache", "init", "reset_peak_memory_stats", "ipc_collect"), None
    ),
    **dict.fromkeys(("memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved"), 0),
    **dict.fromkeys(("current_stream", "default_stream"), _Timer()),
    "device_count": 1,
    "mem_get_info": (_MEMORY, _MEMORY),
    "is_current_stream_capturing": False,
}


@contextlib.contextmanager
def in_host_memory() -> Generator[None]:
    """Answer as a GPU would for as long as the block lasts; what `torch.cuda` says stays so for the process."""
    stand_in(_ANSWERED)
    torch.cuda.manual_seed = torch.cuda.manual_seed_all = _seed  # pyright: ignore
    for name in ("Event", "Stream"):
        setattr(torch.cuda, name, _Timer)
    torch.cuda.stream = _stream  # pyright: ignore
    torch.Generator = _Generator  # pyright: ignore
    torch.cuda.default_generators = (_Generator(GPU),)
    HostDriver.get_active_torch_device = lambda self: GPU
    torch.compile = _uncompiled  # pyright: ignore
    mode, modes = OnHost(), HOOKS["modes"].reach()

    def seen() -> contextlib.AbstractContextManager[object]:
        return contextlib.nullcontext() if mode in modes() else mode

    @contextlib.contextmanager
    def as_a_program() -> Generator[None]:
        with seen(), registered:
            yield

    registered = Registered(lambda items: OnHost.making or any(map(on_gpu, _tensors(items))), as_a_program)
    registered.install()
    _run_backward_within(seen)
    with mode, registered:
        yield


def _seed(seed: int) -> None:
    torch.default_generator.manual_seed(int(seed))


def _uncompiled(model: Any = None, **options: Any) -> Any:
    """Stand in for `torch.compile`, which would compile for the processor: the function stays as it is."""
    return (lambda function: function) if model is None else model


def _run_backward_within(seen: Callable[[], contextlib.AbstractContextManager[object]]) -> None:
    """Have the backward of a program's own functions see the mode: torch takes it away where it asks for it."""
    run = HOOKS["engine"].reach()

    def run_backward(outputs: Sequence[Any], *args: Any, **kwargs: Any) -> Any:
        before = OnHost.unsaid
        OnHost.unsaid = before or any(isinstance(one, Tensor) and on_gpu(one) for one in outputs)
        try:
            with seen():
                return run(outputs, *args, **kwargs)
        finally:
            OnHost.unsaid = before

    HOOKS["engine"].replace(run_backward)
