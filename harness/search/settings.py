"""Settings: Hypothesis as the search needs it, whatever profile the surroundings have loaded."""

from typing import cast

from hypothesis import HealthCheck, Phase, Verbosity, settings

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


def profile_examples() -> int | None:
    """Return the `max_examples` of the Hypothesis profile that is loaded; None where that is Hypothesis' own."""
    loaded = settings.default.max_examples if settings.default is not None else None
    return None if loaded == settings.get_profile("default").max_examples else loaded
