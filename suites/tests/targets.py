"""GPUs that tests compile for: one in a default run, all with `make test-all`."""

import pytest

SHARED = {"sm_80": 166912, "sm_90": 232448, "sm_100": 232448, "gfx942": 65536}
"""Bytes of shared memory that a block may have, by target."""
USUAL = "sm_90"
TARGETS = [pytest.param(name, marks=() if name == USUAL else pytest.mark.slow) for name in SHARED]
