"""What is typed wrongly, or on purpose: each option and argument does its work, or answers in one line with code 2."""

from collections.abc import Collection
from pathlib import Path

import pytest

from eagerdiff.harness.cli.application import invoke
from eagerdiff.suites.tests.hostile import ACTING
from eagerdiff.suites.tests.test_cli import OPERATOR

TEXTS = (
    *(
        "",
        " ",
        ":",
        "::",
        "a:",
        ":A",
        "a:b:c",
        ".",
        "..",
        "/",
        "-",
        "--",
        "=",
        "\x00",
        "\n",
        "a\nb",
        "\x1b[2J",
        "\u202ex",
        "\udcff",
    ),
    *(
        "json:loads",
        "os:system",
        "os:environ",
        "sys:modules",
        "builtins:print",
        "eagerdiff:Operator",
        "this_is_not:There",
    ),
    *(
        "..x:A",
        ".:A",
        "a..b:A",
        "a b:A",
        "a/b.py:A",
        "{tmp}/none.py:A",
        "{tmp}:A",
        "{tmp}/toy.py:",
        "{tmp}/toy.py:NOTHING",
    ),
    *(
        "{tmp}/toy.py:torch",
        "{tmp}/toy.py:OPERATOR.name",
        "{tmp}/toy.py:__builtins__",
        "{tmp}/toy.py:OPERATOR.__class__",
    ),
    *(
        "{tmp}/syntax.py:A",
        "{tmp}/exits.py:A",
        "{tmp}/null.py:A",
        "{tmp}/binary.py:A",
        "{tmp}/deep.py:A",
        "{tmp}/says.py:A",
    ),
    *(
        "x" * 5000,
        "x" * 300 + ":A",
        "{tmp}/" + "x" * 300 + ".py:A",
        "9" * 5000,
        "1e999",
        "nan",
        "-1",
        "0",
        "1.5",
        "0x10",
        "²",
    ),
    *(
        "[",
        "{",
        "{rows: [",
        "{rows: 1e999}",
        "{rows: -1}",
        "{rows: {}}",
        "[]",
        "[[]]",
        "null",
        "3",
        "{a: &a [*a]}",
        "!!python/name:os.abort",
    ),
    *(
        "{rows: 99999999999999999999999}",
        "{seed: 9223372036854775808}",
        "{dtype: 3}",
        "{? [1] : 2}",
        "[" * 5000,
        "{rows: 1, rows: 2}",
    ),
)
"""`{tmp}` is a folder."""
FILES = {
    "toy.py": OPERATOR,
    "syntax.py": "def",
    "exits.py": "import sys; sys.exit(0)",
    "null.py": "A = 1\0",
    "deep.py": "A = " + "(" * 5000,
    "says.py": "raise ValueError('a\\x1b]0;t\\x07\\nb\\ud800')",
}
SCRIPT = str(next((Path(__file__).parents[1] / "corpus" / "scripts").glob("*.py")))
TOY = "{tmp}/toy.py:OPERATOR"
NOWHERE = ("--device", "no such device")
COMMANDS: dict[str, list[str]] = {
    "show an operator": ["show", "{text}"],
    "show a file": ["show", TOY, "{text}"],
    "show a case": ["show", TOY, "--case", "{text}"],
    "run an operator": ["run", "{text}", "--budget", "0"],
    "run an implementation": ["run", TOY, "--implementation", "{text}", "--implementation", "no such implementation"],
    "run on a device": ["run", TOY, "--device", "{text}", *NOWHERE],
    "run for a time": ["run", TOY, "--budget", "{text}", *NOWHERE],
    "run with a seed": ["run", TOY, "--seed", "{text}", *NOWHERE],
    "run into a file": ["run", TOY, "--json", "{text}", *NOWHERE],
    "run into a folder": ["run", TOY, "--out", "{text}", *NOWHERE],
    "nightly of an operator": ["nightly", "--out", "{tmp}/r", "--operator", "{text}", "--operator", "no such operator"],
    "nightly for a time": ["nightly", "--out", "{tmp}/r", "--operator", TOY, "--budget", "{text}", *NOWHERE],
    "replay a file": ["replay", "--operator", "no such operator", "{text}"],
    "replay of an operator": ["replay", "--operator", "{text}", "--operator", "no such operator"],
    "replay scripts": ["replay", "--torch", "no such python", "--run-scripts", "{text}"],
    "replay with a Python": ["replay", "--torch", "{text}", "{tmp}/none"],
    "replay for a time": ["replay", "--torch", "no such python", "--timeout", "{text}"],
    "compare a revision": ["compare", "{text}", "no such revision", "--counts"],
    "compare a subject": ["compare", "a/b", "a/b", "--subject", "{text}", "--operator", "no such operator"],
    "track a report": ["track", "{text}", "--repository", "a/b"],
    "track for a repository": ["track", "{tmp}/none", "--repository", "{text}"],
    "track with a label": ["track", "{tmp}/none", "--repository", "a/b", "--label", "{text}"],
    "bisect a script": ["bisect", "{text}", "--torch", "no such python"],
    "bisect with a Python": ["bisect", SCRIPT, "--torch", "{text}"],
    "bisect from a release": ["bisect", SCRIPT, "--good", "{text}", "--bad", "2.13.0"],
    "kit of a script": ["kit", "{text}", "--torch", "no such python"],
    "kit with a Python": ["kit", SCRIPT, "--out", "{tmp}/kits", "--torch", "{text}", "--torch", "no such python"],
    "kit for a time": ["kit", SCRIPT, "--out", "{tmp}/kits", "--timeout", "{text}", "--torch", "no such python"],
    "kit with issues": ["kit", SCRIPT, "--out", "{tmp}/kits", "--issues", "{text}"],
    "doublecheck": ["doublecheck", "{text}"],
    "doublecheck some": ["doublecheck", "{tmp}/none", "--count", "{text}"],
    "selfcheck a fault": ["selfcheck", "--operator", "block_copy", "--fault", "{text}", "--fault", "no such fault"],
    "selfcheck an operator": ["selfcheck", "--operator", "{text}", "--operator", "no such operator"],
    "a command": ["{text}"],
    "an option": ["list", "--{text}"],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "binary.py").write_bytes(b"\xff\xfe\x00")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EAGERDIFF_CACHE", str(tmp_path / "cache"))
    return tmp_path


def sample(command: str) -> tuple[str, ...]:
    """Return some of the texts, others for each command."""
    return TEXTS[list(COMMANDS).index(command) % 24 :: 24]


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_typed_is_answered_in_one_line(command: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    answer(command, sample(command), folder, capfd)


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_whatever_is_typed_is_answered_in_one_line(
    command: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    answer(command, TEXTS, folder, capfd)


def answer(command: str, texts: Collection[str], folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Type each text into a command."""
    wrong: list[str] = []
    for text in texts:
        given = [part.replace("{text}", text).replace("{tmp}", str(folder)) for part in COMMANDS[command]]
        code = invoke(given)
        said = capfd.readouterr()
        lines = [line for line in said.err.splitlines() if not line.startswith("eagerdiff: warning: ")]
        fine = len(lines) == 1 and lines[0].startswith("eagerdiff: ") and "internal error" not in lines[0]
        if not ((code == 0 and not lines) or (code == 2 and fine)) or ACTING.search(said.err + said.out):
            wrong.append(f"{text[:60]!r}: {code} {lines}"[:400])
    assert not wrong, "\n".join(wrong)
    assert not (folder / "cache" / "tracebacks").exists()
