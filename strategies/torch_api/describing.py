"""Describing an entry of torch's tables: calls with sizes as formulas, and what eager says of them."""

import functools
import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch
from torch.utils._pytree import tree_leaves

from eagerdiff import NOT_ON_CPU
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.torch_api.call import Call, is_a
from eagerdiff.strategies.torch_api.forms import consumed
from eagerdiff.strategies.torch_api.functionals import Functional
from eagerdiff.strategies.torch_api.names import UnknownFunction, function
from eagerdiff.strategies.torch_api.probing import Probe, find_values, groups, symbolic
from eagerdiff.strategies.torch_api.recording import Inexpressible, Recorded, record, record_module
from eagerdiff.strategies.torch_api.running import run
from eagerdiff.strategies.torch_api.schemas import Packet
from eagerdiff.strategies.torch_api.table import Entry, Template
from eagerdiff.strategies.torch_api.values import build

REFUSED = "eager refuses the sample: "
MOST_TEMPLATES = 10
MOST_SIZELESS = 2
"""Of these, how many may be without a size that changes, where others have one."""
MOST_SAMPLES = 300
UNINITIALISED = ("empty", "new_empty", "resize")
"""How the names of entries begin whose results are what memory happened to hold: of these, sizes and dtypes count."""
_PREFERRED = (torch.float32, torch.int64, torch.bool, torch.complex64, torch.float64, torch.float16)


def describe(table: str, info: Any, only: int | None = None) -> Entry:
    """Read one entry of `op_db`: the first samples that are spelled differently, with what eager says of their sizes.

    `only`: the number of the one sample that is read.
    """
    if table == "module_db":
        return _describe_module(info, only)
    if table in ("schemas", "functional"):
        return _describe_packet(table, info, only)
    dtypes = info.supported_dtypes("cpu")
    names = tuple(sorted(_name(dtype) for dtype in dtypes))
    dtype = next((one for one in _PREFERRED if one in dtypes), None)
    entry = Entry(
        table=table,
        name=name_of(info),
        dtypes=names,
        differentiable=bool(info.supports_autograd),
        method=_method(info.method_variant),
        inplace=_method(info.inplace_variant),
        out=bool(info.supports_out),
    )
    if dtype is None:
        return entry.model_copy(update={"why": f"{NOT_ON_CPU}: the table has no dtype for it"})
    samples = info.sample_inputs("cpu", dtype, requires_grad=False)
    recordings = (
        functools.partial(record, info.name, info.op, (sample.input, *sample.args), sample.kwargs)
        for sample in itertools.islice(samples, only or 0, MOST_SAMPLES if only is None else only + 1)
    )
    return _with_templates(entry, recordings, dtype)


def _describe_packet(table: str, packet: Packet | Functional, only: int | None) -> Entry:
    """Read one native operator, or one function, that the other tables lack."""
    left_out = packet.left_out if isinstance(packet, Packet) else ""
    entry = Entry(table=table, name=packet.name, dtypes=("float32", "float64"), why=left_out)
    if entry.why:
        return entry
    found = itertools.islice(packet.samples(), only or 0, None if only is None else only + 1)
    recordings = (functools.partial(record, packet.name, operator, *sample) for operator, sample in found)
    described = _with_templates(entry, recordings, torch.float32)
    why = "eager takes none of the arguments that were tried" if described.why == "no sample" else described.why
    return described.model_copy(update={"why": why, "differentiable": any(map(_differentiable, described.templates))})


def _differentiable(found: Template) -> bool:
    """Whether eager gives a gradient of a call."""
    call, tensors = found.call, [spec for spec in found.call.tensors if not spec.dtype]
    if not tensors:
        return False
    try:
        result = attempt(call, found.sizes, found.dtype, gradients=True)
        ends = [leaf for leaf in tree_leaves(result) if isinstance(leaf, torch.Tensor) and leaf.requires_grad]
        torch.autograd.backward(ends, [torch.ones_like(end) for end in ends])
    except Exception:  # noqa: BLE001 - that is the answer
        return False
    return bool(ends)


