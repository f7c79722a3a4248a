"""Metrics of operators: taken in a process of their own, shown in every report, and one line where they fail."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from eagerdiff import Metric
from eagerdiff.harness.campaign.asking import measure
from eagerdiff.harness.catalog.plugin import Spec
from eagerdiff.harness.report import write
from eagerdiff.harness.report.words import figure
from eagerdiff.harness.results.results import OperatorMetrics, Results
from eagerdiff.suites.tests.test_cli import OPERATOR as TOY

MEASURES = """
import os, time
from eagerdiff import Extras, Metric

def metrics():
    print("said by the way")
    {body}
"""


def operator(folder: Path, body: str) -> str:
    toy = TOY.replace("    implementations=[", "    extras=Extras(metrics=metrics),\n    implementations=[")
    (folder / "mine.py").write_text(MEASURES.format(body=body) + toy)
    return f"{folder / 'mine.py'}:OPERATOR"


def test_metrics_come_back_from_the_process(tmp_path: Path) -> None:
    spec = operator(tmp_path, "return [Metric(what='w', by='b', value=float('inf'), unit='%', published='p')]")
    taken = measure(Spec(spec))
    assert taken == OperatorMetrics(
        operator="doubling", metrics=[Metric(what="w", by="b", value=float("inf"), unit="%", published="p")]
    )


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("raise ValueError('two\\nlines')", r"its metrics raised ValueError: two lines"),
        ("return [3]", r"its metrics: metrics\.0: .+"),
        pytest.param(
            "return [Metric(what='w', by='b', value='many')]",
            r"its metrics: metrics\.0\.value: .+",
            marks=pytest.mark.slow,
        ),
        ("os._exit(3)", r"its metrics: exit code 3.*"),
        ("time.sleep(100)", r"its metrics: took more than 2 s"),
    ],
)
def test_what_goes_wrong_is_one_line(body: str, says: str, tmp_path: Path) -> None:
    taken = measure(Spec(operator(tmp_path, body)), seconds=2 if "sleep" in body else 60)
    assert taken.metrics == []
    assert re.fullmatch(says, taken.problem), taken.problem


def test_taking_metrics_stops_when_told_to(tmp_path: Path) -> None:
    taken = measure(Spec(operator(tmp_path, "time.sleep(100)")), going=lambda: False)
    assert taken.problem == "its metrics: was interrupted"


@pytest.mark.slow
def test_a_nightly_run_reports_metrics_that_raise_in_one_line_and_passes(tmp_path: Path) -> None:
    spec = operator(tmp_path, "raise ValueError('no trace')")
    command = [
        sys.executable,
        "-m",
        "eagerdiff.harness.cli",
        "nightly",
        "--operator",
        spec,
        "--implementation",
        "doubling/right",
    ]
    options = ["--device", "cpu", "--budget", "10s", "--from-scratch", "--out", str(tmp_path / "report")]
    done = subprocess.run([*command, *options], capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr + done.stdout
    assert "Traceback" not in done.stderr + done.stdout
    data = json.loads((tmp_path / "report" / "report.json").read_text())
    assert data["problems"] == ["doubling: its metrics raised ValueError: no trace"]
    assert data["metrics"] == []
    assert "doubling: its metrics raised ValueError: no trace" in (tmp_path / "report" / "index.html").read_text()


def test_page_and_summary_show_the_table(tmp_path: Path) -> None:
    rows = [
        Metric(what="slots", by="padded <b>", value=31.04, unit="%", published="20–40 %"),
        Metric(what="slots", by="paged", value=99.4, unit="%"),
        Metric(what="moved", by="host", value=2000.0, unit="GiB"),
        Metric(what="moved", by="disk | s3", value=500.0, unit="GiB"),
        Metric(what="odd", by="none", value=float("nan")),
        Metric(what="launches", by="work-list", of="2 experts", value=8, published="one"),
        Metric(what="launches", by="work-list", of="4", value=16),
    ]
    write(Results(metrics=[OperatorMetrics(operator="kv_cache", metrics=rows)]), tmp_path)
    page, summary = ((tmp_path / name).read_text() for name in ("index.html", "summary.md"))
    section = page[page.index('<h2 id="metrics">') : page.index('<h2 id="ran">')]
    assert section.count('class="what"') == 4
    for shown in ("31.0 %", "99.4 %", "20–40 %", "2,000 GiB", "padded &lt;b&gt;"):
        assert shown in section
    widths = [part.split("%")[0] for part in section.split('style="width:')[1:]]
    assert widths == ["31", "99", "100", "25", "0", "50", "100"]
    assert section.count("work-list") == 1
    assert "one</span></td>" in section
    assert "| kv_cache | launches | work-list | 2 experts: 8.0, 4: 16.0 | one |" in summary
    assert "| kv_cache | slots | `padded <b>` | 31.0 % | 20–40 % |" in summary
    assert "disk \\| s3" in summary
    assert Results.model_validate_json((tmp_path / "report.json").read_text()).metrics[0].metrics[:4] == rows[:4]


def test_a_report_without_metrics_has_no_table(tmp_path: Path) -> None:
    write(Results(), tmp_path)
    assert "OperatorMetrics" not in (tmp_path / "index.html").read_text()
    assert "OperatorMetrics" not in (tmp_path / "summary.md").read_text()


def test_figures_are_as_long_as_they_need_be() -> None:
    assert [figure(value) for value in (0, 0.03125, 3.14, 312, 31_200.4, -2)] == [
        "0.0",
        "0.0312",
        "3.1",
        "312.0",
        "31,200",
        "-2.0",
    ]
