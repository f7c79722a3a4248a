"""The pages for a newcomer, run from their text in an empty folder."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs/guides/my-function.md"
pytestmark = pytest.mark.skipif(not PAGE.is_file(), reason="the page lies in the repository, not in the wheel")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_a_function_is_checked_as_the_page_says(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text(blocks("python")[0])
    (tmp_path / "pyproject.toml").write_text('[tool.eagerdiff]\nways = ["dynamo.dynamic"]\nbudget = "1s"\n')
    ended = run(tmp_path)
    assert ended.returncode == 0, ended.stdout


@pytest.mark.slow
def test_a_function_is_checked_in_each_way_as_the_page_says(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text("\n".join(blocks("python")))
    (tmp_path / "pyproject.toml").write_text(blocks("toml")[0])
    ended = run(tmp_path, "--eagerdiff-budget", "5s")
    assert ended.returncode == 0, ended.stdout
    assert "4 passed" in ended.stdout
