"""Paths of export: all that is known of what becomes of a program between `torch.export` and a call, in one record."""

import io
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from eagerdiff import Inputs, Stage, layout_of, signature
from eagerdiff.compiled.dynamic_shapes import Shapes
from eagerdiff.compiled.rewriting.body import Body
from eagerdiff.compiled.rewriting.parts import in_parts
from eagerdiff.harness.internals.draft_export import unsound
from eagerdiff.harness.internals.inductor_options import compile_and_package, list_options, load_package

Function = Callable[..., Any]
AOT_OPTIONS = {
    "compile_threads": 1,
    "fallback_random": True,
    # The wrapper takes most of the C++ compiler's time, and is no code of the program.
    "aot_inductor.compile_wrapper_opt_level": "O0",
    "aot_inductor.enable_line_tables": False,
}
CHECKED = "AOTI_RUNTIME_CHECK_INPUTS"
"""What makes an AOTInductor package refuse sizes outside the declared ones; read once a package."""
LEFT = f"os.environ[{CHECKED!r}]"
"""What making a package leaves set (`Implementation.leaves`)."""


class OtherStrides(ValueError):
    """Say that arguments have other strides than those for which a package was compiled."""


class GuardLost(AssertionError):
    """Say that an artifact answered for sizes that the program which it was made of refuses."""


class UnsoundDraft(ValueError):
    """Say what a draft reports of itself: that it took a decision from the example, or gave a size up."""


class LostStep(AssertionError):
    """Say that an unflattened program did not call each of its submodules once and in order."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ExportPath:
    """Describe a path; one of your own is given to `exports` beside ours."""

    name: str
    """Stands in the names of implementations."""
    what: str
    """For descriptions."""
    shapes: Sequence[Shapes]
    """Ways of declaring sizes that it is tried with."""
    load: Callable[[torch.export.ExportedProgram, tuple[Any, ...]], Function]
    """Return what is called, of a program and the example that it was exported from."""
    source: Sequence[str]
    """Lines that make `implementation` of `exported`."""
    strict: bool = False
    stage: Stage = Stage.EXPORT
    how: str = "export"
    """What of `torch.export` makes the program."""
    again: bool = False
    """Whether the module of the program is exported once more."""
    apart: bool = False
    """Whether calls outside of declared bounds are a variant of their own, `outside`: where nearly all of what such a
    path makes answers there, no other failure would be seen beside that."""
    inference: bool = False
    """Whether what it makes is for inference alone, though it can be differentiated."""
    rewrite: Callable[[Body], str] | None = None
    """Return source of the module `Exported` of a function's arguments, where drawn code is written anew; None calls
    the function as it is."""

    @property
    def packaged(self) -> bool:
        """Whether it is code compiled ahead, which takes sizes of at least 2 for granted, and has no backward."""
        return self.stage is Stage.AOT_INDUCTOR


def known(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of Inductor's settings that this release has: torch 2.11 has no line tables to leave out."""
    names = list_options()
    return {name: value for name, value in options.items() if name in names}


def guards_of(program: torch.export.ExportedProgram) -> Function | None:
    """Return what raises AssertionError for arguments that a program's guards refuse; None where it has none."""
    return getattr(program.module(), "_guards_fn", None)


def run(program: torch.export.ExportedProgram, example: tuple[Any, ...]) -> Function:
    """Return the program as a module."""
    return program.module()


def saved(program: torch.export.ExportedProgram, example: tuple[Any, ...]) -> Function:
    """Serialise a program and load it again."""
    buffer = io.BytesIO()
    torch.export.save(program, buffer)
    buffer.seek(0)
    return torch.export.load(buffer).module()


def decomposed(program: torch.export.ExportedProgram, example: tuple[Any, ...]) -> Function:
    """Run the default decompositions, down to core ATen."""
    return program.run_decompositions().module()


def unflattened(program: torch.export.ExportedProgram, example: tuple[Any, ...]) -> Function:
    """Give a program the submodules back that `in_parts` made; check that each is called.

    Its guards are checked here: unflatten leaves them out (corpus/scripts/export_unflatten_leaves_out_guards.py), and
    no search would get past that.
    """
    guards = guards_of(program)
    module: Any = torch.export.unflatten(program)
    parts = sum(name.startswith("part_") for name, _ in module.named_children())

    def call(*args: Any) -> Any:
        if guards is not None:
            guards(*args)
        before = int(module.steps.taken)
        result = module(*args)
        if int(module.steps.taken) - before != parts:
            raise LostStep(f"{int(module.steps.taken) - before} steps were taken of {parts}")
        return result

    return call


