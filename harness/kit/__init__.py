"""Kits: a finding's script with all that a maintainer asks for, in a folder that is ready to file. Nothing is sent."""

from eagerdiff.harness.kit.benches import Benches
from eagerdiff.harness.kit.kept import known_causes, note_on
from eagerdiff.harness.kit.kit import Kernel, Kit, Output, Similar
from eagerdiff.harness.kit.making import FILE, Surroundings, make, read_kit
from eagerdiff.harness.kit.similar import Index, IssuesError, Known, read_issues

__all__ = [
    "FILE",
    "Benches",
    "Index",
    "IssuesError",
    "Kernel",
    "Kit",
    "Known",
    "Output",
    "Similar",
    "Surroundings",
    "known_causes",
    "make",
    "note_on",
    "read_issues",
    "read_kit",
]
