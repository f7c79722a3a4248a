"""Hypothesis' settings for tests that draw examples: the same ones in every run, none of them shrunk."""

import os

from hypothesis import HealthCheck, Phase, settings

FEW = settings(
    max_examples=int(os.environ.get("EAGERDIFF_TEST_EXAMPLES", "25")),
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large),
)
"""`make test-all` draws more."""
CHOOSY = settings(FEW, suppress_health_check=(*FEW.suppress_health_check, HealthCheck.filter_too_much))
"""For tests that leave out most of what a strategy draws."""
