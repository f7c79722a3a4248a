"""A small DeepSeek-V3-shaped decoder under continuous batching, in plain eager torch."""

from eagerdiff.reference.decoder.serving import decoder

__all__ = ["decoder"]
