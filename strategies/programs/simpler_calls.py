"""Simpler calls of the same code: smaller sizes, then plainer layouts, values and numbers."""

from collections.abc import Iterator, Mapping, Sequence

from eagerdiff.strategies.programs.sized_case import SizedCaseT


def simpler_calls(cases: Sequence[SizedCaseT], floors: Mapping[str, int]) -> Iterator[list[SizedCaseT]]:
    """Return the calls with smaller sizes, no smaller than their floors, and with plainer data."""
    for name, least in floors.items():
        for most in (least, least + 1, 2, 3, 4, 8):
            yield [_sized(case, name, min(case.sizes[name], max(most, least))) for case in cases]
        for at, case in enumerate(cases):
            for size in (least, least + 1, 2, case.sizes[name] // 2, case.sizes[name] - 1):
                if least <= size < case.sizes[name]:
                    yield [*cases[:at], _sized(case, name, size), *cases[at + 1 :]]
    for field, plain in (("layouts", "contiguous"), ("fills", "normal"), ("numbers", 1.0)):
        yield [case.model_copy(update={field: tuple(plain for _ in getattr(case, field))}) for case in cases]
        for position in range(len(getattr(cases[0], field))):
            yield [_with(case, field, position, plain) for case in cases]
    yield [case.model_copy(update={"seed": 0}) for case in cases]


def _sized(case: SizedCaseT, name: str, size: int) -> SizedCaseT:
    return case.model_copy(update={"sizes": {**case.sizes, name: size}})


def _with(case: SizedCaseT, field: str, position: int, plain: object) -> SizedCaseT:
    values = list(getattr(case, field))
    if position < len(values):
        values[position] = plain
    return case.model_copy(update={field: tuple(values)})
