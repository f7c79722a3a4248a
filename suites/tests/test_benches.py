"""Benches: a script on one ends as in a fresh process, cannot see another, and one that is broken is replaced."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from eagerdiff.harness.corpus.interpreters import Interpreter, ending_of
from eagerdiff.harness.kit.benches import BenchError, Benches, settings_of

SECONDS = 5.0
HERE = Interpreter(sys.executable, "any")
SCRIPTS = {
    "passes": "import torch\nprint(torch.ones(2))\n",
    "says why": "import sys\nprint('first')\nsys.exit('it differs')\n",
    "exits": "raise SystemExit(3)\n",
    "exits without a word": "import sys\nsys.exit(1)\n",
    "raises": "import torch\ntorch.ones(2) + torch.ones(3)\n",
    "is no Python": "def (\n",
    "dies": "import os\nos.kill(os.getpid(), 11)\n",
    "lacks a module": "import nothing_of_this_name\n",
    "looks about": "import sys\nassert sys.argv[1:] == [] and __name__ == '__main__', sys.argv\n"
    "sys.exit(f'{sys.path[0] == str(__import__(\"pathlib\").Path(__file__).parent)} {sys.stdin.read()!r}')\n",
}


@pytest.fixture(scope="module")
def benches() -> Iterator[Benches]:
    with Benches(SECONDS) as benches:
        yield benches


def written(folder: Path, text: str) -> Path:
    (script := folder / "script.py").write_text(text)
    return script


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_ends_on_a_bench_as_in_a_fresh_process(name: str, benches: Benches, tmp_path: Path) -> None:
    script = written(tmp_path, SCRIPTS[name])
    with benches.of(HERE) as bench:
        code, said = bench.run(script)
    assert ending_of(code, said) == HERE.run(script)


def test_what_one_script_leaves_the_next_does_not_find(benches: Benches, tmp_path: Path) -> None:
    text = (
        "import os, sys, tempfile, torch\n"
        "left = [hasattr(torch, 'left'), *os.listdir('.'), *os.listdir(tempfile.gettempdir())]\n"
        "torch.left = 1\nopen('left', 'w').close()\nsys.exit(str(left))\n"
    )
    for _ in range(2):
        with benches.of(HERE) as bench:
            assert bench.run(written(tmp_path, text)) == (1, "[False]\n")


def test_a_script_without_end_is_ended_and_the_bench_goes_on(benches: Benches, tmp_path: Path) -> None:
    with benches.of(HERE) as bench:
        assert bench.run(written(tmp_path, "print('begun', flush=True)\nwhile True: pass\n")) == (None, "begun\n")
        assert bench.run(written(tmp_path, "print('end')\n")) == (0, "end\n")


def test_a_bench_that_a_script_ends_is_replaced(benches: Benches, tmp_path: Path) -> None:
    killing = written(tmp_path, "import os\nos.kill(os.getppid(), 9)\n")
    with pytest.raises(BenchError), benches.of(HERE) as bench:
        bench.run(killing)
    with benches.of(HERE) as bench:
        assert bench.run(written(tmp_path, "print('end')\n")) == (0, "end\n")


def test_a_python_without_torch_has_no_bench(tmp_path: Path) -> None:
    (python := tmp_path / "python").write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    with pytest.raises(BenchError), Benches(SECONDS).of(Interpreter(str(python), "none")):
        pass


def test_scripts_are_cut_off_from_the_network_as_in_a_fresh_process(benches: Benches, tmp_path: Path) -> None:
    script = written(tmp_path, "import os, sys\nsys.exit(' '.join(sorted(os.listdir('/sys/class/net'))))\n")
    with benches.of(HERE) as bench:
        code, said = bench.run(script)
    assert ending_of(code, said) == HERE.run(script)


def test_what_a_script_sets_before_it_imports_torch_is_set_where_torch_is_imported(
    benches: Benches, tmp_path: Path
) -> None:
    text = (
        "import os\nbefore = os.getenv('TRITON_INTERPRET')\nos.environ['TRITON_INTERPRET'] = '1'\n"
        "import triton\n@triton.jit\ndef kernel(x):\n    pass\nraise SystemExit(f'{before} {type(kernel).__name__}')\n"
    )
    script, settings = written(tmp_path, text), settings_of(text)
    assert settings == {"TRITON_INTERPRET": "1"}
    with benches.of(HERE, settings) as bench:
        assert bench.run(script) == (1, "1 InterpretedFunction\n")
    with benches.of(HERE) as bench:
        assert bench.run(script)[1].startswith("None ")


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("import torch\n", {}),
        ("os.environ[\"A\"] = '1'  # why\nos.environ['B'] = \"2\"\n", {"A": "1", "B": "2"}),
        ("os.environ['A'] = '1'\nos.environ.get('B')\n", None),
        ("os.environ['A'] = str(1)\n", None),
        ("if True:\n    os.environ['A'] = '1'\n", None),
    ],
)
def test_a_script_that_does_more_with_its_environment_has_a_fresh_process(
    text: str, settings: dict[str, str] | None
) -> None:
    assert settings_of(text) == settings
