"""HTML: what a template writes; Jinja's autoescape takes care of `<`, `&` and quotes."""

import base64
import hashlib
import re
from typing import Any

from markupsafe import Markup

from eagerdiff.harness.sinks.visible import visible

_PATH = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*")
_PAGE = re.compile(r"https://[a-z0-9.-]+(/[A-Za-z0-9_.~-]+)*/?(#[A-Za-z0-9_.-]+)?")
_ALONE = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def policy(script: str) -> str:
    """Return what a browser may do with a page of ours: show it, and run one script that stands in it."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"{_ALONE}; script-src 'sha256-{digest}'"


def finalize(value: Any) -> Any:
    """Return what a template is about to write, a text without characters that act."""
    return visible(value, lines=True) if isinstance(value, str) and not isinstance(value, Markup) else value


def link(path: str) -> str:
    """Return the path of a file beside the page as an address; empty for anything else."""
    return path if _PATH.fullmatch(path) else ""


def web_page(address: str) -> str:
    """Return the address of a page on the web; empty for anything else, and for what asks or logs in."""
    return address if _PAGE.fullmatch(address) else ""
