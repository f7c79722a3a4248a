"""A link: a TCP relay in front of a server, which can be slow and cut."""

import contextlib
import socket
import threading
import time

CHUNK = 4096


class Link:
    """Pass on what comes at a port of its own, at most so many bytes a second each way; 127.0.0.1 alone."""

    def __init__(self, to: int, bytes_a_second: float | None = None) -> None:
        self._to = to
        self._rate = bytes_a_second
        self._up = True
        self._open: set[socket.socket] = set()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def cut(self) -> None:
        """End all connections, and take none until it is mended."""
        self._up = False
        for one in list(self._open):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Take connections again."""
        self._up = True

    def _serve(self) -> None:
        while True:
            caller, _ = self._listening.accept()
            try:
                if not self._up:
                    raise ConnectionRefusedError
                server = socket.create_connection(("127.0.0.1", self._to), 5)
            except OSError:
                caller.close()
                continue
            for one, other in ((caller, server), (server, caller)):
                threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        self._open.add(one)
        with contextlib.suppress(OSError):
            while data := one.recv(CHUNK):
                if self._rate is not None:
                    time.sleep(len(data) / self._rate)
                other.sendall(data)
        self._open.discard(one)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        one.close()
