"""Names of cached blocks: a block is known by all tokens up to its end, and by what else its values depend on."""

import hashlib
from collections.abc import Sequence

ROOT = b""
"""Parent of a first block."""


def digest(parent: bytes, tokens: Sequence[int], extra_keys: Sequence[str]) -> bytes:
    """Return the SHA-256 of a full block, chained through its parent's.

    `extra_keys` are the adapter, the cache salt and the images of the request: equal tokens under other keys have
    other values (vLLM, "Automatic Prefix Caching"; CVE-2025-25183 is what a weaker hash costs).
    """
    chain = hashlib.sha256(parent)
    for token in tokens:
        chain.update(token.to_bytes(8, "little"))
    for key in extra_keys:
        encoded = key.encode()
        chain.update(len(encoded).to_bytes(8, "little") + encoded)
    return chain.digest()


def bucket(name: bytes, bits: int) -> int:
    """Return the first `bits` bits of a digest: what an index looks a block up by before it compares the whole."""
    return int.from_bytes(name, "big") >> (8 * len(name) - bits)
