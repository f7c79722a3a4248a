"""The rules by which a way of compiling may refuse a program, each with its proof: data, graph breaks, packages."""

import re
from collections.abc import Callable
from typing import Any

from eagerdiff import Excuse
from eagerdiff.compiled.declared import Declared
from eagerdiff.compiled.export_config import ExampleRefused
from eagerdiff.compiled.export_path import OtherStrides, UnsoundDraft
from eagerdiff.compiled.refusal import breaks_graph, depends_on_data

__eagerdiff_glue__ = True
"""What this module raises itself is a harness error, not a finding about the compiler (docs/judge.md)."""

MODEL = "https://docs.pytorch.org/docs/stable/export.programming_model.html"
PACKAGES = "https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html"
DECOMPOSED = "https://docs.pytorch.org/docs/stable/export.html#export-ir-decompositions"
DRAFTS = "https://docs.pytorch.org/docs/stable/export/draft_export.html"
STRIDES = "torch/_inductor/codegen/cpp_wrapper_cpu.py"
INTERPRETER = "https://triton-lang.org/main/programming-guide/chapter-3/debugging.html"

SCHEMAS = "https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/native_functions.yaml"
_INTEGER_FROM_DATA = re.compile(
    r"Could not extract specialized integer from data-dependent expression u\d+ .*?Size-like symbols: none", re.DOTALL
)
"""torch asks for a number that no size of a tensor is: one that a program reads, or is given."""

Named = Callable[[Any], str]
"""Return which operation of a case's program a rule is about, or an empty string."""


def data_decision(branching: Named) -> Excuse:
    """Return the rule for Python that branches on a size which only the data tell."""

    def proof(case: Any, error: BaseException | None) -> str:
        return branching(case) if error is not None and depends_on_data(error) else ""

    return Excuse(
        name="a branch on data",
        says="What is traced cannot branch in Python on a size that depends on data.",
        link=MODEL,
        proof=proof,
        reason="Python that branches on data is drawn on purpose, and one such operation refuses a whole workload.",
    )


def dim_from_data(numbering: Named) -> Excuse:
    """Return the rule for the number of a dim that is read from data.

    torch must say that it wants an integer, of no size: one that a tensor's size depends on is none of this.
    """

    def proof(case: Any, error: BaseException | None) -> str:
        return numbering(case) if error is not None and _INTEGER_FROM_DATA.search(str(error)) else ""

    return Excuse(
        name="the number of a dim from data",
        says="Which dim is meant is part of the graph: torch's schemas call it int, not SymInt.",
        link=SCHEMAS,
        proof=proof,
    )


def graph_break(breaking: Named) -> Excuse:
    """Return the rule for what Dynamo breaks the graph at, where the graph must be whole."""

    def proof(case: Any, error: BaseException | None) -> str:
        return breaking(case) if error is not None and breaks_graph(error) else ""

    return Excuse(
        name="a graph break",
        says="Strict export wants one graph, and Dynamo breaks it there.",
        link=MODEL,
        proof=proof,
        reason="Operations at which Dynamo breaks the graph are drawn on purpose, and one refuses a whole workload.",
    )


def traced_value(needing: Named, declared: Declared[Any]) -> Excuse:
    """Return the rule for what must have a value where Python itself runs: `float()` of a size.

    torch says then that the size became a constant, or that it depends on data; another refusal is none of this.
    """

    def proof(case: Any, error: BaseException | None) -> str:
        named = needing(case)
        if error is None or not named:
            return ""
        found = declared.read(case, error)
        if depends_on_data(error):
            return named
        constants = ", ".join(f"{formula} is {number}" for formula, number in found.constants)
        return f"{named}; {constants}" if constants and not (found.demanded or found.failed) else ""

    return Excuse(
        name="a value where Python runs",
        says="Non-strict export runs Python itself, in which float() and int() of a size give its value.",
        link=MODEL,
        proof=proof,
    )


def no_backward(differentiated: Callable[[Any], bool]) -> Excuse:
    """Return the rule for gradients of a package."""
    return Excuse(
        name="no backward in a package",
        says="AOTInductor compiles for inference.",
        link=PACKAGES,
        proof=lambda case, error: "gradients are taken" if differentiated(case) else "",
        reason="Every third call that is drawn takes gradients, and a package has none.",
    )


def decomposed_forward(differentiated: Callable[[Any], bool]) -> Excuse:
    """Return the rule for gradients of a program whose forward was decomposed."""
    return Excuse(
        name="no backward of core ATen",
        says="run_decompositions() makes a program for inference: what is differentiated then are other formulas.",
        link=DECOMPOSED,
        proof=lambda case, error: "gradients are taken" if differentiated(case) else "",
        reason="Every third call that is drawn takes gradients; that of sqrt(var(x)) is NaN where that of std is 0.",
    )


def own_strides() -> Excuse:
    """Return the rule for strides other than the example's."""
    return Excuse(
        name="the strides of the example",
        says="AOTInductor compiles for the strides of its example, and takes them for granted.",
        link=STRIDES,
        proof=lambda case, error: str(error) if isinstance(error, OtherStrides) else "",
        reason="Layouts change in every sixth call of a workload, and an artifact is of one.",
    )


def unsound_draft() -> Excuse:
    """Return the rule for a draft that reports what may be wrong of it."""
    return Excuse(
        name="a draft says that it is unsound",
        says="draft_export takes from the example what it cannot decide, and reports it.",
        link=DRAFTS,
        proof=lambda case, error: str(error) if isinstance(error, UnsoundDraft) else "",
        reason="It is for programs that export refuses, and what the data decide is drawn on purpose.",
    )


def refused_example() -> Excuse:
    """Return the rule for an example that eager refuses too."""
    return Excuse(
        name="eager refuses the example",
        says="What eager does not take cannot be exported.",
        link=MODEL,
        proof=lambda case, error: str(error) if isinstance(error, ExampleRefused) else "",
        reason="Calls that eager refuses at any size are drawn on purpose: compiled code must refuse them too, and an "
        "export of them has nothing that could be called.",
    )


def interpreted(most: int, elements: Callable[[Any], int]) -> Excuse:
    """Return the rule for tensors that the interpreter would take seconds for."""

    def proof(case: Any, error: BaseException | None) -> str:
        return f"{elements(case)} elements, {most} at most" if elements(case) > most else ""

    return Excuse(
        name="too large for the interpreter",
        says="The interpreter takes milliseconds a program, and a reduction launches one for every row or two.",
        link=INTERPRETER,
        proof=proof,
        reason="The limit is this project's, for time: on a GPU the same code runs at all sizes.",
    )
