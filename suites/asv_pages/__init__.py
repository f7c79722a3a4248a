"""asv's pages, shown with no network and in two seconds: a plugin of asv's, in `plugins` of `asv.conf.json`.

asv's own page asks the web for nine scripts and a style sheet, makes a hidden graph for each row of its list, and lists
every pair of benchmark and parameter, measured or not. With this, `asv publish` puts the scripts beside the page
(`vendor/`), a graph is made when the pointer comes (`quick.js`), and what was measured is listed.
https://asv.readthedocs.io/en/stable/commands.html#asv-publish
"""

import json
import re
import shutil
from pathlib import Path
from typing import Any

from asv.console import log
from asv.publishing import OutputPublisher

VENDOR = Path(__file__).with_name("vendor")
"""Files of others, as they are."""
QUICK = Path(__file__).with_name("quick.js")
_ASKED = re.compile(r'(?P<name>src|href)="https://[^"]*/(?P<file>[^"/]+\.(?:js|css))"(?P<more>[^>]*)>')
_CHECKS = re.compile(r' (?:integrity|crossorigin|referrerpolicy)="[^"]*"')
_UNLIKE = re.compile(r"-\d[\d.]*\d|\.min(?=\.)")
"""What two names of one file may differ in: its version, and whether it is minified."""


class OfflinePages(OutputPublisher):
    """Rewrite what asv has published; asv takes it for one more page."""

    name = "offline"
    button_label = ""
    description = "Pages that need no network"

    @classmethod
    def publish(cls, conf: Any, repo: Any, benchmarks: Any, graphs: Any, revisions: Any) -> None:
        """Rewrite the pages in `conf.html_dir`; say which scripts they will still ask the web for."""
        folder = Path(conf.html_dir)
        shutil.copytree(
            VENDOR, folder / "vendor", ignore=shutil.ignore_patterns("*.py", "__pycache__"), dirs_exist_ok=True
        )
        shutil.copyfile(QUICK, folder / QUICK.name)
        page = folder / "index.html"
        text, missing = offline(page.read_text(encoding="utf-8"))
        page.write_text(text.replace("</head>", f'<script src="{QUICK.name}"></script>\n  </head>'), encoding="utf-8")
        for file in missing:
            log.warning(f"asv's page asks the web for {file}, which {VENDOR} does not have")
        for path in folder.glob("graphs/**/summary.json"):
            rows = json.loads(path.read_bytes())
            path.write_text(json.dumps([row for row in rows if row["last_value"] is not None]), encoding="utf-8")


def offline(text: str) -> tuple[str, list[str]]:
    """Return a page with what it asks the web for taken from `vendor/`, and the files that are not there."""
    ours = {_UNLIKE.sub("", path.name): path.name for path in VENDOR.iterdir() if path.suffix in (".js", ".css")}
    missing: list[str] = []

    def local(asked: re.Match[str]) -> str:
        if (file := ours.get(_UNLIKE.sub("", asked["file"]))) is None:
            missing.append(asked["file"])
            return asked[0]
        return f'{asked["name"]}="vendor/{file}"{_CHECKS.sub("", asked["more"])}>'

    return _ASKED.sub(local, text), missing
