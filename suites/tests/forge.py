"""A stand-in for GitHub's API of issues, on a real socket, for the tests of what speaks to it."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

import pytest

from eagerdiff.harness.tracking import repository


class Forge(ThreadingHTTPServer):
    """Stand in for the API of one repository, as its documentation says that it answers."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.issues: list[dict[str, Any]] = []
        self.comments: list[str] = []
        self.asked: list[str] = []
        """Method and path of each request."""
        self.fails: list[int] = []
        """Codes with which the next requests are refused."""
        self.says: bytes | None = None
        """What it answers, where that is no issue."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def answer(self, method: str, path: str, data: dict[str, Any]) -> Any:
        at = urlsplit(path)
        where = at.path.removeprefix("/repos/acme/kernels/issues")
        if method == "GET":
            (label,) = parse_qs(at.query)["labels"]
            return [issue for issue in reversed(self.issues) if label in issue["labels"]]
        if method == "POST" and not where:
            number = len(self.issues) + 1
            self.issues.append(
                {"number": number, "html_url": f"https://forge/{number}", "state": "open", "extra": 1, **data}
            )
            return self.issues[-1]
        if method == "POST":
            self.comments.append(data["body"])
            return {"id": 1}
        issue = self.issues[int(where[1:]) - 1]
        issue.update(data)
        return issue


class _Answers(BaseHTTPRequestHandler):
    def _answer(self) -> None:
        forge = cast("Forge", self.server)
        forge.asked.append(f"{self.command} {urlsplit(self.path).path}")
        text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        code = forge.fails.pop(0) if forge.fails else 200
        if self.headers["Authorization"] != "Bearer secret":
            code = 401
        said = b"{}" if code != 200 else forge.says
        if said is None:
            said = json.dumps(forge.answer(self.command, self.path, json.loads(text or b"{}"))).encode()
        self.send_response(code)
        self.send_header("Location", "https://evil.example/")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    do_GET = do_POST = do_PATCH = _answer  # the names that http.server asks for

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def answering(monkeypatch: pytest.MonkeyPatch) -> Generator[Forge]:
    """Have a forge of the repository acme/kernels that the environment leads to, as a workflow's does."""
    made = Forge()
    monkeypatch.setenv("GITHUB_API_URL", made.address)
    monkeypatch.setenv("GITHUB_REPOSITORY", "acme/kernels")
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://forge")
    monkeypatch.setenv("GITHUB_RUN_ID", "7")
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    monkeypatch.setattr(repository, "PAUSES", (0.0, 0.0))
    Thread(target=made.serve_forever, args=(0.01,), daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()
