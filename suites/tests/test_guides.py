"""The five pages for a newcomer, run from their text in an empty folder, with what the wheel installs."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import torch

from eagerdiff import Finding, Implementation, Operator, Oracle, Status, Verdict, execute, parse_device
from eagerdiff.harness.catalog.plugin import Spec, resolve
from eagerdiff.harness.repro import Form, render
from eagerdiff.suites.tests.newcomer import GUIDES, JUDGED, Newcomer, blocks, commands

pytestmark = [
    pytest.mark.skipif(not GUIDES.is_dir(), reason="the pages lie in the repository, not in the wheel"),
    pytest.mark.timeout(1200),  # of any clock: a newcomer's cache is empty, and a machine may be busy
]
MACHINE_SECONDS = 60
"""CPU time that the first useful verdict of each page may cost."""
SCREEN = 85
"""Lines of a page, code and all."""
PAGES = ("my-function", "my-kernel", "new-operator", "nightly-ci", "track-speed")
LONG = "--budget 10m"
"""A busy machine takes longer; a search is ended as soon as it has judged something."""


@pytest.fixture
def newcomer(installed: Path, tmp_path: Path) -> Newcomer:
    (folder := tmp_path / "project").mkdir()
    return Newcomer(folder, installed)


def operator_of(page: str, folder: Path, *, changed: tuple[str, str] = ("", "")) -> Operator:
    """Load the operator that a page's first block of code defines, with a text in it changed."""
    path = folder / f"{page.replace('-', '_')}.py"
    path.write_text(blocks(page, "python")[0].replace(*changed))
    found = resolve(Spec(f"{path}:OPERATOR"))
    assert isinstance(found, Operator)
    return found


def searching(command: str) -> str:
    """Return a command of a page with all the time that it may need until something is judged."""
    changed = re.sub(r"--budget \S+", LONG, command)
    assert changed != command
    return changed


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_of_one_screen(page: str) -> None:
    assert len((GUIDES / f"{page}.md").read_text().splitlines()) <= SCREEN


def test_a_function_is_checked_as_the_page_says(newcomer: Newcomer) -> None:
    newcomer.write("test_mine.py", blocks("my-function", "python")[0])
    newcomer.write("pyproject.toml", '[tool.eagerdiff]\nways = ["dynamo.dynamic"]\nbudget = "1s"\n')
    said = newcomer.type("pytest -q -p no:cacheprovider")
    assert newcomer.code == 0, said
    assert newcomer.seconds < MACHINE_SECONDS


@pytest.mark.slow
def test_a_function_is_checked_in_each_way_as_the_page_says(newcomer: Newcomer) -> None:
    newcomer.write("test_mine.py", "\n".join(blocks("my-function", "python")))
    newcomer.write("pyproject.toml", blocks("my-function", "toml")[0])
    said = newcomer.type("pytest -q -p no:cacheprovider --eagerdiff-budget 5s")
    assert newcomer.code == 0, said
    assert "4 passed" in said


@pytest.mark.parametrize("name", ["torch.rms_norm", "dynamo.dynamic"])
def test_the_operator_of_the_page_is_right(name: str, tmp_path: Path) -> None:
    operator = operator_of("new-operator", tmp_path)
    (workload,) = operator.workloads.values()
    (device := parse_device("cpu")).activate()
    outcome = execute(operator, named(operator, name), workload, device, relations=False)
    assert [verdict.status for verdict in outcome.verdicts] == [Status.PASSED] * len(workload.cases)


def test_the_operator_of_the_page_can_be_shown(newcomer: Newcomer) -> None:
    newcomer.write("mine.py", blocks("new-operator", "python")[0])
    said = newcomer.type("eagerdiff show mine.py:OPERATOR")
    assert newcomer.code == 0, said
    assert "rows" in said


def named(operator: Operator, name: str) -> Implementation:
    return next(one for one in operator.implementations if one.name == name)


@pytest.mark.parametrize(
    ("name", "compiled"),
    [
        ("inductor.dynamic", "torch.compile(rms_norm_under_test, backend='inductor', dynamic=True"),
        ("dynamo.unbacked", "mark_unbacked"),
        ("export.named", "torch.export.export("),
    ],
)
def test_the_script_of_a_finding_compiles_as_the_pages_operator_does(name: str, compiled: str, tmp_path: Path) -> None:
    script = script_of(operator_of("new-operator", tmp_path), name)
    assert compiled in script
    assert "eagerdiff" not in script
    names: dict[str, Any] = {}
    exec(script.partition("\nfor number")[0], names)
    for args, options in names["calls"]:
        torch.testing.assert_close(names["implementation"](*args, **options), names["reference"](*args, **options))


def script_of(operator: Operator, name: str) -> str:
    """Return the script of a wrong value that an implementation gives in the first fixed workload."""
    (workload, *_) = operator.workloads.values()
    wrong = Verdict(status=Status.WRONG_VALUE, oracle=Oracle.RMSE)
    found = Finding(
        operator="rms_norm", implementation=name, device="cpu", verdict=wrong, workload=workload.to_data(), seed=0
    )
    return render(found, operator, named(operator, name), Form())


