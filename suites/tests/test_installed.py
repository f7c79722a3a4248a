"""Scripts of what is of an installed package: it is imported, or made anew, and the script fails where it is wrong."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch import nn

from eagerdiff.suites.own.pages import page_of
from eagerdiff.suites.own.source import standalone
from eagerdiff.suites.tests import own_functions

PACKAGE = """
import torch
from .other import twice

def wrong(x):
    return twice(x) + (1 if torch.compiler.is_compiling() else 0)

class Scaled:
    def __init__(self, scale):
        self.scale = scale

    def __call__(self, x):
        return x * self.scale + (1 if torch.compiler.is_compiling() else 0)

    @staticmethod
    def by_three(x):
        return x * 3

    def method(self, x):
        return self(x)
"""
SHOWN = """
import sys, torch
x = torch.ones(3)
sys.exit(0 if torch.equal(torch.compile(program, backend="eager")(x), reference(x)) else 1)
"""


@pytest.mark.parametrize(
    ("expression", "line", "fails"),
    [
        ("strangers.inner.wrong", "from strangers.inner import wrong", 1),
        ("strangers.inner.Scaled.by_three", "from strangers.inner import Scaled", 0),
        ("strangers.inner.Scaled(2.5)", "made = pickle.loads", 1),
        ("strangers.inner.Scaled(2.5).method", "program = made.method", 1),
    ],
)
def test_a_script_imports_what_is_of_an_installed_package(
    expression: str, line: str, fails: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "site-packages" / "strangers"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "other.py").write_text("def twice(x):\n    return x * 2\n")
    (folder / "inner.py").write_text(PACKAGE)
    monkeypatch.syspath_prepend(str(folder.parent))
    for name in [name for name in sys.modules if name.partition(".")[0] == "strangers"]:
        monkeypatch.delitem(sys.modules, name)
    importlib.import_module("strangers.inner")
    code = eval(expression, {"strangers": sys.modules["strangers"]})
    source = standalone(code, page_of(code, (torch.ones(3),), {})[0].called)
    assert line in source
    ended = subprocess.run([sys.executable, "-c", source + SHOWN], env={"PYTHONPATH": str(folder.parent)}, check=False)
    assert ended.returncode == fails


def defined(module: nn.Module, *args: torch.Tensor) -> dict[str, object]:
    """Return what the script of a module defines."""
    names: dict[str, object] = {"torch": torch}
    exec(page_of(module, args, {})[0].source, names)
    return names


def test_a_script_makes_a_module_anew_with_the_weights_of_each_call() -> None:
    module, x = nn.Sequential(nn.Linear(4, 3), nn.BatchNorm1d(3)).eval(), torch.randn(5, 4)
    script, state = defined(module, x), dict(page_of(module, (x,), {})[0].called.state)
    right = module(x)
    assert torch.equal(script["reference"](x, state), right)  # pyright: ignore[reportCallIssue]
    assert torch.equal(script["stateful"](script["program"])(x, state), right)  # pyright: ignore[reportCallIssue]
    other = {name: value + 1 for name, value in state.items()}
    assert not torch.equal(script["stateful"](script["program"])(x, other), right)  # pyright: ignore[reportCallIssue]
    assert torch.equal(script["stateless"](module)(x, other), right)  # pyright: ignore[reportCallIssue]


def test_a_module_that_no_package_has_gets_no_script() -> None:
    assert page_of(nn.Sequential(own_functions.Normed()).eval(), (torch.randn(7, 4),), {})[0].source == ""
