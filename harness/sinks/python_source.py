"""Python source: what stands in a comment of a script."""

import re

from eagerdiff.harness.sinks.visible import one_line

_DECLARES = re.compile(r"(coding)([:=])", re.IGNORECASE)
"""On the first two lines it names the file's encoding (PEP 263), wherever in a comment it stands."""


def comment(text: str, limit: int = 300) -> str:
    """Return a text as one line that may follow `# `, cut at a number of characters."""
    return _DECLARES.sub(r"\1 \2", one_line(text))[:limit]
