"""Names of cached blocks: a block is known by all tokens up to its end, and by what else its values depend on."""

import hashlib
from collections.abc import Sequence

ROOT = b""
"""Parent of a first block."""
Key = str | int | bytes
"""What a request's values depend on besides its tokens; 1, "1" and b"1" are three keys."""


def digest(parent: bytes, tokens: Sequence[int], extra_keys: Sequence[Key]) -> bytes:
    """Return the SHA-256 of a full block, chained through its parent's.

    `extra_keys` are the adapter, the cache salt and the images of the request: equal tokens under other keys have
    other values (vLLM, "Automatic Prefix Caching"; CVE-2025-25183 is what a weaker hash costs).
    """
    chain = hashlib.sha256(parent)
    for token in tokens:
        chain.update(token.to_bytes(8, "little"))
    for key in extra_keys:
        kind, encoded = _encode(key)
        chain.update(kind + len(encoded).to_bytes(8, "little") + encoded)
    return chain.digest()


def _encode(key: Key) -> tuple[bytes, bytes]:
    """Return a key's type and its bytes."""
    if isinstance(key, bytes):
        return b"b", key
    return (b"s", key.encode()) if isinstance(key, str) else (b"i", str(key).encode())


def bucket(name: bytes, bits: int) -> int:
    """Return the first `bits` bits of a digest: what an index looks a block up by before it compares the whole."""
    return int.from_bytes(name, "big") >> (8 * len(name) - bits)
