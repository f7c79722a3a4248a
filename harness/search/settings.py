"""Settings: Hypothesis as the search needs it, whatever profile the surroundings have loaded."""

from typing import cast

from hypothesis import HealthCheck, Phase, Verbosity, settings
from hypothesis.database import ExampleDatabase

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


def search_settings(examples: int, kept: ExampleDatabase | None = None) -> settings:
    """Return the search's settings for a number of examples; what fails is kept in a database."""
    return settings(settings.get_profile(PROFILE), max_examples=examples, database=kept)


def reuse_settings(examples: int, kept: ExampleDatabase) -> settings:
    """Return the settings for examples of a database alone; one that fails is made smaller."""
    return settings(search_settings(examples, kept), phases=(Phase.reuse, Phase.shrink))


def profile_examples() -> int | None:
    """Return the `max_examples` of the Hypothesis profile that is loaded; None where that is Hypothesis' own."""
    loaded = settings.default.max_examples if settings.default is not None else None
    return None if loaded == settings.get_profile("default").max_examples else loaded
