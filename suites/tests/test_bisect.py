"""Bisection: the release with which a defect came or went is named, whatever cannot tell."""

import subprocess
import sys
from pathlib import Path

import pytest

from eagerdiff.harness.cli.application import invoke
from eagerdiff.harness.corpus import confined
from eagerdiff.harness.corpus.bisection import BisectionError, bisect
from eagerdiff.harness.corpus.interpreters import Ending, Interpreter, State
from eagerdiff.harness.corpus.releases import ReleaseError, Releases, order_of

STATES = {"-": State.GONE, "x": State.PRESENT, "?": State.OTHER}
RELEASES = [f"2.{minor}.0" for minor in range(20)]


def told(answers: str) -> tuple[str, int]:
    """Return what is said of releases that pass (-), fail (x) or have no answer (?), and how many were asked."""
    asked: list[str] = []

    def ask(release: str) -> Ending:
        asked.append(release)
        return Ending(STATES[answers[RELEASES.index(release)]])

    said = str(bisect(RELEASES[: len(answers)], ask))
    assert len(asked) == len(set(asked))
    return said, len(asked)


@pytest.mark.parametrize("turn", range(1, 20))
def test_the_turn_is_found_in_few_runs_both_ways(turn: int) -> None:
    came, count = told("-" * turn + "x" * (20 - turn))
    assert came == f"first bad 2.{turn}.0, last good 2.{turn - 1}.0"
    assert count <= 7
    went, _ = told("x" * turn + "-" * (20 - turn))
    assert went == f"first good 2.{turn}.0, last bad 2.{turn - 1}.0"


def test_what_has_no_answer_is_passed_over_and_named_where_it_hides_the_turn() -> None:
    assert told("--?x?xx")[0] == "first bad 2.3.0, last good 2.1.0; no answer from 2.2.0"
    assert told("-??x")[0] == "first bad 2.3.0, last good 2.0.0; no answer from 2.1.0, 2.2.0"
    assert told("-?-xx")[0] == "first bad 2.3.0, last good 2.2.0"


@pytest.mark.parametrize(
    ("answers", "why"),
    [("--", "say the same: gone"), ("xxx", "say the same: present"), ("?x", "has no answer"), ("x", "fewer")],
)
def test_where_there_is_no_turn_that_is_said(answers: str, why: str) -> None:
    with pytest.raises(BisectionError, match=why):
        told(answers)


def fake(folder: Path, torch: str) -> str:
    """Return a Python whose torch says that it is another release."""
    package = folder / torch / "torch"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(f"__version__ = {torch!r}\n")
    python = folder / torch / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{folder / torch}" exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    return str(python)


