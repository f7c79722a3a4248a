"""How much worse than eager an implementation may be."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Tolerance:
    """Budget an implementation's error relative to the error eager itself makes in the case's dtype (DESIGN §4.3)."""

    ratio: float = 3.0
    """RMSE allowed, as a multiple of eager's RMSE against float64."""
    floor_ulps: float = 2.0
    """RMSE allowed besides, in units in the last place of the output's scale."""
    elementwise_ratio: float = 8.0
    """Largest elementwise error allowed, as a multiple of eager's largest in the same row."""
    elementwise_ulps: float = 8.0
    """Elementwise error allowed besides, in units in the last place of the sum of absolute terms."""
