"""The command `eagerdiff`: one command a file. Nothing here imports torch before a command needs it."""

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 nothing new, 1 a new finding, 2 it could not run, with why in one line."""
    from eagerdiff.harness.cli.application import invoke
    from eagerdiff.harness.cli.stdout import open_standard_descriptors

    open_standard_descriptors()
    sys.exit(invoke(list(sys.argv[1:] if arguments is None else arguments)))
