"""Markdown: a text inside a line, a table's cell or a list's item, that stays a text.

What is more than plain words goes into a code span, where nothing is markup: no image, link, HTML, mention or address.
https://spec.commonmark.org/0.31.2/#code-spans and https://github.github.com/gfm/#tables-extension-
"""

import re

from eagerdiff.harness.sinks.visible import one_line, visible

_PLAIN = re.compile(r"[A-Za-z0-9(][A-Za-z0-9 ,;:%='()/.+\u00a0-\U0010ffff-]*")
_ADDRESS = re.compile(r"://|www\.|^\d+[.)](?: |$)|:[a-z0-9+-]+:", re.IGNORECASE)
"""What is a link, the beginning of a list, or an emoji, without a bracket."""
_WORDS = re.compile(r"[A-Za-z0-9]+(?:[_.+-]+[A-Za-z0-9]+)*")
"""A name: underscores inside a word are no emphasis."""


def text(value: str, limit: int = 200) -> str:
    """Return a text as one line of Markdown, cut at a number of characters; an empty one stays empty."""
    value = one_line(value)[:limit].strip()
    plain = not value or _PLAIN.fullmatch(value) or _WORDS.fullmatch(value)
    return value if plain and not _ADDRESS.search(value) else _code(value)


def _code(value: str) -> str:
    """Return a code span; a bar in it does not end a table's cell, whatever stands before it."""
    value = re.sub(r"\\(?=\\*\|)", r"\\ ", value).replace("|", "\\|")
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", value)), default=0))
    blank = " " if value.startswith("`") or value.endswith("`") else ""
    return f"{fence}{blank}{value}{blank}{fence}"


def block(value: str, language: str = "") -> str:
    """Return a text with its line breaks as a fenced code block, which nothing in it ends."""
    value = visible(value, lines=True).rstrip("\n")
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", value)), default=0))
    return f"{fence}{language}\n{value}\n{fence}"
