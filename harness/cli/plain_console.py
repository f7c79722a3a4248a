"""A console that shows texts as they are: none of them acts on the terminal."""

from typing import Any

from rich.console import Console
from rich.text import Text

from eagerdiff.harness.sinks import terminal


class PlainConsole(Console):
    """Print with rich's tables and bars; every text in them passes here."""

    def render_str(self, text: str, **options: Any) -> Text:
        """Return a text as rich shows it, with escapes in the place of what would act."""
        return super().render_str(terminal.lines(text), **options)
