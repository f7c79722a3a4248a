"""How much worse than eager an implementation may be."""

import math
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Tolerance:
    """Budget an implementation's error relative to the error eager itself makes in the case's dtype.

    An ulp is `torch.finfo(dtype).eps` times a scale: twice the largest rounding error of one operation.
    """

    ratio: float = 3.0
    """RMSE allowed, as a multiple of eager's RMSE against float64.

    Two honest orders of summation differ by less than two in RMSE once there are more than a few elements; few
    elements are met by `prior` below, not by a larger ratio.
    """
    floor_ulps: float = 1.5
    """RMSE allowed besides, in ulps of the output's RMS.

    One rounding of the output costs 0.2 to 0.29 ulp of RMS; a kernel that also rounds its probabilities or its hidden
    activations to the narrow dtype makes at most four such roundings in quadrature, 0.6 ulp.
    """
    elementwise_ratio: float = 8.0
    """Largest elementwise error allowed, as a multiple of eager's largest in the same row."""
    elementwise_ulps: float = 2.5
    """Elementwise error allowed besides, in ulps of the sum of absolute terms.

    Every rounding of every term to the narrow dtype costs half an ulp of that sum at worst: four roundings of each term
    and one of the output are met with no luck needed.
    """
    accumulation: float = 8.0
    """Factor on both floors where the dtype accumulates in itself (float32 and float64).

    There the order of summation, not the last rounding, makes the error: it grows like the square root of the number
    of terms, sequential against pairwise. float16, bfloat16 and fp8 have wider accumulators and do not need it.
    """
    prior: float = 8.0
    """How many pseudo-observations of a one-ulp error are added to eager's own before its RMSE is taken.

    With a handful of elements eager is exact by luck now and then; with hundreds its RMSE stands for itself.
    """
    prior_until: float = math.inf
    """Elements from which on there are none of them; up to there they become fewer."""

    def of_wide_sums(self) -> "Tolerance":
        """Return the budget of who sums narrow terms in float32: roundings of what is stored, and no others.

        Eager rounds what it stores as often as a kernel does or more often; a sum in the narrow dtype makes an error
        that grows with the number of terms, or with the largest of the sums on the way. Pseudo-observations, which
        have the size of the terms and not of the sum, would forgive the latter.
        """
        tighter = {"ratio": 2.0, "floor_ulps": 0.75, "prior_until": 64.0}
        return replace(self, **{name: min(getattr(self, name), value) for name, value in tighter.items()})
