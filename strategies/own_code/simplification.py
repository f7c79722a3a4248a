"""Simpler calls of a function of one's own: plain values and layouts, then smaller sizes; of all calls, then of one."""

from collections.abc import Callable, Iterator

from eagerdiff import Workload
from eagerdiff.strategies.cases.own_code import OwnCase
from eagerdiff.strategies.own_code.interface import Interface

Change = Callable[[OwnCase], OwnCase]


def simpler(workload: Workload[OwnCase], interface: Interface) -> Iterator[Workload[OwnCase]]:
    """Return simpler workloads, the boldest first; each is inside what was declared."""
    cases = workload.cases
    for change in _changes(workload, interface):
        several = [tuple(map(change, cases))]
        if len(cases) > 1:
            several += [(*cases[:at], change(case), *cases[at + 1 :]) for at, case in enumerate(cases)]
        for changed in several:
            if changed != cases and all(interface.outside(case) is None for case in changed):
                yield Workload(changed)


def _changes(workload: Workload[OwnCase], interface: Interface) -> Iterator[Change]:
    yield lambda case: case.model_copy(update={"layouts": {}, "fills": {}, "seed": 0})
    yield lambda case: case.model_copy(update={"layouts": {}})
    yield lambda case: case.model_copy(update={"fills": {}})
    yield lambda case: case.model_copy(update={"seed": 0})
    yield lambda case: case.model_copy(update={"dtype": interface.plain_dtype})
    yield lambda case: case.model_copy(update={"config": 0})
    for batch in _batches(workload.cases[0].batch):
        yield lambda case, batch=batch: case.model_copy(update={"batch": batch})
    yield lambda case: case.model_copy(update={"sizes": interface.example().sizes})
    for name in interface.names:
        for size in _smaller(max(case.sizes[name] for case in workload.cases)):
            yield lambda case, name=name, size=size: _resized(case, name, size)
    for name in workload.cases[0].numbers:
        for number in interface.plain_numbers[name]:
            yield lambda case, name=name, number=number: case.model_copy(
                update={"numbers": case.numbers | {name: type(case.numbers[name])(number)}}
            )


def _batches(batch: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Return fewer leading dims, then smaller ones."""
    yield from ((), (2,), (1,), (0,)) if batch else ()
    for at, size in enumerate(batch):
        yield (*batch[:at], *batch[at + 1 :])
        yield from ((*batch[:at], small, *batch[at + 1 :]) for small in (0, 1, 2) if small < size)


def _resized(case: OwnCase, name: str, size: int) -> OwnCase:
    return case if case.sizes[name] <= size else case.model_copy(update={"sizes": case.sizes | {name: size}})


def _smaller(size: int) -> Iterator[int]:
    """Return smaller sizes: the smallest, then those that halve the way."""
    yield from (small for small in (0, 1, 2) if small < size)
    step = size // 2
    while step > 0:
        if size - step > 2:
            yield size - step
        step //= 2
