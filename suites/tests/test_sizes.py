"""Sizes favour edges, stay in bounds and shrink."""

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from eagerdiff.strategies.sizes import edge_sizes, sizes
from eagerdiff.suites.tests.examples import FEW

THOROUGH = settings(max_examples=2000, database=None, derandomize=True)


@pytest.mark.parametrize("wanted", [0, 1, 2, 23, 24, 25, 47, 48, 49, 15, 17, 61, 129, 1000])
def test_every_edge_is_drawn(wanted: int) -> None:
    assert find(sizes(max_value=1000, edges=(24,)), wanted.__eq__, settings=THOROUGH) == wanted


@pytest.mark.parametrize("least", [12, 17, 48, 700])
def test_an_edge_shrinks_to_the_least_size_that_fails(least: int) -> None:
    assert find(sizes(max_value=4096, edges=(16,)), least.__le__, settings=THOROUGH) == least


@given(st.integers(0, 50), st.integers(0, 5000), st.data())
@settings(FEW, max_examples=100)
def test_sizes_stay_in_bounds(low: int, more: int, data: st.DataObject) -> None:
    assert low <= data.draw(sizes(min_value=low, max_value=low + more, edges=(16, 5))) <= low + more


def test_edge_sizes_are_ordered_and_bounded() -> None:
    edges = edge_sizes(min_value=3, max_value=40, edges=(10,))
    assert list(edges) == sorted(set(edges))
    assert {3, 9, 10, 11, 15, 16, 17, 19, 20, 21, 33, 40} <= set(edges)
    assert edges[0] == 3
    assert edges[-1] == 40


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ({"min_value": -1, "max_value": 3}, "negative"),
        ({"min_value": 4, "max_value": 3}, "below"),
        ({"max_value": 3, "edges": (0,)}, "edges"),
    ],
)
def test_invalid_arguments_are_refused(bounds: dict[str, int], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        sizes(**bounds)  # pyright: ignore[reportArgumentType]
