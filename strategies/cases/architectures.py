"""One call of a published architecture, as data."""

from typing import Literal

from eagerdiff import Case, dynamic, static


class ArchitectureCase(Case):
    """Describe one call of one architecture, whose weights are random and stay."""

    architecture: str = static()
    """Which, by its name in `eagerdiff.reference.architectures`."""
    dtype: Literal["float32", "float16"] = static("float32")
    """Of weights and images."""
    batch: int = dynamic(ge=1)
    """Rows, or images."""
    seq: int = dynamic(ge=1)
    """Tokens a row, or an image's sides as a multiple of the least."""
