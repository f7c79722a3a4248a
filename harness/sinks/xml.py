"""XML: what stands in an element or an attribute; the writer escapes `<`, `&` and quotes."""

from eagerdiff.harness.sinks.visible import visible


def text(value: str) -> str:
    """Return a text that XML 1.0 can hold: many characters may not stand in it, even escaped."""
    return visible(value, lines=True)
