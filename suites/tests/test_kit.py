"""Kits: the layer that fails is the one that was planted, figures are eager's, and a kit that is there is kept."""

import json
import sys
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from eagerdiff.harness.catalog.provenance import home
from eagerdiff.harness.cli.application import invoke
from eagerdiff.harness.corpus.interpreters import Ending, State
from eagerdiff.harness.judge.origin import origin_in
from eagerdiff.harness.kit import Index, Kernel, Kit, Known, Output, Similar, note_on, read_kit
from eagerdiff.harness.kit.issue import MOST, issue
from eagerdiff.harness.kit.layers import layer_of, way_of
from eagerdiff.harness.kit.making import title_of
from eagerdiff.harness.kit.trace import code_of
from eagerdiff.harness.sinks.visible import visible
from eagerdiff.suites.tests.hostile import HOSTILE

DECOMPOSED = """\
# silu is decomposed wrongly.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0.
import copy
import sys
import torch
import torch._inductor.decomposition as inductor
from torch._dynamo.testing import CompileCounterWithBackend
def decompose(x):
    return x * x.sigmoid() + {off}
inductor.decompositions[torch.ops.aten.silu.default] = decompose
def reference(x):
    return torch.nn.functional.silu(x.sin()), x.argmax(), x.size(0)
implementation = torch.compile(reference, backend=CompileCounterWithBackend('aot_eager_decomp_partition'))
calls = [((torch.linspace(-3, 3, 8),), {{}})]
assert torch.equal(torch.compile(reference, backend='aot_eager')(*calls[0][0])[0], reference(*calls[0][0])[0])
torch._dynamo.reset()
for args, options in calls:
    want, got = reference(*copy.deepcopy(args)), implementation(*args)
    if not torch.allclose(want[0], got[0]):
        sys.exit(f"{{got[0]}} instead of {{want[0]}}")
"""
FRESH = """\
# It looks whether torch is there before it is imported.
import sys
stood = "torch" in sys.modules  # {}
import torch
sys.exit(f"torch was there: {{stood}}")
"""
TRACED = """\
# Dynamo sees another branch.
import torch
@torch.compile(backend='aot_eager')
def program(x):
    return x + 1 if torch.compiler.is_compiling() else x
assert torch.equal(program(torch.ones(3)), torch.ones(3)), "another branch"
"""
TRITON = """\
# A kernel adds one and a half.
import os
os.environ["TRITON_INTERPRET"] = "1"
import torch
import triton
import triton.language as tl
@triton.jit
def plus(x, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at, at < n) + 1.5, at < n)
x = torch.zeros(7)
for size in (16, 32, 16):
    plus[(1,)](x, 7, BLOCK=size)
assert x.max() == 3, f"it is {x.max()}"
"""
GONE = "# It is gone.\nimport torch\ntorch.export.export\n"


