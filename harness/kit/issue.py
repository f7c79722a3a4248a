"""The text of an issue, under the headings of torch's own form.

https://github.com/pytorch/pytorch/blob/main/.github/ISSUE_TEMPLATE/pt2-bug-report.yml
"""

import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from eagerdiff.harness.kit.kit import Kit
from eagerdiff.harness.sinks import markdown

_ENVIRONMENT = Environment(
    loader=FileSystemLoader(Path(__file__).parent),
    undefined=StrictUndefined,
    trim_blocks=True,
    keep_trailing_newline=True,
    autoescape=False,  # Markdown: each text goes through `sinks.markdown`
)


_ISSUE = re.compile(r"https://[a-z0-9.-]+(/[\w.#-]+)+/?")
ERROR, VERSIONS = 8_000, 12_000
"""Characters that are quoted of what a script printed last, and of the environment."""
MOST = 65_000
"""Characters of an issue that GitHub takes, and some to spare."""


def issue(kit: Kit, source: str, environment: str) -> str:
    """Return Markdown in which no text of a script, exception or machine is anything but text.

    A script that is too long to be quoted is one to attach.
    """
    text = _render(kit, markdown.block(source, "python"), environment)
    return text if len(text) <= MOST else _render(kit, "Attached: `reproduce.py`.", environment)


def _render(kit: Kit, source: str, environment: str) -> str:
    return _ENVIRONMENT.get_template("issue.md.j2").render(
        kit=kit,
        title=markdown.text(kit.title, 1000),
        note=markdown.text(kit.note.rstrip("."), 1000),
        link=_address(kit.link),
        why=markdown.text(kit.here.why),
        where=markdown.text(kit.where),
        bisector=markdown.text(kit.bisector, 500),
        untold=markdown.text(kit.untold.rstrip("."), 500),
        turns=markdown.text(kit.turns),
        source=source,
        error=markdown.block(kit.error[-ERROR:]),
        environment=markdown.block(environment[:VERSIONS]),
        cell=markdown.text,
        address=_address,
        figure=_figure,
    )


def _address(link: str) -> str:
    """Return a public issue's address as a link, and anything else as text."""
    return f"<{link}>" if _ISSUE.fullmatch(link) else markdown.text(link)


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3g}"
