"""Settings: Hypothesis as the search needs it, whatever profile the surroundings have loaded."""

from typing import Any, cast

from hypothesis import HealthCheck, Phase, Verbosity, settings
from hypothesis.internal.conjecture import providers

PROFILE = "eagerdiff"

settings.register_profile(
    PROFILE,
    settings(
        backend="hypothesis",
        database=None,
        deadline=None,
        derandomize=False,
        phases=(Phase.generate, Phase.shrink),  # never explain: it traces every line of what runs
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=[cast(HealthCheck, check) for check in HealthCheck],
        verbosity=Verbosity.quiet,
    ),
)


def search_settings(examples: int) -> settings:
    """Return the search's settings for a number of examples."""
    return settings(settings.get_profile(PROFILE), max_examples=examples)


def forget_local_constants() -> None:
    """Keep Hypothesis from mixing literals of whichever modules are loaded into what it draws.

    With them one seed gives different draws in two processes. A Hypothesis without the mechanism is left as it is.
    """
    internals = cast(Any, providers)  # no public switch exists
    if not hasattr(internals, "_get_local_constants") or internals._get_local_constants is _no_constants:
        return
    internals._get_local_constants = _no_constants
    cache = internals.CONSTANTS_CACHE  # one for each thread: every thread's is to go
    internals.CONSTANTS_CACHE = type(cache)(cache.max_size)


def _no_constants() -> Any:
    return cast(Any, providers).Constants()
