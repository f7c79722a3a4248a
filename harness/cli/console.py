"""What every command prints with."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def console() -> "Console":
    """Return a console on stdout: as wide as the terminal, or 200 columns in a pipe or a file."""
    from eagerdiff.harness.cli.plain_console import PlainConsole

    return PlainConsole(width=None if sys.stdout.isatty() else 200, highlight=False, markup=False, emoji=False)


def table(title: str, *columns: str, right: Sequence[str] = ()) -> "Table":
    """Return an empty table; the columns named in `right` hold numbers."""
    from rich import box
    from rich.table import Table

    made = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return made
