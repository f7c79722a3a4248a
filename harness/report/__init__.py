"""Reports of a campaign: a page, a summary, JSON, JUnit."""

from pathlib import Path

from eagerdiff.harness.report.junit import junit
from eagerdiff.harness.report.page import page
from eagerdiff.harness.report.summary import summary
from eagerdiff.harness.results.results import Results

__all__ = ["junit", "page", "summary", "write"]


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
        _replace(out / name, text)


def _replace(path: Path, text: str) -> None:
    """Write beside and rename: an interrupted run leaves the previous file or the new one, never half of one."""
    partial = path.with_name(f".{path.name}.partial")
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise
