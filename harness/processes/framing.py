"""Framing: messages cut out of a stream of bytes that something else may have written to."""

MOST = 1 << 28
"""Bytes of the longest message; what begins with a longer one's length is text that was never meant for us."""
_HEADER = 4


class Unreadable(Exception):
    """Tell that what came on a channel is no message of the harness's."""


class Frames:
    """Cut what `multiprocessing.connection.Connection.send_bytes` wrote out of a stream, without waiting for more."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> None:
        """Take in what came."""
        self._bytes += data

    def next(self) -> bytes | None:
        """Return the next whole message, None where there is none yet; raise Unreadable for an impossible length."""
        if len(self._bytes) < _HEADER:
            return None
        length = int.from_bytes(self._bytes[:_HEADER], "big")
        if length > MOST:
            raise Unreadable(f"it begins with {bytes(self._bytes[:32])!r}")
        if len(self._bytes) < _HEADER + length:
            return None
        message = bytes(self._bytes[_HEADER : _HEADER + length])
        del self._bytes[: _HEADER + length]
        return message
