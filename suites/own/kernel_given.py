"""A kernel, its reference and its options, as `check(kernel=…, reference=…)` is given them, made into a page."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self

import torch

from eagerdiff.strategies.cases.own_code import OwnCase
from eagerdiff.strategies.own_code.argument import Argument, SizeRange, TensorOf
from eagerdiff.strategies.own_code.interface import Interface
from eagerdiff.suites.own.called import FunctionCall
from eagerdiff.suites.own.given import Given, name_of
from eagerdiff.suites.own.inference import Inference
from eagerdiff.suites.own.kernel_page import KernelPage
from eagerdiff.suites.own.launched import launched
from eagerdiff.suites.own.like import Like
from eagerdiff.suites.own.source import of_kernel

Function = Callable[..., Any]

MOST_ELEMENTS = 1 << 18
"""Of one tensor of a kernel's call."""
LEAST_USUAL, MOST_USUAL = 300, 4100
"""What a size that nobody bounds may reach: twice the largest block and a bit, between these."""


@dataclass(frozen=True)
class KernelOptions:
    """Say how a kernel is called, besides its arguments."""

    dtypes: Sequence[Any] = (torch.float32, torch.float16, torch.bfloat16)
    """Torch dtypes of the floating-point tensors that are given without one: one for all of them, drawn."""
    layouts: bool = True
    """Whether arguments lie in other ways than contiguous, too."""
    blocks: Sequence[int] | None = None
    """Sizes beside whose multiples sizes are drawn; None reads them from constexprs and configurations."""
    supports: Callable[[OwnCase], str | bool | None] | None = None
    """Return why the kernel does not take a call (`call.sizes["width"]`, `call.dtype`, `call.batch`), or whether."""
    sums_in_float32: bool = False
    """Whether it promises sums in float32 for narrower dtypes: then it is held to that."""

    @classmethod
    def taken_from(cls, named: Mapping[str, Any]) -> tuple[Self, dict[str, Any]]:
        """Part options from arguments; raise ValueError for dtypes that are none."""
        own = {one.name for one in fields(cls)}
        options = cls(**{name: value for name, value in named.items() if name in own})
        if not all(isinstance(dtype, torch.dtype) for dtype in options.dtypes):
            raise ValueError(f"dtypes={options.dtypes!r}: torch dtypes are wanted, as (torch.float16,)")
        return options, {name: value for name, value in named.items() if name not in own}


def called_as(kernel: Function, reference: Function, named: Mapping[str, Any]) -> Function:
    """Return what has the signature by which arguments are given: the kernel's, else the reference's, else as given.

    Raises ValueError where the kernel or the reference cannot be called at all.
    """
    for role, one in (("kernel", kernel), ("reference", reference)):
        if not callable(one):
            raise ValueError(f"{role}={one!r}: a function is wanted")
    names = [name for name, value in named.items() if not isinstance(value, SizeRange)]
    plain = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in names]
    signatures = [found for one in (kernel, reference) if (found := _signature(one)) is not None]
    fitting = (one for one in signatures if set(names) <= one.parameters.keys())

    def target(*args: Any) -> None: ...

    target.__signature__ = next(fitting, inspect.Signature(plain))  # pyright: ignore[reportFunctionMemberAccess]
    target.__name__ = _name_of(kernel)
    return target


def _name_of(kernel: Function) -> str:
    """Return what a kernel's operator is called; of `Function.apply`, what its class is."""
    return name_of(owner_of(kernel) if getattr(kernel, "__name__", "") == "apply" else kernel)


def owner_of(kernel: Function) -> Any:
    """Return what has the module that a kernel is of: of a method, its class."""
    owner = getattr(kernel, "__self__", None)
    return owner if isinstance(owner, type) else kernel


def kernel_page(
    kernel: Function,
    reference: Function,
    given: Given,
    options: KernelOptions,
    like: Like,
    *,
    gradients: bool = False,
) -> tuple[KernelPage, list[str]]:
    """Return the page of a kernel, and what was found out of it; raise ValueError in one line."""
    found = launched(kernel)
    blocks = found.blocks if options.blocks is None else tuple(sorted(options.blocks))
    usual = SizeRange(0, max(LEAST_USUAL, min(MOST_USUAL, 2 * max(blocks, default=0) + 4)))
    right = FunctionCall(reference, given.form, gradients)
    inference = Inference(right, dict(given.arguments), {**given.ranges, **like.ranges}, like.seen, usual=usual)
    known = inference.run()
    if not inference.repeats():
        raise ValueError("the reference gives another result each time: a kernel is held against one that does not")
    interface = like.met(_interface(known, given.arguments, options, blocks, found.configs))
    first = like.workloads(interface)
    said = [*like.said, *inference.said]
    if blocks:
        said.append(f"blocks: {', '.join(map(str, blocks))} (sizes beside their multiples)")
    if found.configs > 1:
        said.append(f"configurations: {found.configs}, each in turn")
    page = KernelPage(
        name=_name_of(kernel),
        kernel=FunctionCall(kernel, given.form, gradients),
        reference=right,
        interface=interface,
        sums_in_float32=options.sums_in_float32,
        first=first,
        source=of_kernel(kernel, reference, given.form, gradients=gradients),
    )
    return page, said


def _interface(
    known: Interface,
    arguments: Mapping[str, Argument],
    options: KernelOptions,
    blocks: tuple[int, ...],
    configs: int,
) -> Interface:
    def is_open(name: str) -> bool:
        given = arguments[name]
        dtype = known.tensors[name].dtype
        return isinstance(given, TensorOf) and given.dtype is None and dtype is not None and dtype.is_floating_point

    varied = frozenset(filter(is_open, known.tensors))
    return replace(
        known,
        layouts=options.layouts,
        edges=blocks,
        dtypes=tuple(str(dtype).removeprefix("torch.") for dtype in options.dtypes) if varied else (),
        varied=varied,
        configs=configs,
        most_elements=MOST_ELEMENTS,
        supports=options.supports,
    )


def _signature(one: Function) -> inspect.Signature | None:
    try:
        return inspect.signature(one)
    except (TypeError, ValueError):
        return None