def kits(arguments: list[str], folder: Path) -> int:
    return invoke(["kit", "--out", str(folder), "--run-scripts", "--timeout", "60s", *arguments])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of scripts, and beside it `kits` of them."""
    folder = tmp_path_factory.mktemp("scripts")
    texts = {"decomposed": DECOMPOSED.format(off=0.01), "traced": TRACED, "gone": GONE}
    texts |= {"kernel": TRITON, "stands": FRESH.format("on a bench"), "fresh": FRESH.format("os.environ is read")}
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    known = [{"title": "silu on MPS", "url": "https://forge/1", "body": None}]
    (folder / "issues.json").write_text(json.dumps(known))
    assert kits([str(folder), "--issues", str(folder / "issues.json")], folder / "kits") == 1
    return folder


def kit_of(folder: Path, name: str) -> Kit:
    found = read_kit(folder / "kits" / name)
    assert found is not None
    return found


def test_the_layer_is_the_one_that_was_planted_and_the_bisector_names_what_in_it(made: Path) -> None:
    decomposed, traced = kit_of(made, "decomposed"), kit_of(made, "traced")
    assert (decomposed.layer, traced.layer) == ("decompositions and partitioner", "Dynamo")
    assert [(name, one.state.value) for name, one in decomposed.layers.items()] == [
        ("eager", "gone"),
        ("aot_eager", "gone"),
        ("aot_eager_decomp_partition", "present"),
    ]
    assert decomposed.bisector.startswith("decomposition, application 1")
    assert "silu" in decomposed.bisector
    assert list(traced.layers) == ["eager"]
    assert traced.bisector == ""


def test_outputs_are_held_against_eager_and_float64(made: Path) -> None:
    off, index, size = kit_of(made, "decomposed").outputs
    assert off.off == pytest.approx(0.01, rel=1e-3)
    assert off.eager is not None
    assert off.eager < 1e-6
    assert (off.close, off.same, off.dtype, off.shape) == (False, False, "float32", "(8,)")
    assert (index.close, index.off, index.dtype) == (True, None, "int64")
    assert (size.close, size.dtype) == (True, "int")
    assert kit_of(made, "traced").untold == "the script raises AssertionError before its calls"


def test_a_script_that_does_not_show_its_defect_has_a_kit_that_says_so(made: Path) -> None:
    gone = kit_of(made, "gone")
    assert (gone.here.state, gone.layer, gone.layers, gone.shown) == (State.GONE, "", {}, False)
    assert "**Here it does not show the bug**" in (made / "kits" / "gone" / "issue.md").read_text()


def test_a_script_that_looks_at_the_environment_is_run_in_a_fresh_process(made: Path) -> None:
    assert kit_of(made, "stands").here.why == "torch was there: True"
    assert kit_of(made, "fresh").here.why == "torch was there: False"


def test_kernels_are_compiled_for_a_gpu_that_is_not_there_and_run_on_the_interpreter(made: Path) -> None:
    kit = kit_of(made, "kernel")
    assert [(one.name, "BLOCK=16" in one.specialisation, one.spill_bytes) for one in kit.kernels] == [
        ("plus", True, 0),
        ("plus", False, 0),
    ]
    assert (kit.layer, kit.target, kit.interpreted) == ("Triton kernel", "sm_90", kit.here)
    assert kit.here.why == "AssertionError: it is 4.5"
    folder = made / "kits" / "kernel" / "kernels"
    told = {name: (folder / name).read_text() for one in kit.kernels for name in one.files}
    assert sorted(told) == sorted(path.name for path in folder.iterdir())
    assert ".visible .entry plus" in told["00_plus.ptx"]
    assert "EXIT" in told["01_plus.sass"]
    issue = (made / "kits" / "kernel" / "issue.md").read_text()
    assert "it ends as present: AssertionError: it is 4.5" in issue
    assert issue.count("| plus |") == 2
    assert kit_of(made, "traced").interpreted is None
    assert not (made / "kits" / "traced" / "kernels").exists()


def test_a_kit_holds_what_a_maintainer_asks_for(made: Path) -> None:
    folder = made / "kits" / "decomposed"
    text = (folder / "issue.md").read_text()
    headings = [line for line in text.splitlines() if line.startswith("### ")]
    assert headings == ["### 🐛 Describe the bug", "### Error logs", "### Versions"]
    assert (folder / "reproduce.py").read_text() == DECOMPOSED.format(off=0.01)
    assert "PyTorch version" in (folder / "versions.txt").read_text()
    assert (folder / "trace.log").stat().st_size > 0
    assert "silu" in "".join(path.read_text() for path in (folder / "code").iterdir())
    assert str(made) not in text  # no path of this machine
    likest = kit_of(made, "decomposed").similar[0]
    assert (likest.title, likest.link) == ("silu on MPS", "https://forge/1")


@pytest.mark.slow
def test_a_kit_that_is_there_is_kept_until_its_script_changes(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script, when = made / "gone.py", kit_of(made, "gone").when
    assert kits([str(script)], made / "kits") == 1
    assert "1 of 1 kits are there already" in capsys.readouterr().out
    assert kit_of(made, "gone").when == when
    changed = tmp_path / "gone.py"
    changed.write_text(GONE + "raise SystemExit('it has returned')\n")
    (made / "kits" / ".gone.half").mkdir()  # as a run leaves it that was killed
    assert kits([str(changed)], made / "kits") == 0
    assert kit_of(made, "gone").shown
    assert not list((made / "kits").glob(".gone.*"))


def fake(folder: Path, release: str) -> str:
    """Return a Python that has a torch of a release, in which the defect is there or not."""
    package = folder / release / "torch"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(f"__version__ = {release!r}\n")
    python = folder / release / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{folder / release}" exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    return str(python)


@pytest.mark.slow
def test_releases_are_told_in_their_order_with_the_first_that_turns(tmp_path: Path) -> None:
    script = tmp_path / "since.py"
    script.write_text("import sys, torch\nsys.exit(not torch.__version__.startswith('2.9'))\n")
    others = [word for release in ("2.10.0", "2.9.1") for word in ("--torch", fake(tmp_path, release))]
    assert kits([str(script), *others], tmp_path / "kits") == 0
    kit = kit_of(tmp_path, "since")
    assert [(release, one.state.value) for release, one in kit.releases.items()][:2] == [
        ("2.9.1", "gone"),
        ("2.10.0", "present"),
    ]
    assert len(kit.releases) == 3
    assert kit.turns == "first bad 2.10.0, last good 2.9.1"
    assert kit.layer == "eager"


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        ("def (", [], "is no Python"),
        (GONE, ["--issues", "{tmp}/none.json"], "cannot be read"),
        (GONE, ["--issues", "{tmp}/wrong.json"], "gh issue list --json title,url,body"),
        (GONE, ["--torch", "{tmp}/none"], "no such python"),
        (GONE, ["--timeout", "soon"], "soon"),
    ],
)
def test_bad_input_is_one_line(
    text: str, options: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.py").write_text(text)
    (tmp_path / "wrong.json").write_text('[{"name": "x"}]')
    given = [option.replace("{tmp}", str(tmp_path)) for option in options]
    assert kits([str(tmp_path / "a.py"), *given], tmp_path / "kits") == 2
    errors = [line for line in capsys.readouterr().err.splitlines() if "network" not in line]
    assert len(errors) == 1
    assert said in errors[0]
    assert [path.name for path in tmp_path.glob("kits/*") if path.name != ".lock"] == []


def test_scripts_of_others_run_where_that_is_asked_for_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.py").write_text(GONE)
    assert invoke(["kit", str(tmp_path / "a.py"), "--out", str(tmp_path / "kits")]) == 2
    assert "--run-scripts" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("source", "way"),
    [
        ("import torch\ntorch.compile(f)", "torch.compile"),
        ("@torch.compile(dynamic=True)\ndef f(x): ...", "torch.compile"),
        ("torch.export.draft_export(f, x)", "torch.export"),
        ("torch._inductor.aoti_compile_and_package(torch.export.export(f, x))", "AOTInductor"),
        ("import re\nre.compile('x')", ""),
        ("import os\nos.environ['TRITON_INTERPRET'] = '1'\nfrom others import kernel\nkernel()", "Triton kernel"),
        ("import triton\ntorch.compile(f)", "torch.compile"),
    ],
)
def test_what_a_script_hands_its_program_to_is_read_from_it(source: str, way: str) -> None:
    assert way_of(source) == way


def test_where_no_back_end_fails_the_way_of_compiling_is_to_blame() -> None:
    present, gone = Ending(State.PRESENT, "x"), Ending(State.GONE)
    assert layer_of("torch.compile", present, {"eager": gone, "aot_eager": present}) == "AOTAutograd"
    assert layer_of("torch.compile", present, {"eager": gone}) == "torch.compile"
    assert layer_of("torch.export", present, {}) == "torch.export"
    assert layer_of("", present, {}) == "eager"
    assert layer_of("Triton kernel", present, {}) == "Triton kernel"
    other = Ending(State.PRESENT, "AssertionError")
    assert layer_of("torch.compile", present, {"eager": other, "inductor": present}) == "Inductor"
    strides, others = (Ending(State.PRESENT, f"strides ({n}, 1), eager: ({n}, 3)") for n in (1, 2))
    assert layer_of("torch.compile", strides, {"aot_eager": others}) == "AOTAutograd"
    assert layer_of("torch.compile", gone, {}) == ""


SAID = """
Traceback (most recent call last):
  File "/x/site-packages/torch/_dynamo/eval_frame.py", line 1, in compile_wrapper
  File "/x/site-packages/torch/_refs/__init__.py", line 7, in roll
