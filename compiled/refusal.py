"""Refusals: what torch's exceptions name, as guards and constants over declared sizes."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from eagerdiff.compiled.guard import renamed
from eagerdiff.harness.internals import dynamo_errors

_GENERATED = re.compile(r"in the specified range(?: .*?)? satisfy the generated guard (.+?)\.?$", re.MULTILINE)
_SIZE = r"(?:.*? = )?(L\[.*?\]\.size\(\)\[\d+\])"
_EQUAL = re.compile(rf"The values of {_SIZE} and {_SIZE} must always be equal", re.MULTILINE)
_CONSTANT = re.compile(r"You marked (.+?) as dynamic but your code specialized it to be a constant \((\d+)\)")
_INFERRED = re.compile(r"are valid because (\S+) was inferred to be a constant \((\d+)\)")
_HINTED = re.compile(
    r"export 0/1 specialized due to hint of (\d+) for dimension inputs(?:\['args'\])?\[(\d+)\]\.shape\[(\d+)\]"
)
"""What export says of a `Dim.DYNAMIC` whose example is 0 or 1."""
_FAILED = re.compile(r"^Guard failed: (.+)$", re.MULTILINE)
_PACKAGED = re.compile(
    r"input_handles\[(\d+)\]: dim value is too (small|large) at (\d+), expected (?:it )?to be (?:>=|<=) (\d+)"
)
"""What an AOTInductor package says of a size that it was not compiled for."""
_EXPECTED = re.compile(
    r"Expected input at \*args\[(\d+)\](?:\.shape\[(\d+)\])? to be (equal to|>=|<=) (-?[\w.]+), but got"
)
"""What an unflattened program says of a number or a size that it was not exported for."""
_DATA = re.compile(r"data-dependent (?:expression|branching|decision|control flow)", re.IGNORECASE)

Naming = Callable[[str, int], str]
"""Formula of a dim, by its argument's position or name and its number."""


@dataclass(frozen=True)
class Refusal:
    """Hold what an exception names."""

    demanded: tuple[str, ...] = ()
    """Guards that not all declared sizes meet, it says."""
    failed: tuple[str, ...] = ()
    """Guards that this call does not meet."""
    packaged: tuple[str, ...] = ()
    """Those that a package adds of its own: it is asked only where the exported program's guards are met."""
    constants: tuple[tuple[str, int], ...] = ()
    """Formulas of dims, and the number that each became."""


def read(error: BaseException, size: Naming) -> Refusal:
    """Read a message; sizes become the formulas that were declared, a Python number the name `number_<position>`."""
    text = str(error)
    equal = (f"{left} == {right}" for left, right in _EQUAL.findall(text))
    hinted = ((f"args_{at}.size()[{dim}]", number) for number, at, dim in _HINTED.findall(text))
    constants = (*_CONSTANT.findall(text), *_INFERRED.findall(text), *hinted)
    packaged = (
        f"args_{at}.size()[{dim}] {'>=' if which == 'small' else '<='} {bound}"
        for at, which, dim, bound in _PACKAGED.findall(text)
    )
    expected = (
        f"args_{at}{f'.size()[{dim}]' if dim else ''} {'==' if which == 'equal to' else which} {wanted}"
        for at, dim, which, wanted in _EXPECTED.findall(text)
    )
    return Refusal(
        demanded=tuple(_renamed((*_GENERATED.findall(text), *equal), size)),
        failed=tuple(_renamed((*_FAILED.findall(text), *expected), size)),
        packaged=tuple(_renamed(tuple(packaged), size)),
        constants=tuple((one, int(number)) for one, (_, number) in zip(_dims(constants, size), constants, strict=True)),
    )


def _renamed(texts: "tuple[str, ...] | list[str]", size: Naming) -> Iterator[str]:
    return (renamed(text, size, lambda position: f"number_{position}") for text in texts)


def _dims(constants: tuple[tuple[str, str], ...], size: Naming) -> Iterator[str]:
    return _renamed([dim for dim, _ in constants], size)


def named(patterns: Iterable[str], text: str) -> str:
    """Return what the first pattern that is found names by its group, in one line; empty where none is found."""
    found = (re.search(pattern, text) for pattern in patterns)
    return next((" ".join(one[1].split()) for one in found if one), "")


def breaks_graph(error: BaseException) -> bool:
    """Whether Dynamo says that it would break the graph there."""
    return isinstance(error, dynamo_errors.Unsupported) or "graph break" in str(error).lower()


def depends_on_data(error: BaseException) -> bool:
    """Whether torch refuses to decide something whose value it knows only when the data are."""
    return _DATA.search(str(error)) is not None
