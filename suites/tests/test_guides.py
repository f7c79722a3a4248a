"""The pages for a newcomer, run from their text in an empty folder."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

GUIDES = Path(__file__).parents[2] / "docs/guides"
PAGE, RECORD = GUIDES / "my-function.md", GUIDES / "record.md"
pytestmark = pytest.mark.skipif(not PAGE.is_file(), reason="the page lies in the repository, not in the wheel")


def blocks(language: str, page: Path = PAGE) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(), re.DOTALL)


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


def test_a_program_is_recorded_and_replayed_as_the_page_says(tmp_path: Path) -> None:
    (tmp_path / "serve.py").write_text(blocks("python", RECORD)[0].replace("@torch.compile", EAGER))
    (tmp_path / "pyproject.toml").write_text('[tool.eagerdiff]\nways = ["dynamo.dynamic"]\n')
    recorded, every, _ = blocks("sh", RECORD)[0].splitlines()
    assert command(tmp_path, recorded).returncode == 0
    written = (tmp_path / "shapes.yaml").read_text()
    assert blocks("yaml", RECORD)[0] in written
    ended = command(tmp_path, f"{every.partition('#')[0]} --seconds 1")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "attend: right" in ended.stdout
    assert "replayed first; what changes: keys_1 4…18" in ended.stdout


EAGER = '@torch.compile(backend="eager")'


def command(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """Run a line of a page, by this Python."""
    words = [sys.executable if word == "python" else word for word in line.partition("#")[0].split()]
    words[:1] = [sys.executable, "-m", "eagerdiff.harness.cli"]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