GuardOnDataDependentSymNode: {caused}

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/x/site-packages/torch/_dynamo/output_graph.py", line 2, in call_user_compiler
UserError: no
"""


def test_what_caused_another_exception_is_blamed_for_it() -> None:
    assert origin_in(SAID.format(caused="no")) == "torch._refs:roll"
    caused = "no\nCaused by: v1 = roll(x)  # a.py:3 in f (_decomp/decompositions.py:7 in select)"
    assert origin_in(SAID.format(caused=caused)) == "torch._decomp.decompositions:select"
    assert origin_in("it is wrong") == ""


def test_code_is_taken_from_a_structured_trace(tmp_path: Path) -> None:
    log = tmp_path / "trace.log"
    log.write_text(
        'V1 00:00 1 x.py:1] {"str": ["x", 1]}\n'
        'V1 00:00 1 x.py:2] {"inductor_output_code": {"filename": "f"}, "has_payload": "a1"}\n'
        "\tdef call():\n\t\treturn 1\n"
        'V1 00:00 1 x.py:3] {"artifact": {"name": "a"}, "has_payload": "b2"}\n'
        "\tnothing\n"
        "V1 00:00 1 x.py:4] {broken\n"
        'V1 00:00 1 x.py:5] {"dynamo_output_graph": {}, "has_payload": "c3"}\n'
        "\tclass GraphModule: ...\n"
    )
    assert list(code_of(log)) == [
        ("inductor_output_code", "def call():\n\treturn 1\n"),
        ("dynamo_output_graph", "class GraphModule: ...\n"),
    ]


def test_what_is_alike_is_found_by_words_and_its_title_counts_most() -> None:
    index = Index(
        [
            Known("an assertion", "https://forge/2", "of scatter_reduce and amax; no rows are left"),
            Known("scatter of no rows", "", "an assertion"),
            Known("nothing in common", "", ""),
        ]
    )
    found = index.like("scatter of no rows: AssertionError")
    assert [one.title for one in found] == ["scatter of no rows", "an assertion"]
    assert [one.title for one in index.like("scatter_reduce")] == ["an assertion"]
    assert index.like("of a * ? \"' OR NOT") == []


def test_a_kept_script_has_the_note_on_its_cause() -> None:
    folder = home() / "suites" / "corpus" / "scripts"
    notes = [note_on(script) for script in sorted((folder / "programs").glob("*.py"))[:40]]
    assert sum(note is not None for note in notes) > 30
    assert note_on(folder / "inductor_multiplication_by_zero_loses_nan.py") is None


def test_the_title_is_what_a_script_says_of_itself() -> None:
    assert title_of("# a, b\n# c. Exits 1 while the bug is there, 0 when it is gone. x\n1") == ("a, b c.")
    assert title_of("import torch\n# a") == ""


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_that_others_wrote_ends_its_place_in_an_issue(name: str) -> None:
    text = HOSTILE[name]
    ending = Ending(State.PRESENT, text)
    output = Output(call=0, output=0, dtype=text, shape=text, differs=text, close=False)
    kernel = Kernel(
        name=text, files=[], registers=8, spill_bytes=0, shared_bytes=0, instructions=9, specialisation=text
    )
    kit = Kit(
        script="a",
        digest="",
        when="",
        title=text,
        torch=text,
        here=ending,
        error=text,
        layer="Dynamo",
        where=text,
        layers={"eager": ending},
        bisector=text,
        outputs=[output],
        releases={"2.13.0": ending},
        turns=text,
        note=text,
        link=text,
        similar=[Similar(title=text, link=text, score=1)],
        kernels=[kernel],
        target="sm_90",
        interpreted=ending,
    )
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(issue(kit, text, text))
    headings = [tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open"]
    assert headings == ["🐛 Describe the bug", "Error logs", "Versions"]
    quoted = [token.content.strip() for token in tokens if token.type == "fence"]
    assert len(quoted) == 3
    assert all(one in visible(text, lines=True) for one in quoted)
    assert not any(token.type == "html_block" for token in tokens)
    inline = [child.type for token in tokens for child in token.children or ()]
    assert not {"html_inline", "image", "link_open"} & set(inline)
    rows = sum(token.type == "tr_open" for token in tokens)
    assert rows == 8


def test_a_script_that_is_too_long_for_an_issue_is_attached() -> None:
    kit = Kit(script="a", digest="", when="", title="t", torch="2", here=Ending(State.PRESENT), layer="eager")
    assert "Attached: `reproduce.py`." in issue(kit, "#" * MOST, "")
    assert "x = 1" in issue(kit, "x = 1", "")
