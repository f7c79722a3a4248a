"""Kernel coverage: what calls reached of a kernel's source, and of what it may be called with."""

from collections.abc import Mapping

Places = dict[str, dict[str, bool]]
"""A place (`line 66: if CAUSAL`, `line 46: for start in …`, `constexpr TILE_M`) → state → reached?."""
TRIPS = ("0", "1", "2", "many")
"""States of a loop, and of a launch: how often it ran, how many programs it had."""


def add_places(known: dict[str, Places], found: Mapping[str, Places]) -> None:
    """Add what was found of kernels to what is known of them, by name of the function."""
    for kernel, places in found.items():
        for place, states in places.items():
            held = known.setdefault(kernel, {}).setdefault(place, {})
            for state, reached in states.items():
                held[state] = held.get(state, False) or reached
