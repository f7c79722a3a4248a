"""A repository's issues, by GitHub's REST API: https://docs.github.com/en/rest/issues."""

import json
import time
from collections.abc import Mapping
from email.message import Message
from http.client import HTTPException
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from pydantic import BaseModel
from typing_extensions import TypeVar

from eagerdiff.harness.reading import ANSWER, Unreadable, fitted, parse_json

ModelT = TypeVar("ModelT", bound=BaseModel)

SECONDS = 30.0
"""For one answer."""
PAUSES = (1.0, 4.0)
"""Seconds before a request that the server could not answer is made again. One that was refused is not."""
HELP = {
    301: "the repository has another name now: name that one",
    307: "the repository has another name now: name that one",
    308: "the repository has another name now: name that one",
    401: "the token in GITHUB_TOKEN is not valid",
    403: "the token in GITHUB_TOKEN may not: give its job `permissions: {issues: write}`",
    404: "there is no such repository, or the token in GITHUB_TOKEN may not see it",
    410: "the repository has no issues: turn them on in its settings",
}


class Refused(Exception):
    """Say in one line why an issue could not be read or written, and what to do."""


class Issue(BaseModel):
    """One issue, as the API tells of it."""

    number: int
    html_url: str
    state: str
    """open or closed."""
    body: str | None = None
    pull_request: Any = None
    """Not none where it is a pull request: the API lists those, too."""


class _Issues(BaseModel):
    issues: list[Issue]


class Repository:
    """Read and write the issues of one repository.

    `name` is owner/name, `api` the address of the API, `token` one that may write issues. Every method raises Refused.
    """

    def __init__(self, name: str, token: str, api: str = "https://api.github.com") -> None:
        owner, _, project = name.partition("/")
        if not owner or not project or "/" in project:
            raise Refused(f"{name[:100]!r} is no repository: write owner/name")
        if urlsplit(api).scheme not in ("http", "https"):
            raise Refused(f"{api[:100]!r} is no address of an API: write https://…")
        if not token.isascii() or not token.isprintable() or not token:
            raise Refused("GITHUB_TOKEN is not set, or holds no token: set it to one that may write issues")
        self.name = name
        self._issues = f"{api.rstrip('/')}/repos/{quote(owner, safe='')}/{quote(project, safe='')}/issues"
        self._token = token
        self._opener = build_opener(_NoRedirect)

    def issues(self, label: str) -> list[Issue]:
        """Return the newest hundred issues with a label, open or closed, those made last first."""
        asked = {"labels": label, "state": "all", "sort": "created", "direction": "desc", "per_page": "100"}
        found = self._read(_Issues, {"issues": self._ask("GET", f"?{urlencode(asked)}")})
        return [issue for issue in found.issues if issue.pull_request is None]

    def open(self, title: str, body: str, label: str) -> Issue:
        """Open an issue; a label that is not there is made."""
        return self._read(Issue, self._ask("POST", "", {"title": title, "body": body, "labels": [label]}))

    def change(self, issue: Issue, title: str, body: str, state: str) -> Issue:
        """Write an issue anew, and open or close it."""
        return self._read(Issue, self._ask("PATCH", f"/{issue.number}", {"title": title, "body": body, "state": state}))

    def comment(self, issue: Issue, body: str) -> None:
        """Add a comment, which those who watch the repository are told of."""
        self._ask("POST", f"/{issue.number}/comments", {"body": body})

    def _ask(self, method: str, path: str, data: Mapping[str, Any] | None = None) -> Any:
        """Make a request and return the JSON that answers it; one that writes is made once, lest it be done twice."""
        pauses = [*PAUSES, None] if method != "POST" else [None]
        for pause in pauses:
            try:
                return self._answer(method, path, data)
            except HTTPError as error:
                said = HELP.get(error.code, f"the server answers {error.code} {error.reason}")
                failed, again = said, error.code >= 500
            except (URLError, HTTPException, OSError) as error:
                failed, again = f"no answer: {getattr(error, 'reason', None) or error}", True
            if pause is None or not again:
                raise Refused(f"{self.name}: {failed}")
            time.sleep(pause)
        raise AssertionError("the last pause is none")

    def _answer(self, method: str, path: str, data: Mapping[str, Any] | None) -> Any:
        headers = {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {self._token}",
            "User-Agent": "eagerdiff",
            "X-GitHub-Api-Version": "2022-11-28",
        }
        body = None if data is None else json.dumps(data).encode()
        request = Request(self._issues + path, data=body, headers=headers, method=method)
        with self._opener.open(request, timeout=SECONDS) as response:
            text = response.read(ANSWER.size + 1)
        try:
            return parse_json(text, ANSWER)
        except Unreadable as error:
            raise Refused(f"{self.name}: the server's answer {error}") from error

    def _read(self, model: type[ModelT], data: Any) -> ModelT:
        try:
            return fitted(model, data)
        except Unreadable as error:
            raise Refused(f"{self.name}: the server's answer {error}") from error


class _NoRedirect(HTTPRedirectHandler):
    """Follow nothing: a token goes to the address that was named, and nowhere else."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> Request | None:
        return None
