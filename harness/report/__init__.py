"""Reports of a campaign: a page, a summary, JSON, JUnit."""

from pathlib import Path

from eagerdiff.harness.report.junit import junit
from eagerdiff.harness.report.page import page
from eagerdiff.harness.report.sides import write_sides
from eagerdiff.harness.report.summary import summary
from eagerdiff.harness.results.results import Results
from eagerdiff.harness.sinks.whole import write_whole

__all__ = ["junit", "page", "summary", "write", "write_sides"]


def write(results: Results, out: Path) -> None:
    """Write index.html, summary.md, report.json and junit.xml into a folder, made if need be; raise OSError else."""
    out.mkdir(parents=True, exist_ok=True)
    results.add_up()
    texts = {
        "report.json": results.model_dump_json(indent=1) + "\n",
        "summary.md": summary(results),
        "junit.xml": junit(results),
        "index.html": page(results),
    }
    for name, text in texts.items():
        write_whole(out / name, text)