def test_given_pythons_are_taken_in_the_order_of_their_releases(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "defect.py"
    script.write_text("import sys, torch\nsys.exit(torch.__version__ in ('2.13.0', '2.14.1') and 'it is there')\n")
    pythons = [fake(tmp_path, release) for release in ("2.14.1", "2.9.0", "2.13.0", "2.12.1")]
    options = [word for python in pythons for word in ("--torch", python)]
    assert invoke(["bisect", str(script), *options, "--run-scripts"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "first bad 2.13.0, last good 2.12.1" in said
    assert invoke(["bisect", str(script), *options]) == 2
    assert "--run-scripts" in capsys.readouterr().err
    assert invoke(["bisect", str(script), *options[:2], "--run-scripts"]) == 2
    assert "fewer than two" in capsys.readouterr().err


def pip(folder: Path, knows: str) -> str:
    """Return a Python whose pip knows some releases, and installs none."""
    python = folder / "python"
    python.write_text(
        f'#!/bin/sh\ncase "$*" in *index*) echo "torch (2.15.0)"; echo "Available versions: {knows}";; esac\n'
    )
    python.chmod(0o755)
    return str(python)


def test_releases_are_those_that_pip_knows(tmp_path: Path) -> None:
    releases = Releases(tmp_path, pip(tmp_path, "2.15.0, 2.14.1, 2.13.0+cpu, 2.13.0, 2.9.1, 2.10.0"))
    assert releases.between("2.9.1", "2.14.1") == ["2.9.1", "2.10.0", "2.13.0", "2.14.1"]
    assert releases.between("2.15.0", "2.14.1") == ["2.14.1", "2.15.0"]
    with pytest.raises(ReleaseError, match=r"pip knows no torch 2\.8\.0"):
        releases.between("2.8.0", "2.14.1")
    with pytest.raises(ReleaseError, match="is no release"):
        releases.between("main", "2.14.1")


def test_a_release_that_cannot_be_installed_is_tried_once_and_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.py").write_text(
            "import sys, torch\nsys.exit(torch.__version__ == '2.15.0' and 'it is there')\n"
        )
    asked: list[str] = []
    pythons = {release: fake(tmp_path, release) for release in ("2.11.0", "2.15.0")}

    def interpreter(self: Releases, release: str) -> Interpreter:
        asked.append(release)
        if release not in pythons:
            raise ReleaseError(f"pip cannot install torch {release}")
        return Interpreter.find(pythons[release])

    monkeypatch.setattr(Releases, "between", lambda self, good, bad: ["2.11.0", "2.13.0", "2.15.0"])
    monkeypatch.setattr(Releases, "interpreter", interpreter)
    arguments = ["--good", "2.11.0", "--bad", "2.15.0", "--run-scripts"]
    assert invoke(["bisect", str(tmp_path / "a.py"), str(tmp_path / "b.py"), *arguments]) == 0
    assert " ".join(capsys.readouterr().out.split()).count("no answer from 2.13.0") == 2
    assert sorted(asked) == ["2.11.0", "2.13.0", "2.15.0"]


def test_a_release_that_pip_cannot_have_is_one_line(tmp_path: Path) -> None:
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho no venv here\nexit 1\n")
    broken.chmod(0o755)
    with pytest.raises(ReleaseError, match=r"pip cannot install torch 2\.13\.0: no venv here"):
        Releases(tmp_path / "releases", str(broken)).interpreter("2.13.0")
    assert not list((tmp_path / "releases").iterdir())


def test_where_scripts_keep_the_network_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(confined, "without_network", lambda: False)
    (tmp_path / "a.py").write_text("")
    assert invoke(["bisect", str(tmp_path / "a.py"), "--torch", fake(tmp_path, "2.11.0"), "--run-scripts"]) == 2
    assert "network" in capsys.readouterr().err.splitlines()[0]


def test_releases_are_sorted_as_numbers() -> None:
    assert sorted(["2.10.0", "2.9.1", "2.13.0+cpu"], key=order_of) == ["2.9.1", "2.10.0", "2.13.0+cpu"]


def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    script = str(next((Path(__file__).parents[1] / "corpus" / "scripts").glob("*.py")))
    for arguments in ([script], [script, "--good", "2.11.0"], ["no-such-script.py"], [script, "--torch", "no-python"]):
        assert invoke(["bisect", *arguments]) == 2
        assert len(capsys.readouterr().err.strip().splitlines()) == 1


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    return subprocess.run(["git", *who, *arguments], cwd=folder, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, list[str]]:
    """Return a repository of seven revisions, of which the third cannot be built and the fifth is wrong, and hashes."""
    monkeypatch.setenv("EAGERDIFF_CACHE", str(tmp_path / "cache"))
    folder, hashes = tmp_path / "kernels", []
    folder.mkdir()
    git(folder, "init", "--quiet")
    for number in range(7):
        (folder / "kernels.py").write_text(f"WRONG = {number >= 4}\n")
        (folder / "ready").write_text("no" if number == 2 else "yes")
        git(folder, "add", ".")
        git(folder, "commit", "--quiet", "--allow-empty", "--message", f"number {number}")
        hashes.append(git(folder, "rev-parse", "HEAD").strip()[:12])
    return folder, hashes


def test_the_revision_of_a_repository_is_named_and_what_cannot_be_built_is_passed_over(
    kernels: tuple[Path, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, hashes = kernels
    script = tmp_path / "defect.py"
    script.write_text("import sys, kernels\nsys.exit(kernels.WRONG and 'it is wrong')\n")
    asked = ["bisect", str(script), "--run-scripts", "--repository", str(folder), "--good", hashes[0]]
    build = ["--build", "echo no >&2; grep -q yes ready"]
    assert invoke([*asked, "--bad", "HEAD", *build]) == 0
    assert f"first bad {hashes[4]}, last good {hashes[3]}" in " ".join(capsys.readouterr().out.split())
    assert git(folder, "worktree", "list").count("\n") == 1
    assert invoke([*asked, "--bad", hashes[3]]) == 2
    assert "say the same: gone" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--repository", "{tmp}", "--good", "a", "--bad", "b"], "cannot be checked out"),
        (["--repository", "{kernels}", "--good", "HEAD~1", "--bad", "none"], "git knows no such revision"),
        (["--repository", "{kernels}", "--good", "HEAD"], "say between which revisions"),
        (["--repository", "{kernels}", "--good", "HEAD", "--bad", "HEAD"], "not on one line of first parents"),
        (["--repository", "{kernels}", "--torch", "x"], "not both"),
        (["--build", "make", "--good", "2.11.0", "--bad", "2.13.0"], "--build needs --repository"),
    ],
)
def test_revisions_that_are_not_there_are_one_line(
    options: list[str], said: str, kernels: tuple[Path, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.py").write_text("")
    (tmp_path / "empty").mkdir()
    given = [one.replace("{kernels}", str(kernels[0])).replace("{tmp}", str(tmp_path / "empty")) for one in options]
    assert invoke(["bisect", str(tmp_path / "a.py"), "--run-scripts", *given]) == 2
    errors = [line for line in capsys.readouterr().err.splitlines() if "network" not in line]
    assert len(errors) == 1
    assert said in errors[0]
