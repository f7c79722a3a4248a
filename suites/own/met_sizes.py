"""Sizes that were seen to change: equal ones get one name, those that follow from others a formula."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

Place = tuple[str, int]
"""Argument and dim; dim -1 is the argument itself, a Python integer."""
Sizes = tuple[int, ...]
"""Of one place, call by call."""
FEWEST = 3
"""Different sizes from which a formula is read: two lie on a line by chance."""


@dataclass
class Naming:
    """Hold what the sizes are called."""

    bases: dict[str, Sizes] = field(default_factory=dict[str, Sizes])
    """Sizes of their own."""
    formulas: dict[Place, str] = field(default_factory=dict[Place, str])
    """Of each place that changes."""


def name_sizes(places: Mapping[Place, Sizes], taken: Sequence[str] = ()) -> Naming:
    """Name the sizes of places that change; integers first, then dims from the smallest on."""
    found, used = Naming(), set(taken)
    changing = {place: sizes for place, sizes in places.items() if len(set(sizes)) > 1}
    for place in sorted(changing, key=lambda place: (place[1] >= 0, sum(changing[place]))):
        sizes = changing[place]
        formula = next(_formulas(sizes, found.bases, plain=place[1] < 0), None)
        if formula is None:
            formula = _free(place, used)
            used.add(formula)
            found.bases[formula] = sizes
        found.formulas[place] = formula
    return found


def _formulas(sizes: Sizes, bases: Mapping[str, Sizes], *, plain: bool) -> Iterator[str]:
    """Return what sizes may be made of, the simplest first."""
    yield from (name for name, base in bases.items() if base == sizes)
    if plain or len(set(sizes)) < FEWEST:
        return
    for name, base in bases.items():
        if (line := _line(base, sizes)) is not None:
            times, more = line
            yield (name if times == 1 else f"{times}*{name}") + (f"+{more}" if more else "")
    for (one, first), (other, second) in itertools.combinations(bases.items(), 2):
        rest = {size - a - b for size, a, b in zip(sizes, first, second, strict=True)}
        if len(rest) == 1 and (more := rest.pop()) >= 0:
            yield f"{one}+{other}" + (f"+{more}" if more else "")
        if all(size == a * b for size, a, b in zip(sizes, first, second, strict=True)):
            yield f"{one}*{other}"


def _line(base: Sizes, sizes: Sizes) -> tuple[int, int] | None:
    """Return the whole multiple of a base, and what is added, that sizes are."""
    (a, x), (b, y) = sorted(dict(zip(base, sizes, strict=True)).items())[:: max(1, len(set(base)) - 1)][:2]
    if (y - x) % (b - a):
        return None
    times = (y - x) // (b - a)
    more = x - times * a
    fits = all(size == times * one + more for one, size in zip(base, sizes, strict=True))
    return (times, more) if fits and times > 0 and more >= 0 else None


def _free(place: Place, used: set[str]) -> str:
    """Return a name that is not taken, which `Size` reads."""
    argument, dim = place
    text = argument.lower().strip("_")
    text = text if text[:1].isalpha() and text.isascii() else f"n{text if text.isascii() else ''}"
    name = text if dim < 0 else f"{text}_{dim}"
    others = (f"{name}_{count}" for count in itertools.count(2))
    return next(one for one in itertools.chain((name,), others) if one not in used)
