"""`python -m eagerdiff.harness.cli` is the command `eagerdiff`."""

from eagerdiff.harness.cli import main

main()
