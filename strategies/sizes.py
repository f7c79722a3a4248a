"""Sizes: integers that favour the edges where kernels and compilers go wrong."""

from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

_PRIMES = (3, 7, 13, 31, 61, 97, 127, 257, 509, 1021, 2039, 4093, 8191)
_MULTIPLES_OF_16 = (16, 32, 48, 80)


def sizes(*, min_value: int = 0, max_value: int, edges: Sequence[int] = ()) -> st.SearchStrategy[int]:
    """Draw an integer in [min_value, max_value], about every second time from `edge_sizes`; shrinks towards min_value.

    One integer is drawn, so any failing edge shrinks freely through the values in between.
    Raises InvalidArgument for bounds that are negative or cross, and for an edge below 1.
    """
    _check(min_value, max_value, edges)
    favoured = edge_sizes(min_value=min_value, max_value=max_value, edges=edges)
    plain = max_value - min_value + 1
    repeats = -(-plain // len(favoured))

    def pick(index: int) -> int:
        return min_value + index if index < plain else favoured[(index - plain) % len(favoured)]

    return st.integers(0, plain + repeats * len(favoured) - 1).map(pick)


def edge_sizes(*, min_value: int = 0, max_value: int, edges: Sequence[int] = ()) -> tuple[int, ...]:
    """Return, in order, the sizes that `sizes` favours: the bounds, 0, 1, 2, each edge and its double ±1, and others.

    The others are multiples of 16 ±1, primes, powers of two and one more. Raises InvalidArgument as `sizes` does.
    """
    _check(min_value, max_value, edges)
    powers = [2**power for power in range(2, max_value.bit_length() + 1)]
    centres = {*edges, *(2 * edge for edge in edges), *_MULTIPLES_OF_16}
    around = {centre + offset for centre in centres for offset in (-1, 0, 1)}
    candidates = {min_value, max_value, 0, 1, 2, *around, *_PRIMES, *powers, *(power + 1 for power in powers)}
    return tuple(sorted(size for size in candidates if min_value <= size <= max_value))


def _check(min_value: int, max_value: int, edges: Sequence[int]) -> None:
    if min_value < 0:
        raise InvalidArgument(f"min_value={min_value} is negative")
    if max_value < min_value:
        raise InvalidArgument(f"max_value={max_value} is below min_value={min_value}")
    if any(edge < 1 for edge in edges):
        raise InvalidArgument(f"edges={tuple(edges)} must be 1 or more")