def _describe_module(info: Any, only: int | None) -> Entry:
    """Read one entry of `module_db`, in training and in evaluation where they differ."""
    dtype = torch.float32
    dtypes = tuple(sorted(_name(one) for one in info.dtypes if one.is_floating_point))
    entry = Entry(table="module_db", name=name_of(info), dtypes=dtypes, differentiable=bool(info.supports_gradgrad))
    modes = (True, False) if info.train_and_eval_differ else (True,)
    recordings = (
        functools.partial(
            record_module, info.module_cls, sample.constructor_input, sample.forward_input, dtype, training=training
        )
        for training in modes
        for at, sample in enumerate(
            info.module_inputs_func(info, device="cpu", dtype=dtype, requires_grad=False, training=training)
        )
        if (only is None or at == only) and sample.forward_input is not None
    )
    return _with_templates(entry, recordings, dtype)


def name_of(info: Any) -> str:
    """Return what a table calls an entry."""
    if isinstance(info, Packet | Functional):
        return info.name
    return info.module_cls.__name__ if hasattr(info, "module_cls") else info.formatted_name


def _with_templates(entry: Entry, recordings: Iterable[Callable[[], Recorded]], dtype: torch.dtype) -> Entry:
    templates, left_out = _templates(recordings, dtype)
    if entry.name.startswith(UNINITIALISED):
        templates = [one.model_copy(update={"call": consumed(one.call, "torch.zeros_like")}) for one in templates]
    why = "" if templates else next(iter(left_out), "no sample")
    if why.startswith(REFUSED):
        why = f"{NOT_ON_CPU}: {why.removeprefix(REFUSED)}"
    return entry.model_copy(update={"templates": tuple(templates), "left_out": dict(left_out), "why": why})


def _templates(recordings: Iterable[Callable[[], Recorded]], dtype: torch.dtype) -> tuple[list[Template], Counter[str]]:
    left_out = Counter[str]()
    fresh: list[Probe] = []
    """Samples that are spelled as none before; then those that differ in a constant alone."""
    alike: list[Probe] = []
    spellings, constants = set[str](), set[str]()
    for recording in recordings:
        try:
            probe = Probe(recording())
        except Inexpressible as reason:
            left_out[str(reason)] += 1
            continue
        except Exception as error:  # noqa: BLE001 - as below
            left_out[f"{REFUSED}{type(error).__name__}: {error}".splitlines()[0][:160]] += 1
            continue
        spelling, constant = _spelling(probe), _spelling(probe, constants=True)
        if spelling not in spellings:
            fresh.append(probe)
        elif constant not in constants:
            alike.append(probe)
        spellings.add(spelling)
        constants.add(constant)
    found: list[Template] = []
    for probe in (*fresh[: 4 * MOST_TEMPLATES], *_spread(alike, MOST_TEMPLATES)):
        try:
            result = probe.result()
        except Exception as error:  # noqa: BLE001 - counted
            left_out[f"{REFUSED}{type(error).__name__}: {error}".splitlines()[0][:160]] += 1
            continue
        if any(isinstance(leaf, torch.Tensor) and leaf.layout is not torch.strided for leaf in tree_leaves(result)):
            left_out["a result that is not strided"] += 1
            continue
        try:
            found.append(template(probe, dtype))
        except Exception as error:  # noqa: BLE001 - a sample that eager refuses is counted
            left_out[f"{type(error).__name__}: {error}".splitlines()[0][:160]] += 1
    sized = [one for one in found if one.sizes]  # fresh ones first
    others = [one for one in found if not one.sizes][: MOST_SIZELESS if sized else MOST_TEMPLATES]
    return [*sized[: MOST_TEMPLATES - len(others)], *others], left_out