def test_a_script_compiles_what_is_compiled_where_that_is_not_the_reference(tmp_path: Path) -> None:
    of_another = ("function=lambda case: rms_norm", "function=lambda case: fused")
    script = script_of(operator_of("new-operator", tmp_path, changed=of_another), "dynamo.dynamic")
    assert "torch.compile(fused_under_test, " in script
    assert "torch.nn.functional.rms_norm" in script


def test_a_kernel_is_checked_as_the_page_says(newcomer: Newcomer) -> None:
    newcomer.write("test_my_norm.py", blocks("my-kernel", "python")[0])
    said = newcomer.type(f"{commands('my-kernel')[0]} -q -p no:cacheprovider --eagerdiff-budget 1s")
    assert newcomer.code == 0, said
    assert newcomer.seconds < MACHINE_SECONDS


@pytest.mark.slow
def test_a_kernel_that_reads_past_its_rows_is_found(newcomer: Newcomer) -> None:
    kernel = blocks("my-kernel", "python")[0]
    planted = kernel.replace(", mask=at < width, other=0)", ")")
    assert planted != kernel
    newcomer.write("test_my_norm.py", planted)
    said = newcomer.type(f"{commands('my-kernel')[0]} -q -p no:cacheprovider --eagerdiff-budget 1s")
    assert newcomer.code == 1, said
    assert "OUT_OF_BOUNDS" in said
    assert newcomer.seconds < MACHINE_SECONDS


@pytest.mark.slow
def test_an_operator_is_searched_as_the_page_says(newcomer: Newcomer) -> None:
    newcomer.write("rms_norm.py", blocks("new-operator", "python")[0])
    (command,) = commands("new-operator")
    said = newcomer.type(searching(command), until=JUDGED)
    assert newcomer.code == 0, said
    for name in ("torch.rms_norm", "inductor.dynamic", "export.named"):
        assert name in said
    assert newcomer.seconds < MACHINE_SECONDS


def test_a_repository_is_set_up_as_the_page_says(newcomer: Newcomer) -> None:
    init, first, _ = commands("nightly-ci")
    said = newcomer.type(init)
    assert newcomer.code == 0, said
    settings = newcomer.folder / "pyproject.toml"
    settings.write_text(re.sub(r"ways = .*", 'ways = ["dynamo.dynamic"]', settings.read_text().replace("10s", "1s")))
    assert (newcomer.folder / ".github/workflows/eagerdiff.yml").is_file()
    said = newcomer.type(first)
    assert newcomer.code == 0, said
    assert "1 passed" in said
    assert newcomer.seconds < MACHINE_SECONDS


@pytest.mark.slow
def test_a_night_is_had_as_the_page_says(newcomer: Newcomer) -> None:
    newcomer.write("rms_norm.py", blocks("new-operator", "python")[0])
    *_, night = commands("nightly-ci")
    said = newcomer.type(searching(night), until=JUDGED)
    assert newcomer.code == 0, said
    assert (newcomer.folder / "report/index.html").is_file()
    assert len((newcomer.folder / "history/nights.jsonl").read_text().splitlines()) == 1
    assert newcomer.seconds < MACHINE_SECONDS


@pytest.mark.slow
def test_two_implementations_are_compared_as_the_page_says(newcomer: Newcomer) -> None:
    newcomer.write("rms_norm.py", blocks("new-operator", "python")[0])
    (command, *_) = commands("track-speed")
    said = newcomer.type(command)
    assert newcomer.code == 1, said
    assert re.search(r"compiles .* more", said), said
    assert newcomer.seconds < MACHINE_SECONDS


@pytest.mark.slow
def test_two_commits_are_compared_as_the_page_says(newcomer: Newcomer) -> None:
    newcomer.write("rms_norm.py", text := blocks("new-operator", "python")[0])
    git(newcomer.folder, "init", "-q")
    git(newcomer.folder, "add", ".")
    git(newcomer.folder, "commit", "-qm", "before")
    slower = "    x = x + 0 * x.sort().values.sum()\n    return x * torch.rsqrt"
    newcomer.write("rms_norm.py", text.replace("    return x * torch.rsqrt", slower))
    git(newcomer.folder, "commit", "-qam", "after")
    _, command, _ = commands("track-speed")
    said = newcomer.type(f"{command} --counts")
    assert newcomer.code == 1, said
    assert "rms_norm/inductor.dynamic:growing" in said
    assert newcomer.seconds < MACHINE_SECONDS


def git(folder: Path, *arguments: str) -> None:
    author = ("-c", "user.name=newcomer", "-c", "user.email=newcomer@example.com")
    subprocess.run(["git", *author, *arguments], cwd=folder, check=True)


def test_a_program_is_recorded_and_replayed_as_the_page_says(newcomer: Newcomer) -> None:
    newcomer.write("serve.py", blocks("record", "python")[0].replace("@torch.compile", EAGER))
    newcomer.write("pyproject.toml", '[tool.eagerdiff]\nways = ["dynamo.dynamic"]\n')
    recorded, every, *_ = commands("record")
    said = newcomer.type(recorded)
    assert newcomer.code == 0, said
    assert blocks("record", "yaml")[0] in (newcomer.folder / "shapes.yaml").read_text()
    said = newcomer.type(f"{every} --seconds 1")
    assert newcomer.code == 0, said
    assert "attend: right" in said
    assert "replayed first; what changes: keys_1 4…18" in said


EAGER = '@torch.compile(backend="eager")'
