"""Scripts under two Pythons: the other one here is this one with a torch of our own making on its path."""

import os
import sys
import time
from pathlib import Path

import pytest

from eagerdiff.harness.cli.application import invoke
from eagerdiff.harness.corpus.interpreters import Ending, Interpreter, InterpreterError, State
from eagerdiff.harness.processes.fresh_process import telling_line
from eagerdiff.suites.tests.ending import end_soon

FINE = {
    "mended": "import sys, torch\nsys.exit('still there' if torch.__version__ != '9.9.9' else 0)",
    "stays": "import torch\nraise ValueError('still\\nthere')",
}
WORSE = {
    "broken": "import sys, torch\nsys.exit(torch.__version__ == '9.9.9')",
    "unasked": "from torch import compile",
}


def write(folder: Path, scripts: dict[str, str]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in scripts.items():
        (folder / f"{name}.py").write_text(text + "\n")
    return folder


def python(folder: Path, name: str, *, torch: str) -> str:
    """Return a Python in which `import torch` runs the text `torch`."""
    stub = write(folder / f"{name}-packages", {"torch": torch})
    command = folder / name
    command.write_text(f'#!/bin/sh\nPYTHONPATH={stub} exec {sys.executable} "$@"\n')
    command.chmod(0o755)
    return str(command)


@pytest.fixture
def other(tmp_path: Path) -> str:
    return python(tmp_path, "other", torch="__version__ = '9.9.9'")


def replay(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = invoke(["replay", *arguments])
    said = capfd.readouterr()
    return code, said.out, said.err


def test_the_table_says_present_here_gone_there(other: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = replay(capfd, "--run-scripts", "--torch", other, str(write(tmp_path / "scripts", FINE)))
    rows = {words[0]: words[1:] for line in out.splitlines() if (words := line.split())}
    assert code == 0
    assert rows["mended"] == ["present", "gone", "still", "there"]
    assert rows["stays"] == ["present", "present", "ValueError:", "still"]
    assert rows["there:"][:2] == ["torch", "9.9.9"]
    assert "1 present here, gone there" in out


@pytest.mark.parametrize(
    ("name", "state"),
    [pytest.param(*found, marks=pytest.mark.slow) for found in (("broken", "present"), ("unasked", "other"))],
)
def test_what_passes_here_alone_fails(
    name: str, state: str, other: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    script = str(write(tmp_path / "scripts", WORSE) / f"{name}.py")
    code, out, _ = replay(capfd, "--run-scripts", "--torch", other, script)
    assert (code, f"1 gone here, {state} there" in out) == (1, True)
    code, out, _ = replay(capfd, "--run-scripts", "--torch", sys.executable, script)
    assert (code, "1 gone here, gone there" in out) == (0, True)


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("", Ending(State.GONE)),
        ("raise SystemExit('wrong')", Ending(State.PRESENT, "wrong")),
        ("assert 1 == 2", Ending(State.PRESENT, "AssertionError")),
        ("import os; os.abort()", Ending(State.PRESENT, "SIGABRT")),
        ("import os; os.kill(os.getpid(), 9)", Ending(State.OTHER, "exit code -9: ")),
        ("raise SystemExit(3)", Ending(State.OTHER, "exit code 3: ")),
        (
            "import os; os.no_such_thing",
            Ending(State.OTHER, "AttributeError: module 'os' has no attribute 'no_such_thing'"),
        ),
        ("dict().get(key=1)", Ending(State.OTHER, "TypeError: dict.get() takes no keyword arguments")),
        ("None.shape", Ending(State.PRESENT, "AttributeError: 'NoneType' object has no attribute 'shape'")),
        ("1 +", Ending(State.OTHER, "SyntaxError: invalid syntax")),
        ("exec(compile('1 +', '<generated>', 'exec'))", Ending(State.PRESENT, "SyntaxError: invalid syntax")),
        ("import os; assert 'PYTHONPATH' not in os.environ and not os.listdir()", Ending(State.GONE)),
    ],
)
def test_a_script_says_whether_its_defect_is_there(
    text: str, ending: Ending, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    script = write(tmp_path, {"script": text}) / "script.py"
    assert Interpreter(sys.executable, "0").run(script) == ending


def test_a_script_that_hangs_is_ended_with_what_it_started(tmp_path: Path) -> None:
    text = f"""
import os, subprocess, time
child = subprocess.Popen(["sleep", "60"])
open({str(tmp_path / "pid")!r}, "w").write(str(child.pid))
time.sleep(60)
"""
    script = write(tmp_path, {"script": text}) / "script.py"
    began = time.monotonic()
    assert Interpreter(sys.executable, "0").run(script, seconds=3.0) == Ending(State.OTHER, "no end within 3 s")
    assert time.monotonic() - began < 20
    assert end_soon([int((tmp_path / "pid").read_text())])


def test_a_python_that_cannot_run_them_is_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    script = str(write(tmp_path / "scripts", FINE))
    (tmp_path / "text").write_text("no program")
    (tmp_path / "text").chmod(0o755)
    pythons = {
        str(tmp_path / "none"): "no such python",
        str(tmp_path / "scripts"): "no such python",
        python(
            tmp_path, "bare", torch="raise ImportError('no torch\\nhere')"
        ): "cannot import torch: ImportError: no torch",
        "/bin/true": "cannot import torch: exit code 0",
        str(tmp_path / "text"): "cannot import torch",
    }
    for given, says in pythons.items():
        code, _, err = replay(capfd, "--run-scripts", "--torch", given, script)
        assert (code, len(err.splitlines()), says in err) == (2, 1, True), (given, err)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--torch", "{other}", "{tmp}/none"], "no script or folder"),
        (["--torch", "{other}", "{tmp}"], "no scripts in"),
        (["--torch", "{other}", "--timeout", "soon", "{tmp}"], "'soon'"),
        (["{tmp}/one.yaml", "{tmp}/two.yaml"], "one corpus file"),
    ],
)
def test_a_mistake_is_one_line(
    arguments: list[str], says: str, other: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    given = [part.replace("{other}", other).replace("{tmp}", str(tmp_path)) for part in arguments]
    code, _, err = replay(capfd, *given)
    assert (code, len(err.splitlines()), says in err) == (2, 1, True), err


def test_the_kept_scripts_are_what_is_run_without_a_name(
    other: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def run(self: Interpreter, script: Path, seconds: float) -> Ending:
        return Ending(State.GONE if self.torch == "9.9.9" else State.PRESENT)

    monkeypatch.setattr(Interpreter, "run", run)
    code, out, _ = replay(capfd, "--torch", other)
    kept = sorted((Path(__file__).parents[1] / "corpus" / "scripts").glob("*.py"))
    assert code == 0
    assert kept
    assert all(script.stem in out for script in kept)


def test_a_python_is_found_by_its_name(other: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert Interpreter.find("other") == Interpreter(other, "9.9.9")
    with pytest.raises(InterpreterError, match="no such python: othre"):
        Interpreter.find("othre")


def test_the_telling_line_is_the_exception_whatever_it_says() -> None:
    said = """Traceback (most recent call last):
  File "script.py", line 3, in <module>
    f(x)
torch._dynamo.exc.UserError: Could not guard

from user code:
  File "script.py", line 1, in f
    return x
           ^
"""
    assert telling_line(said) == "torch._dynamo.exc.UserError: Could not guard"
    assert telling_line("warned\n4 graphs for 4 sizes\n") == "4 graphs for 4 sizes"
    named = "dynamic=True: GuardOnDataDependentSymNode: Could not guard"
    left = f"file.py:3: UserWarning: ValueError: no\n{named}\n\nSee more\n"
    assert telling_line(left) == named
    assert telling_line("warned\ncall 0: tensor([[1.],\n        [2.]])\n") == "call 0: tensor([[1.],"
    assert telling_line("  all of it\n") == "all of it"
    assert telling_line("") == ""
