"""The terminal: no text may move the cursor, set the title or the clipboard, or turn its direction."""

from eagerdiff.harness.sinks.visible import one_line, visible


def line(text: str) -> str:
    """Return a text as one line."""
    return one_line(text)


def lines(text: str) -> str:
    """Return a text with its line breaks."""
    return visible(text, lines=True)
