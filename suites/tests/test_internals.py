"""Private parts are reached for in one room; each hook is there in this torch, or says in one line that it is gone."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from eagerdiff.harness.internals import triton_semantic
from eagerdiff.harness.internals.hook import Gone, Hook, State
from eagerdiff.harness.internals.inventory import FILES, inventory
from eagerdiff.harness.internals.releases import installed, read_release, release, supported

ROOT = Path(__file__).resolve().parents[2]
ROOM = ROOT / "harness" / "internals"
FOLDERS = ("harness", "compiled", "strategies", "suites", "reference")
OTHERS = ("torch", "triton", "hypothesis", "pydantic_evals", "asv", "asv_runner", "functorch")
INNER = re.compile(
    r"^(triton\.(runtime|compiler|backends|knobs|language\.(core|semantic|standard))"
    r"|torch\.fx\.experimental|hypothesis\.internal|functorch)(\.|$)"
)
"""Modules that no guide of theirs tells to import, though no underscore says so."""
CONVENTION = {
    "torch._check": "documented, in spite of its name",
    "torch.utils._pytree": "named in torch's guides; standalone scripts need it as it is",
    "torch.utils._python_dispatch": "torch's guide of dispatch modes imports it",
    "torch.utils._python_dispatch.TorchDispatchMode": "torch's guide of dispatch modes imports it",
    "torch._dynamo.graph_break": "torch's guides of graph breaks write it",
    "torch._higher_order_ops": "torch's guides name its loops and scans so; here it is the text of drawn programs",
    "triton.runtime.driver.active.get_current_target": "every tutorial of Triton asks it; kernels run alone",
}
"""What is private by its name and public by convention: allowed anywhere."""
ALONE = {"harness/kit/bench.py": "runs in any Python that has torch, with nothing of ours"}
"""Programs that cannot ask the room."""


def test_no_other_room_names_a_private_module() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        if ROOM not in path.parents and not {"tests", "corpus", "adapters"} & set(path.parts)
        if str(path.relative_to(ROOT)) not in ALONE
        for line, name in private_names(path.read_text())
    ]
    assert found == []


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("from torch._dynamo.decorators import mark_static", "torch._dynamo.decorators.mark_static"),
        ("import torch._inductor.config as config", "torch._inductor.config"),
        ("from torch import _dynamo", "torch._dynamo"),
        ("import torch\nx = torch._dynamo.config", "torch._dynamo.config"),
        ("import torch\nwith torch._dynamo.config.patch(a=1):\n    pass", "torch._dynamo.config.patch"),
        ("import sys\nx = sys.modules.get('torch._dynamo.utils')", "torch._dynamo.utils"),
        ("from triton.runtime.jit import JITFunction", "triton.runtime.jit.JITFunction"),
        ("from hypothesis.internal import conjecture", "hypothesis.internal.conjecture"),
        ("import triton.language as tl\nx = tl.standard._sum_combine", "triton.language.standard._sum_combine"),
    ],
)
def test_a_private_name_is_seen(source: str, named: str) -> None:
    assert [name for _, name in private_names(source)] == [named]


@pytest.mark.parametrize(
    "source",
    [
        "import torch\ntorch._check(True)",
        "from torch.utils._pytree import tree_map",
        'CALL = "torch._dynamo.mark_dynamic(tensor, 0)"',
        '"""It follows `torch._dynamo.pgo`."""',
        "self._dynamo = 1",
    ],
)
def test_public_names_and_the_text_of_scripts_are_left_alone(source: str) -> None:
    assert list(private_names(source)) == []


def private_names(source: str) -> Iterator[tuple[int, str]]:
    """Give line and name of every private part of another project that source names: imports, attributes, strings."""
    tree = ast.parse(source)
    modules = {"torch": "torch", "triton": "triton"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {alias.asname: alias.name for alias in node.names if alias.asname}
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        for name in names_of(node, modules):
            if id(node) not in inner and is_private(name):
                yield getattr(node, "lineno", 0), name


def names_of(node: ast.AST, modules: dict[str, str]) -> list[str]:
    """Return the dotted names that a node stands for, in full."""
    match node:
        case ast.Import():
            return [alias.name for alias in node.names]
        case ast.ImportFrom(module=str(module)):
            return [f"{module}.{alias.name}" for alias in node.names]
        case ast.Attribute():
            first, _, rest = ast.unparse(node).partition(".")
            return [f"{modules[first]}.{rest}"] if first in modules else []
        case ast.Constant(value=str(text)) if re.fullmatch(r"[a-z_]\w*(\.\w+)+", text):
            return [text]
        case _:
            return []


def is_private(name: str) -> bool:
    if name.partition(".")[0] not in OTHERS or any(name == one or name.startswith(f"{one}.") for one in CONVENTION):
        return False
    parts = name.split(".")
    return any(re.match(r"_(?!_)", part) for part in parts) or INNER.match(name) is not None


def test_every_hook_of_this_release_is_there_and_takes_what_it_is_given() -> None:
    states = {
        f"{file}: {hook.path}": hook.state() for file, hooks in inventory().items() for hook in hooks if hook.applies
    }
    assert states
    assert {name: state for name, state in states.items() if state is not State.PRESENT} == {}


def test_every_file_of_the_room_is_in_the_inventory() -> None:
    machinery = {"__init__", "hook", "inventory", "releases"}
    assert {path.stem for path in ROOM.glob("*.py")} - machinery == set(inventory())
    assert all(inventory().values())
    assert len(FILES) == len(set(FILES))


def test_every_hook_says_what_it_is_for_and_since_when() -> None:
    for hooks in inventory().values():
        for hook in hooks:
            assert hook.why
            assert read_release(hook.since) > (0, 0)


PLANTED = Hook("triton", "triton.language.semantic:TritonSemantic._load_gone", "loads a block", since="3.6")


def test_what_is_gone_is_said_in_one_line_with_its_releases() -> None:
    with pytest.raises(Gone) as told:
        PLANTED.reach()
    line = str(told.value)
    assert "\n" not in line
    assert f"triton {installed('triton')} has no triton.language.semantic.TritonSemantic._load_gone" in line
    assert "which loads a block" in line


def test_what_is_gone_is_not_made_anew() -> None:
    with pytest.raises(Gone):
        PLANTED.replace(lambda: None)
    assert PLANTED.state() is State.ABSENT


def test_a_hook_of_other_releases_is_no_fault() -> None:
    older = Hook("triton", PLANTED.path, "loads a block", since="3.0", before="3.6")
    assert older.state() is State.ELSEWHERE


def test_a_changed_signature_is_seen() -> None:
    kept = Hook("triton", "triton.runtime.jit:mangle_type", "names a type", since="3.6", parameters=("arg",))
    changed = Hook("triton", "triton.runtime.jit:mangle_type", "names a type", since="3.6", parameters=("other",))
    assert (kept.state(), changed.state()) == (State.PRESENT, State.CHANGED)


def test_a_planted_absence_is_in_the_inventory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(triton_semantic.METHODS, "planted", PLANTED)
    assert PLANTED in inventory()["triton_semantic"]


def test_releases_are_two_numbers_of_what_is_installed() -> None:
    assert read_release("2.13.0+cpu") == (2, 13)
    assert read_release("3.9.0a0+git12") == (3, 9)
    assert release("no-such-package") == (0, 0)
    with pytest.raises(ValueError, match="no release"):
        read_release("nightly")


def test_what_is_installed_is_in_the_range_that_the_project_claims() -> None:
    for name in ("torch", "triton"):
        version = installed(name)
        assert version is not None
        assert supported()[name].contains(version, prereleases=True)


def test_guards_that_are_not_timed_are_evaluated_and_guard() -> None:
    code = """
import time, torch
from eagerdiff.harness.internals.dynamo_guards import HOOKS, leave_out_timing

def compiled():
    calls = []
    def backend(graph, example):
        calls.append(graph)
        return graph.forward
    function = torch.compile(lambda x: x * 2 + 1, backend=backend, dynamic=False)
    for size in (3, 4, 3):
        assert torch.equal(function(torch.ones(size)), torch.full((size,), 3.0))
    return len(calls)

timing = HOOKS["timing"].reach()
assert compiled() == 2
leave_out_timing()
assert HOOKS["timing"].reach() is not timing
evaluated = []
class Root:
    def check(self, scope):
        evaluated.append(scope)
assert HOOKS["timing"].reach()(Root(), {"x": 1}, 2) == 0.0
assert evaluated == [{"x": 1}] * 2
assert compiled() == 2
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
