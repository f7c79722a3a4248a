"""GPUs that tests compile for: one in a default run, all with `make test-all`."""

from eagerdiff.suites.tests.usual import others_slow

SHARED = {"sm_80": 166912, "sm_90": 232448, "sm_100": 232448, "gfx942": 65536}
"""Bytes of shared memory that a block may have, by target."""
TARGETS = others_slow(SHARED, ("sm_90",))
