"""File names: letters, digits and `_ . -`, neither hidden nor reserved, and not too long for any file system."""

import re

_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
"""Names of devices on Windows."""


def stem(text: str, limit: int = 120) -> str:
    """Return a text as the part of a file's name before its suffix, cut at a number of characters."""
    name = re.sub(r"[^A-Za-z0-9_.-]+", "-", text).lstrip(".-")[:limit].rstrip(".-") or "unnamed"
    return f"_{name}" if _RESERVED.fullmatch(name) else name
