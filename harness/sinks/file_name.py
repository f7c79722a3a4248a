"""File names: letters, digits and `_ . -`, neither hidden nor reserved, and not too long for any file system."""

import re
from keyword import iskeyword

_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
"""Names of devices on Windows."""


def stem(text: str, limit: int = 120) -> str:
    """Return a text as the part of a file's name before its suffix, cut at a number of characters."""
    name = re.sub(r"[^A-Za-z0-9_.-]+", "-", text).lstrip(".-")[:limit].rstrip(".-") or "unnamed"
    return f"_{name}" if _RESERVED.fullmatch(name) else name


def module_stem(text: str) -> str:
    """Return a text as the name of a Python module: what is kept in a package must be importable by name."""
    name = re.sub(r"[^A-Za-z0-9_]", "_", stem(text))
    return name if name.isidentifier() and not iskeyword(name) else f"_{name}"
