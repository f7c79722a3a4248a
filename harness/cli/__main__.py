"""`python -m harness.cli` is the command `eagerdiff`."""

from harness.cli import main

main()
