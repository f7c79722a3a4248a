"""Draw docs/images/report.png, the README's picture: `python docs/picture.py REPORT` photographs a report's page.

REPORT is a night's folder, of one with `--history` and a night before it where the picture is to say since when.
"""

import shutil
import subprocess
import sys
from pathlib import Path

PICTURE = Path(__file__).with_name("images") / "report.png"
SIZE = "1160,1290"
"""Pixels: of a page, what a reader sees first."""


def main(report: Path) -> None:
    """Photograph a page with no network; end in a line where there is no page or no Chromium."""
    page, browser = report.resolve() / "index.html", shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None or not page.is_file():
        sys.exit("no Chromium here" if browser is None else f"no report in {report}: run `eagerdiff nightly`")
    options = ["--headless", "--no-sandbox", "--hide-scrollbars", f"--window-size={SIZE}", f"--screenshot={PICTURE}"]
    subprocess.run([browser, *options, page.as_uri()], check=True, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