def _spread(probes: Sequence[Probe], most: int) -> Sequence[Probe]:
    """Return some of many, evenly."""
    return probes[:: max(1, len(probes) // most)][:most]


def _spelling(probe: Probe, *, constants: bool = False) -> str:
    """Return what tells one sample from another: functions, kinds of arguments, numbers of dims, empty ones apart.

    `constants`: the arguments themselves too.
    """
    steps = probe.recorded.steps
    arguments = [
        (path, argument if constants else type(argument).__name__ if not isinstance(argument, dict) else [*argument])
        for path, argument in Call(steps=tuple(steps)).arguments()
    ]
    tensors = [(tensor.dim(), tensor.numel() == 0, str(tensor.dtype)) for tensor in probe.recorded.tensors]
    module = probe.recorded.module
    built = [] if module is None else [module.training, *(repr(one) for one in module.build.args), module.build.kwargs]
    return repr(([step.function for step in steps], arguments, tensors, built))


def template(probe: Probe, dtype: torch.dtype) -> Template:
    """Return a sample's call with its sizes as formulas; raise ValueError where it cannot be told as data."""
    find_values(probe)
    call, sizes = symbolic(probe, groups(probe), dtype)
    name = _name(dtype)
    return Template(
        call=call,
        sizes=sizes,
        example=_example(call, sizes, name),
        floors={symbol: _floor(call, sizes, symbol, name) for symbol in sizes},
        dtype=name,
        single=isinstance(attempt(call, sizes, name), torch.Tensor),
        random=_random(call, sizes, name),
    )


def attempt(call: Call, sizes: dict[str, int], dtype: str, seed: int = 0, *, gradients: bool = False) -> Any:
    """Return what eager gives for a call with given sizes, of tensors that may want gradients; raise what it raises."""
    generator = torch.Generator().manual_seed(seed)
    tensors = [
        build(
            spec,
            getattr(torch, spec.dtype or dtype),
            tuple(size.value(sizes) for size in spec.sizes),
            None if spec.below is None else Size.of(spec.below).value(sizes),
            "normal",
            generator,
        )
        for spec in call.tensors
    ]
    tensors = [
        one.requires_grad_() if gradients and (one.is_floating_point() or one.is_complex()) else one for one in tensors
    ]
    known = {path: Size.of(value["size"]).value(sizes) for path, value in call.arguments() if is_a(value, "size")}
    return run(call.replaced(known).steps, tensors, call.module)


def _takes(call: Call, sizes: dict[str, int], dtype: str) -> bool:
    try:
        attempt(call, sizes, dtype)
    except Exception:  # noqa: BLE001 - that is the answer
        return False
    return True


def _example(call: Call, sizes: dict[str, int], dtype: str) -> dict[str, int]:
    pick = random.Random(0)
    for _ in range(20):
        pool = list(range(2, 2 + 2 * max(len(sizes), 4)))
        pick.shuffle(pool)
        drawn = {symbol: pool.pop() for symbol in sizes}
        if _takes(call, drawn, dtype):
            return drawn
    return (
        {symbol: max(size, 2) for symbol, size in sizes.items()}
        if _takes(call, {symbol: max(size, 2) for symbol, size in sizes.items()}, dtype)
        else dict(sizes)
    )


def _floor(call: Call, sizes: dict[str, int], symbol: str, dtype: str) -> int:
    return next((size for size in range(sizes[symbol]) if _takes(call, {**sizes, symbol: size}, dtype)), sizes[symbol])


def _random(call: Call, sizes: dict[str, int], dtype: str) -> bool:
    """Whether two calls with different states of the generator differ, and two with the same do not."""
    results: list[Any] = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        try:
            results.append(attempt(call, sizes, dtype))
        except Exception:  # noqa: BLE001 - values that the sample itself did not have
            return False
    same, other = (_equal(results[0], result) for result in results[1:])
    return same and not other


def _equal(one: Any, other: Any) -> bool:
    leaves = [tree_leaves(result) for result in (one, other)]
    return len(leaves[0]) == len(leaves[1]) and all(
        torch.allclose(a.to(torch.complex128), b.to(torch.complex128), equal_nan=True)
        if isinstance(a, torch.Tensor) and a.shape == b.shape and a.layout is torch.strided
        else isinstance(a, torch.Tensor) or a == b
        for a, b in zip(*leaves, strict=True)
    )


def _method(found: Any) -> str:
    name = f"torch.Tensor.{getattr(found, '__name__', '')}"
    try:
        function(name)
    except UnknownFunction:
        return ""
    return name


def _name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
