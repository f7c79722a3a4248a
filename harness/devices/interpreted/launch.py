"""One launch of a kernel: arguments, grid, order of programs."""

import inspect
import math
import re
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

import numpy as np
import torch
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

from eagerdiff.harness.devices.extents import pointed_at
from eagerdiff.harness.devices.interpreted.builder import CheckedBuilder
from eagerdiff.harness.devices.interpreted.coverage import Reach
from eagerdiff.harness.devices.interpreted.rewriting import rewrite
from eagerdiff.harness.devices.interpreted.spans import Span, Spans, tensors_of
from eagerdiff.harness.devices.interpreted.specialisation import Specialiser
from eagerdiff.harness.devices.interpreted.values import Unread, Value
from eagerdiff.harness.internals.triton_errors import InterpreterError
from eagerdiff.harness.internals.triton_interpreter import InterpretedFunction, TensorHandle, interpreter
from eagerdiff.harness.internals.triton_jit import mangle_type
from eagerdiff.harness.internals.triton_knobs import wants_tracebacks

MOST_PROGRAMS = (2**31 - 1, 65535, 65535)
"""CUDA's limits of a grid along x, y and z."""

WAITING = re.compile(r"\bwhile\b[\s\S]*\batomic_|decoupled_lookback|grid_barrier|\batomic_[\s\S]*\bwhile\b")
"""Source of a kernel whose programs wait for one another: it needs the hardware's order."""

NUMBERS = {
    name: dtype
    for dtype in (tl.int8, tl.int16, tl.int32, tl.int64, tl.uint8, tl.uint16, tl.uint32, tl.uint64)
    for name in (cast(str, dtype.name), cast(str, dtype.name).replace("uint", "u").replace("int", "i"))
} | {
    name: getattr(tl, spelled)
    for spelled, short in (("float16", "fp16"), ("bfloat16", "bf16"), ("float32", "fp32"), ("float64", "fp64"))
    for name in (spelled, short)
}
"""Types that an argument's annotation may fix."""

Programs = tuple[int, int, int]
"""How many programs there are along x, y and z, or which one it is."""

Grid = int | Iterable[int]
"""How many programs a launch asks for, along one axis or up to three."""


