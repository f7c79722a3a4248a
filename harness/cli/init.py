"""`eagerdiff init`: a repository's settings, a first test and a workflow, where there are none yet."""

from pathlib import Path
from typing import Annotated

import typer

from eagerdiff.harness.cli.failure import BadInput, in_writing
from eagerdiff.harness.cli.project import FILE, Project

TEST = Path("tests") / "test_eagerdiff.py"
WORKFLOW = Path(".github") / "workflows" / "eagerdiff.yml"


def init(
    folder: Annotated[Path, typer.Argument(help="The repository.")] = Path(),
    runner: Annotated[
        str, typer.Option(help="Label of the runner for the workflow: of your own with a GPU, or GitHub's.")
    ] = "ubuntu-24.04",
) -> None:
    """Write `[tool.eagerdiff]`, a first test and a nightly workflow; what is there already is left as it is."""
    if not folder.is_dir():
        raise BadInput(f"no such folder: {folder}")
    if not runner.replace("-", "").replace("_", "").replace(".", "").isalnum():
        raise BadInput(f"--runner {runner!r} is no label of a runner")
    with in_writing(folder):
        _settings(folder)
        _new(folder / TEST, _TEST)
        _new(folder / WORKFLOW, _WORKFLOW.replace("RUNNER", runner))
    print(f"next: pytest {TEST}")


def _settings(folder: Path) -> None:
    path = folder / FILE
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    Project.read(folder)  # one that cannot be read is said, and not added to
    if "[tool.eagerdiff" in text:
        print(f"there already: [tool.eagerdiff] in {path}")
        return
    path.write_text(f"{text.rstrip()}\n\n{_SETTINGS}".lstrip(), encoding="utf-8")
    print(f"written: [tool.eagerdiff] in {path}")


def _new(path: Path, text: str) -> None:
    if path.exists():
        print(f"there already: {path}")
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    print(f"written: {path}")


_SETTINGS = """\
[tool.eagerdiff]
budget = "10s"  # of each check under each way of compiling; of `eagerdiff run` and `nightly` in all
ways = ["automatic", "dynamic", "unbacked", "gpu_code", "export"]
corpus = "eagerdiff_corpus"  # where `--keep` keeps findings
"""
_TEST = '''\
"""What compiled code is held against, at sizes that change: eager."""

import torch

from eagerdiff import check, sizes


def normalized(x: torch.Tensor, idx: torch.Tensor) -> torch.Tensor:  # put a function of yours here
    return torch.nn.functional.normalize(x[idx], dim=-1)


def test_normalized() -> None:
    check(normalized, x=("length", 64), idx=("picked",), picked=sizes(0, "length"))
'''
_WORKFLOW = """\
name: eagerdiff
on: {workflow_dispatch: , schedule: [{cron: "17 2 * * *"}]}
permissions: {contents: write, issues: write}
concurrency: eagerdiff
jobs:
  night:
    runs-on: RUNNER
    steps:
      - uses: actions/checkout@v6
      - {uses: actions/setup-python@v6, with: {python-version: "3.12"}}
      - run: pip install torch eagerdiff  # and what your code needs
      - run: pytest tests/test_eagerdiff.py --eagerdiff-budget 1m --junitxml eagerdiff.xml
      - if: always()
        uses: eagerdiff/eagerdiff@v1
        with: {budget: 30m}  # kernels of yours: arguments: "--implementation my.kernel:IMPLEMENTATION"
"""
