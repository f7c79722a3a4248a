"""asv's pages: nothing comes from the web, what was measured is listed, and a year of it is shown in two seconds."""

import base64
import hashlib
import json
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

asv: Any = pytest.importorskip("asv", reason="asv is not installed")
sync_api: Any = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from eagerdiff.suites import asv_pages  # noqa: E402 - it imports asv
from eagerdiff.suites.asv_pages import vendor  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
browsing = pytest.mark.skipif(BROWSER is None, reason="no Chromium here (Debian's package chromium)")
ASKED = re.compile(r'(?:src|href)="(https://[^"]+/([^"/]+\.(?:js|css)))" integrity="(sha\d+)-([^"]+)"')
MACHINE = {"arch": "", "cpu": "", "machine": "here", "num_cpu": "2", "os": "", "ram": ""}
PAGES = {
    "": ".benchmark-container",
    "#/summarylist": "#summarylist-body table tr",
    "#/regressions": "#regressions-body table",
    "#daily.Curated.track_figure0": "#main-graph canvas",
}
"""A page → what is there once it shows."""
SECONDS = 2.0


def asvs_own() -> str:
    return (Path(asv.__file__).parent / "www" / "index.html").read_text()


def test_asvs_page_asks_the_web_for_nothing() -> None:
    text, missing = asv_pages.offline(asvs_own())
    assert len(ASKED.findall(asvs_own())) == 10
    assert missing == []
    assert not re.search(r'<(?:script|link)[^>]*"https:', text)
    for name in re.findall(r'"vendor/([^"]+)"', text):
        assert (asv_pages.VENDOR / name).is_file()


def test_what_is_not_here_is_asked_for_and_told() -> None:
    text = '<script src="https://cdn.example/x@1.0/later.min.js" integrity="sha256-abc"></script>'
    assert asv_pages.offline(text) == (text, ["later.min.js"])


def test_files_of_others_are_as_asv_knows_them() -> None:
    """Of flot there is no minified file in a registry, and of stupidtable not that version."""
    files = [path for path in asv_pages.VENDOR.iterdir() if path.suffix in (".js", ".css")]
    assert [path.name for path in files if f"`{path.name}`" not in (vendor.__doc__ or "")] == []
    same = [
        name
        for _, name, kind, digest in ASKED.findall(asvs_own())
        if any(base64.b64encode(hashlib.new(kind, path.read_bytes()).digest()).decode() == digest for path in files)
    ]
    assert same == [
        "jquery-3.3.1.min.js",
        "jquery.flot.orderBars.js",
        "md5.min.js",
        "bootstrap.min.js",
        "bootstrap.min.css",
    ]


def published(folder: Path, days: int, figures: int, pairs: int, measured: int) -> Path:
    """Publish results of a commit a day, in which each pair has some of the figures; return the folder of pages."""
    first = datetime(2025, 11, 1, tzinfo=UTC)
    dates = [int((first + timedelta(days=day)).timestamp()) for day in range(days)]
    commits = "".join(f"commit refs/heads/main\ncommitter n <n@e> {date} +0000\ndata 1\nx\n" for date in dates)

    def git(*arguments: str, text: str = "") -> str:
        done = subprocess.run(["git", *arguments], cwd=folder, input=text, check=True, capture_output=True, text=True)
        return done.stdout

    git("init", "--quiet", "--initial-branch", "main")
    git("fast-import", "--quiet", text=commits)
    shutil.copyfile(ROOT / "asv.conf.json", folder / "asv.conf.json")
    results = folder / ".asv" / "results" / "here"
    results.mkdir(parents=True)
    names = [repr(f"operator/implementation:workload {pair}") for pair in range(pairs)]
    benchmarks: dict[str, Any] = {
        name: {
            "name": name,
            "code": "",
            "param_names": ["subject"],
            "params": [names],
            "type": "track",
            "unit": "calls",
        }
        | {"version": "1", "timeout": 1}
        for name in (f"daily.Curated.track_figure{number}" for number in range(figures))
    }
    (results.parent / "benchmarks.json").write_text(json.dumps(benchmarks | {"version": 2}))
    (results / "machine.json").write_text(json.dumps(MACHINE | {"version": 1}))
    for day, (date, commit) in enumerate(
        zip(dates, git("log", "--format=%H", "--reverse", "main").split(), strict=True)
    ):
        values = {
            name: [
                [
                    100.0 + pair + day % 3 + 40 * (pair % 7 == 0 and day > days // 2)
                    if (pair + number) % figures < measured
                    else float("nan")
                    for pair in range(pairs)
                ],
                [names],
                "1",
            ]
            for number, name in enumerate(benchmarks)
        }
        result = {"commit_hash": commit, "env_name": "env", "date": 1000 * date, "params": MACHINE, "python": "3.11"}
        result |= {"requirements": {}, "env_vars": {}, "result_columns": ["result", "params", "version"]}
        result |= {"results": values, "durations": {}, "version": 2}
        (results / f"{commit[:8]}-env.json").write_text(json.dumps(result))
    command = [sys.executable, "-m", "asv", "publish", "--no-pull"]
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "asks the web" not in done.stdout
    return folder / ".asv" / "html"


@contextmanager
def served(folder: Path) -> Generator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@contextmanager
def browser() -> Generator[Any]:
    with sync_api.sync_playwright() as play:
        found = play.chromium.launch(executable_path=BROWSER, args=["--no-sandbox", "--disable-gpu"])
        yield found
        found.close()


@browsing
def test_each_page_shows_with_no_network_and_lists_what_was_measured(tmp_path: Path) -> None:
    html = published(tmp_path, days=12, figures=3, pairs=8, measured=2)
    with served(html) as address, browser() as chromium:
        page: Any = chromium.new_page()
        asked: list[str] = []
        said: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        for place, shown in PAGES.items():
            page.goto("about:blank")
            page.goto(address + place)
            page.wait_for_selector(shown)
        page.goto(address + "#/summarylist")
        page.wait_for_selector(PAGES["#/summarylist"])
        assert page.locator("#summarylist-body tbody tr").count() == 16
        assert page.locator("#summarylist-body .positive-change").count() == 4
        assert page.locator(".popover").count() == 0
        page.locator("#summarylist-body tbody tr:first-child a").first.hover()
        page.wait_for_selector(".popover canvas")
        assert [url for url in asked if not url.startswith((address, "data:"))] == []
        assert said == []


@pytest.mark.slow
@browsing
def test_a_year_of_the_curated_set_shows_in_two_seconds(tmp_path: Path) -> None:
    """By the browser's own clock of what its page costs the processor; a pair of the set has 11 figures of 22."""
    html = published(tmp_path, days=365, figures=22, pairs=85, measured=11)
    with served(html) as address, browser() as chromium:
        took: dict[str, float] = {}
        for place, shown in PAGES.items():
            page: Any = chromium.new_page()
            clock = page.context.new_cdp_session(page)
            clock.send("Performance.enable", {"timeDomain": "threadTicks"})
            page.goto(address + place)
            page.wait_for_selector(shown)
            metrics = {one["name"]: one["value"] for one in clock.send("Performance.getMetrics")["metrics"]}
            took[place] = metrics["TaskDuration"]
            page.close()
        print(took)
        assert all(0.05 < seconds < SECONDS for seconds in took.values()), took
