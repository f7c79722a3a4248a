"""Durations as people type them: 30s, 5m, 1h30m, 90."""

import math
import re

_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|h|m|s)")


def parse_duration(text: str) -> float:
    """Return the seconds that `30s`, `5m`, `1h30m`, `1.5h` or a plain number of seconds means.

    Raises ValueError, in one line, for what is not a duration and for one that is not positive.
    """
    compact = "".join(text.split()).lower()
    seconds = _plain(compact) if not compact.endswith(tuple("hms")) else _sum(compact)
    if seconds is None or not math.isfinite(seconds):
        raise ValueError(f"not a duration: {text!r} (write 30s, 5m, 1h30m or a number of seconds)")
    if seconds <= 0:
        raise ValueError(f"a duration must be positive, not {text!r}")
    return seconds


def format_duration(seconds: float) -> str:
    """Return seconds as `1h05m`, `4m10s`, `12s` or `0.8s`."""
    if seconds < 10:
        return f"{max(seconds, 0.0):.1f}s"
    hours, rest = divmod(round(seconds), 3600)
    minutes, whole = divmod(rest, 60)
    if hours:
        return f"{hours}h{minutes:02d}m"
    return f"{minutes}m{whole:02d}s" if minutes else f"{whole}s"


def _plain(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _sum(text: str) -> float | None:
    sign = -1.0 if text.startswith("-") else 1.0
    body = text.removeprefix("-")
    parts = _PART.findall(body)
    if "".join(number + unit for number, unit in parts) != body:
        return None
    return sign * sum(float(number) * _UNITS[unit] for number, unit in parts)