def drafted(program: torch.export.ExportedProgram, example: tuple[Any, ...]) -> Function:
    """Return a draft as a module; raise UnsoundDraft where it says itself that it may be wrong."""
    if reported := unsound(program):
        raise UnsoundDraft(reported)
    return program.module()


def packaged(program: torch.export.ExportedProgram, example: tuple[Any, ...]) -> Function:
    """Compile a program with AOTInductor and load the package; check guards and strides, which it takes for granted."""
    os.environ[CHECKED] = "1"
    guards = guards_of(program)
    with tempfile.TemporaryDirectory() as folder:
        package = str(Path(folder) / "program.pt2")
        compile_and_package(program, package, known(AOT_OPTIONS))
        loaded = load_package(package)

    layouts = layouts_of(example)

    def call(*args: Any) -> Any:
        if guards is not None:
            guards(*args)
        if layouts_of(args) != layouts:
            raise OtherStrides(f"strides {layouts_of(args)}, packaged for {layouts}")
        return loaded(*args)

    return call


def layouts_of(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the order of each tensor's strides, and whether it is dense."""
    return tuple(layout_of(tensor) for tensor in signature(Inputs(args)).tensors)


EXPORT = ExportPath(
    name="export", what="torch.export", shapes=tuple(Shapes), load=run, source=("implementation = exported.module()",)
)
EXPORT_STRICT = ExportPath(
    name="export_strict",
    what="torch.export, strict",
    shapes=(Shapes.NAMED, Shapes.AUTO, Shapes.DYNAMIC),
    load=run,
    source=EXPORT.source,
    strict=True,
)
EXPORT_SAVED = ExportPath(
    name="export_saved",
    what="torch.export, saved and loaded",
    shapes=(Shapes.NAMED, Shapes.AUTO, Shapes.BOUNDED),
    load=saved,
    source=(
        "import io",
        "buffer = io.BytesIO()",
        "torch.export.save(exported, buffer)",
        "buffer.seek(0)",
        "implementation = torch.export.load(buffer).module()",
    ),
)
AOTI = ExportPath(
    name="aoti",
    what="an AOTInductor package",
    shapes=(Shapes.NAMED, Shapes.DYNAMIC, Shapes.BOUNDED),
    load=packaged,
    source=(
        "import os, tempfile",
        f'os.environ["{CHECKED}"] = "1"',
        'package = os.path.join(tempfile.mkdtemp(), "program.pt2")',
        "torch._inductor.aoti_compile_and_package(exported, package_path=package)",
        "implementation = torch._inductor.aoti_load_package(package)",
    ),
    stage=Stage.AOT_INDUCTOR,
)
PATHS = (EXPORT, EXPORT_STRICT, EXPORT_SAVED, AOTI)
"""What any function is exported by."""
EXPORT_DECOMPOSED = ExportPath(
    name="export_decomposed",
    what="torch.export, then run_decompositions",
    shapes=(Shapes.NAMED, Shapes.DYNAMIC),
    load=decomposed,
    inference=True,
    source=("implementation = exported.run_decompositions().module()",),
)
EXPORT_UNFLATTENED = ExportPath(
    name="export_unflattened",
    what="torch.export of submodules, unflattened",
    shapes=(Shapes.NAMED, Shapes.DYNAMIC),
    load=unflattened,
    rewrite=in_parts,
    source=(
        'guards = getattr(exported.module(), "_guards_fn", None)',
        "unflattened = torch.export.unflatten(exported)",
        'submodules = sum(name.startswith("part_") for name, _ in unflattened.named_children())',
        "",
        "",
        "def implementation(*args):",
        "    if guards is not None:",
        "        guards(*args)",
        "    before = int(unflattened.steps.taken)",
        "    result = unflattened(*args)",
        '    assert int(unflattened.steps.taken) - before == submodules, "a submodule was not called once"',
        "    return result",
    ),
)
EXPORT_AGAIN = ExportPath(
    name="export_again",
    what="torch.export of the module of an exported program",
    shapes=(Shapes.NAMED, Shapes.DYNAMIC),
    load=run,
    again=True,
    source=EXPORT.source,
)
DRAFT_EXPORT = ExportPath(
    name="draft_export",
    what="torch.export.draft_export",
    shapes=(Shapes.NAMED, Shapes.AUTO),
    load=drafted,
    how="draft_export",
    source=EXPORT.source,
)
DRAWN_PATHS = (*PATHS, EXPORT_DECOMPOSED, EXPORT_UNFLATTENED, EXPORT_AGAIN, DRAFT_EXPORT)
"""What drawn code is exported by: what else may be done with a program, too."""
