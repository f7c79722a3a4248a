"""Durations: what people type for a budget."""

import pytest

from eagerdiff.harness.cli.duration import format_duration, parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("30s", 30),
        ("5m", 300),
        ("1h30m", 5400),
        ("1.5h", 5400),
        ("90", 90),
        ("2m 30s", 150),
        ("250ms", 0.25),
        (" 1H ", 3600),
    ],
)
def test_a_duration_reads(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize(
    "text", ["", "soon", "5 parsecs", "-3s", "-3", "0", "0s", "s", "1m30", "nan", "inf", "1e999", "5m?"]
)
def test_what_is_no_positive_duration_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]+$"):
        parse_duration(text)


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.84, "0.8s"), (12, "12s"), (250, "4m10s"), (3900, "1h05m"), (-1, "0.0s")]
)
def test_a_duration_prints(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text
