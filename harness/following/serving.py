"""Serving: the page of a campaign that runs, read-only, to whoever has its token."""

import hmac
import secrets
import ssl
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from eagerdiff.harness.following.follower import Follower
from eagerdiff.harness.following.page import watch_page
from eagerdiff.harness.following.segments import in_short

REQUEST_SECONDS = 10.0
"""How long a caller may take to say what it wants."""
CALLERS = 32
"""Most that are answered at a time."""


class Watch:
    """Serve the page of one journal at an address; `close` ends it.

    Nothing but the page, and that with the token alone: who has none gets 403 and no word about anything. Raises
    OSError where the address is taken, `ssl.SSLError` for a certificate that cannot be used.
    """

    def __init__(
        self, follower: Follower, host: str, port: int, *, token: str = "", certificate: Path | None = None
    ) -> None:
        self.token = token or secrets.token_urlsafe(24)
        self._follower = follower
        self._lock = threading.Lock()
        self._callers = threading.BoundedSemaphore(CALLERS)
        self._server = ThreadingHTTPServer((host, port), self._handler())
        self._server.daemon_threads = True
        self._scheme = "http"
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._server.socket = context.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
            self._scheme = "https"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """The page's address, with its token."""
        host, port = self._server.server_address[:2]
        name = f"[{host}]" if ":" in str(host) else str(host)
        return f"{self._scheme}://{name}:{port}/?token={self.token}"

    def close(self) -> None:
        """End it."""
        self._server.shutdown()
        self._server.server_close()

    def page(self) -> str:
        """Return the page as it stands."""
        with self._lock:
            try:
                state, problem = self._follower.look(), ""
            except Exception as error:  # noqa: BLE001  a store may raise anything: said on the page, which stays
                state, problem = self._follower.state, f"cannot read the journal: {in_short(error)}"
            return watch_page(state, time.time(), problem)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        token, callers, page = self.token, self._callers, self.page

        class Handler(BaseHTTPRequestHandler):
            timeout = REQUEST_SECONDS
            server_version, sys_version = "eagerdiff", ""

            def do_GET(self) -> None:
                """Answer."""
                _answer(self, token, callers, page)

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing: an address holds the token."""

        return Handler


def _answer(
    request: BaseHTTPRequestHandler, token: str, callers: threading.BoundedSemaphore, page: Callable[[], str]
) -> None:
    address = urlsplit(request.path)
    given = parse_qs(address.query).get("token", [""])[0]
    if not hmac.compare_digest(given.encode(errors="replace"), token.encode()):
        _send(request, 403, "")
    elif address.path != "/":
        _send(request, 404, "")
    elif not callers.acquire(blocking=False):
        _send(request, 503, "")
    else:
        try:
            _send(request, 200, page())
        finally:
            callers.release()


def _send(request: BaseHTTPRequestHandler, status: int, text: str) -> None:
    data = text.encode()
    request.send_response(status)
    request.send_header("Content-Type", "text/html; charset=utf-8")
    request.send_header("Content-Length", str(len(data)))
    request.send_header("Cache-Control", "no-store")
    request.send_header("Referrer-Policy", "no-referrer")
    request.send_header("X-Content-Type-Options", "nosniff")
    request.send_header("X-Frame-Options", "DENY")
    request.end_headers()
    request.wfile.write(data)
