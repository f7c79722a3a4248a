"""Covering arrays: calls in which rare features meet, beside those that are drawn independently."""

import functools
from collections.abc import Collection, Mapping
from itertools import combinations
from typing import Any

from hypothesis import strategies as st

from eagerdiff import Covering

_STEERED = st.sampled_from((False, False, False, True))
"""Whether a call is asked for a row: such calls have more features, and cost two or three times as much."""
_KEEP = st.sampled_from((False, True, True, True, True, True, True, True))
"""Whether a feature of a row is kept: Hypothesis makes a failing call simpler by leaving one after another out."""


@st.composite
def steered(draw: st.DrawFn, covering: Covering[Any], halved: Collection[str] = ()) -> dict[str, str]:
    """Draw what is asked of a call: in three draws of four nothing, else a row of the covering array, most of it.

    A row has a value for each feature; what is not kept has its usual one. Of those that are `halved` every other one
    is kept: most of the code is met with their usual value alone. Shrinks to nothing, and to usual values.
    """
    if not draw(_STEERED):
        return {}
    asked = usual(covering)
    row = draw(st.sampled_from(covering_array(covering)))
    return asked | {
        name: value
        for name, value in row.items()
        if value != asked[name] and draw(st.booleans() if name in halved else _KEEP)
    }


def usual(covering: Covering[Any]) -> dict[str, str]:
    """Return the usual value of each feature."""
    return {name: values[0] for name, values in covering.features.items()}


@functools.cache
def covering_array(covering: Covering[Any]) -> tuple[Mapping[str, str], ...]:
    """Return rows with a value for each feature, such that each pair that goes together stands in one of them.

    Greedy, a row at a time, from a pair that is still missing (AETG: Cohen and others, 1997).
    """
    names = list(covering.features)
    together = frozenset(covering.pairs)
    missing = dict.fromkeys(covering.pairs)
    rows: list[Mapping[str, str]] = []

    def pair(one: tuple[int, str], other: tuple[int, str]) -> tuple[str, str]:
        (_, first), (_, second) = sorted((one, other))
        return first, second

    places = {
        covering.setting(name, value): (index, covering.setting(name, value))
        for index, name in enumerate(names)
        for value in covering.features[name]
    }
    while missing:
        row = [places[one] for one in next(iter(missing))]
        # Begins elsewhere in each row: no feature is always the last, which takes what the others leave it.
        for index in ((len(rows) + step) % len(names) for step in range(len(names))):
            if any(index == taken for taken, _ in row):
                continue
            best, most = None, -1
            values = covering.features[names[index]]
            for value in (values[(len(rows) + step) % len(values)] for step in range(len(values))):
                candidate = index, covering.setting(names[index], value)
                met = [pair(candidate, other) for other in row]
                if all(one in together for one in met) and (new := sum(one in missing for one in met)) > most:
                    best, most = candidate, new  # of equals another one in each row
            if best is not None:
                row.append(best)
        row.sort()
        for met in combinations((text for _, text in row), 2):
            missing.pop(met, None)
        rows.append(usual(covering) | {names[index]: text.partition("=")[2] for index, text in row})
    return tuple(rows)