class Launcher:
    """Run kernels on one builder."""

    def __init__(self, builder: CheckedBuilder) -> None:
        self.builder = builder
        self.specialiser = Specialiser()
        self._kernels: dict[object, Kernel] = {}

    def launch(
        self,
        function: "InterpretedFunction[Value]",
        args: tuple[Value, ...],
        kwargs: dict[str, Value],
        grid: Grid | Callable[[dict[str, Value]], Grid],
    ) -> None:
        """Run every program of a launch; raise `InterpreterError` from what a program raises."""
        kernel = self.kernel(function)
        given = {name: value for name, value in kwargs.items() if name in kernel.names}
        bound = inspect.getcallargs(kernel.run, *args, **given)  # pyright: ignore[reportDeprecated]
        for hook in function.pre_run_hooks:
            hook(*args, **kwargs)
        programs = _grid(grid(bound) if callable(grid) else grid)
        Unread.value = np.nan if self.builder.watch is None else self.builder.watch.unread()
        if self.builder.watch is not None:
            self.builder.watch.kernels[kernel.name] += 1
            if not kernel.generated:
                key = self.specialiser.describe(function, args, kwargs)
                self.builder.watch.specialisations[kernel.name, key] = None
        if kernel.reach is not None:
            kernel.reach.call({name: bound[name] for name in kernel.constants}, math.prod(programs))
        outer = self.builder.spans, self.builder.kernel, self.builder.grid_idx, self.builder.grid_dim
        try:
            self._enter(kernel, bound, programs)
            self._run(
                kernel, {name: kernel.argument(name, value, self.builder) for name, value in bound.items()}, programs
            )
        finally:
            self.builder.spans, self.builder.kernel, self.builder.grid_idx, self.builder.grid_dim = outer

    def call(self, function: "InterpretedFunction[Value]", args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
        """Call a device function from a kernel."""
        return self.kernel(function).run(*args, **kwargs)

    def kernel(self, function: "InterpretedFunction[Value]") -> "Kernel":
        """Return the prepared form of a decorated function."""
        found = self._kernels.get(function.fn)
        if found is None:
            signature = getattr(function, "signature", {})
            reach = None if signature else self.builder.coverage.of(function.fn)
            found = self._kernels[function.fn] = Kernel(function.fn, signature, reach)
        return found

    def _enter(self, kernel: "Kernel", bound: dict[str, Value], programs: Programs) -> None:
        spans = [Span.of(name, tensor) for key, value in bound.items() for name, tensor in tensors_of(key, value)]
        self.builder.spans, self.builder.kernel = Spans(spans), kernel.name
        self.builder.set_grid_dim(*programs)

    def _run(self, kernel: "Kernel", arguments: dict[str, Value], programs: Programs) -> None:
        watch = self.builder.watch
        seed = 0 if watch is None or kernel.waits else watch.shuffle_seed
        try:
            with np.errstate(all="ignore"):
                for x, y, z in order(programs, seed):
                    self.builder.grid_idx = (x, y, z)
                    kernel.run(**arguments)
        except Exception as failure:
            if wants_tracebacks():
                raise
            raise InterpreterError(repr(failure)) from failure


class Kernel:
    """A decorated function, ready to be interpreted."""

    def __init__(self, function: types.FunctionType, signature: Mapping[str, str], reach: Reach | None) -> None:
        """Prepare a function; `signature` gives types that its annotations do not (Inductor's kernels have one)."""
        self.name = function.__name__
        self.reach = reach
        """What is reached of it, where that is noted."""
        self.run = rewrite(function, reach)
        self.names = frozenset(inspect.signature(function).parameters)
        annotations = {name: str(kind) for name, kind in function.__annotations__.items()}
        self.constants = frozenset(name for name, kind in annotations.items() if "constexpr" in kind)
        self.generated = bool(signature)
        """Whether Inductor wrote it, and has specialised it already."""
        named = {**signature, **_short(function)}
        self.types = {name: NUMBERS[kind] for name, kind in named.items() if kind in NUMBERS}
        self.waits = _waits(function)

    def argument(self, name: str, value: Value, builder: CheckedBuilder) -> Value:
        """Turn a host value into what the kernel sees: constants as they are, numbers and pointers as tensors."""
        if name in self.constants:
            return value.value if isinstance(value, tl.constexpr) else value
        if name in self.types and isinstance(value, (int, float)):
            dtype = self.types[name]
            return interpreter.interpreter_semantic.cast(_exact(value), dtype)
        return _argument(value, builder)


def order(programs: Programs, seed: int) -> list[Programs]:
    """Return program ids, x fastest as the hardware issues them, or shuffled by a seed other than 0."""
    nx, ny, nz = programs
    every = [(x, y, z) for z in range(nz) for y in range(ny) for x in range(nx)]
    if not seed or len(every) < 2:
        return every
    return [every[index] for index in np.random.default_rng(seed).permutation(len(every))]


def _argument(value: Value, builder: CheckedBuilder) -> Value:
    if isinstance(value, (bool, int, float)):
        return _number(value)
    if isinstance(value, TensorDescriptor):
        return _descriptor(value, builder)
    if isinstance(value, tuple):
        items = [_argument(item, builder) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if hasattr(value, "data_ptr"):
        return _pointer(value, builder)
    return value


def _number(value: float) -> tl.tensor:
    if isinstance(value, float):
        return tl.tensor(TensorHandle(np.array([value], dtype=np.float32), tl.float32), tl.float32)
    return cast(tl.tensor, interpreter.interpreter_semantic.to_tensor(value))


def _exact(value: float) -> tl.tensor:
    """Return a number whose type is given elsewhere: a float is not rounded to float32 first."""
    if isinstance(value, float):
        return tl.tensor(TensorHandle(np.array([value], dtype=np.float64), tl.float64), tl.float64)
    return _number(value)


def _pointer(value: Any, builder: CheckedBuilder) -> tl.tensor:
    kind = cast(tl.dtype, tl.str_to_ty(mangle_type(value), None))
    handle = TensorHandle(np.array([value.data_ptr()], dtype=np.uint64), kind)
    if (tensor := pointed_at(value)) is not None:
        handle.attr["span"] = _span(tensor, builder)
    return tl.tensor(handle, kind)


def _span(tensor: torch.Tensor, builder: CheckedBuilder) -> Span:
    measured = Span.of("", tensor)
    for span in builder.spans.spans:
        if (span.low, span.high) == (measured.low, measured.high):
            return span
    return measured


def _descriptor(value: TensorDescriptor, builder: CheckedBuilder) -> tl.tensor_descriptor:
    strides = [_number(int(stride)) for stride in value.strides[:-1]]
    made = interpreter.interpreter_semantic.make_tensor_descriptor(
        base=_pointer(value.base, builder),
        shape=[_number(int(size)) for size in value.shape],
        strides=[*strides, tl.constexpr(1)],
        block_shape=[tl.constexpr(size) for size in value.block_shape],
        padding_option=value.padding,
    )
    made.handle.round_f32_to_tf32 = getattr(value, "round_f32_to_tf32", False)  # from triton 3.9 on
    return made


def _grid(grid: Grid) -> Programs:
    sizes = [int(size) for size in ((grid,) if isinstance(grid, int) else grid)]
    if len(sizes) > 3:
        raise ValueError("a grid has at most 3 dimensions")
    sizes += [1] * (3 - len(sizes))
    for axis, size, most in zip("xyz", sizes, MOST_PROGRAMS, strict=True):
        if size > most:
            raise RuntimeError(f"invalid grid: {size} programs along {axis}, CUDA allows {most}")
    return sizes[0], sizes[1], sizes[2]


def _short(function: types.FunctionType) -> dict[str, str]:
    return {
        name: getattr(kind, "name", str(kind)).removeprefix("tl.").removeprefix("triton.language.")
        for name, kind in function.__annotations__.items()
    }


def _waits(function: types.FunctionType) -> bool:
    """Tell from the source whether programs wait for one another, in the kernel or in what it calls."""
    sources = [function]
    for name in function.__code__.co_names:
        called = function.__globals__.get(name)
        if isinstance(called, InterpretedFunction):
            sources.append(called.fn)
    try:
        return any(WAITING.search(inspect.getsource(source)) for source in sources)
    except (OSError, TypeError):
        return False
