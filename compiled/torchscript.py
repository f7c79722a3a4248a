"""TorchScript: an eager function traced from an example, or compiled from its source."""

from collections.abc import Callable, Collection
from typing import Any

import torch

from eagerdiff import CaseT, Excuse, Implementation, Inputs
from eagerdiff.compiled.export_config import literal
from eagerdiff.compiled.export_path import Function
from eagerdiff.compiled.refusal import named
from eagerdiff.compiled.torch_export import without

LINK = "https://docs.pytorch.org/docs/stable/jit_unsupported.html"
"""Where torch says what TorchScript does not take."""
_UNSUPPORTED = (r"^(.+ aren't supported)", r"(Expected type hint for result of \w+)")


def torchscript(
    operator: str,
    function: Callable[[CaseT], Function],
    example: Callable[[CaseT], Inputs],
    ignored: Collection[str] = (),
) -> list[Implementation[CaseT]]:
    """Return a function traced from `example(case)`, and compiled from source, as two implementations.

    `ignored` are options that only chose the function. A trace has the branches that its example took: what depends on
    a size or on data is wrong elsewhere, silently, as its documentation warns.
    """

    def traced(case: CaseT) -> Function:
        made: Any = torch.jit.trace(function(case), tuple(example(case).args), check_trace=False)
        return without(ignored, made)

    def scripted(case: CaseT) -> Function:
        return without(ignored, torch.jit.script(function(case)))

    def source_of_trace(case: CaseT) -> str:
        given = ", ".join(map(literal, example(case).args))
        return f"implementation = torch.jit.trace(reference, ({given},), check_trace=False)\n"

    def implementation(name: str, what: str, build: Callable[[CaseT], Function], **told: Any) -> Implementation[CaseT]:
        return Implementation(
            operator=operator,
            name=f"torchscript.{name}",
            backend="torchscript",
            variant=name,
            build=build,
            devices=("cpu",),
            max_compiles=lambda workload: 1,
            description=what,
            **told,
        )

    return [
        implementation("trace", "TorchScript, traced from an example", traced, source=source_of_trace),
        implementation(
            "script",
            "TorchScript, compiled from source",
            scripted,
            source=lambda case: "implementation = torch.jit.script(reference)\n",
            excuses=(_not_captured(),),
        ),
    ]


def _not_captured() -> Excuse:
    return Excuse(
        name="not captured by torchscript",
        says="The compiler of TorchScript refuses a function before it runs, and names what it does not take.",
        link=LINK,
        proof=lambda case, refusal: named(_UNSUPPORTED, str(refusal or "")),
    )
