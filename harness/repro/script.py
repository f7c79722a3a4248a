"""A finding as a standalone script: plain torch, no import of this project."""

import inspect
import itertools
import re
import textwrap
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import torch
from pydantic import BaseModel, ConfigDict

from eagerdiff.harness.environments import python_of
from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.operator import Inputs, Operator
from eagerdiff.harness.model.verdict import Oracle, Status
from eagerdiff.harness.model.workload import Workload
from eagerdiff.harness.repro.checks import CHECKS
from eagerdiff.harness.repro.condensing import condensed
from eagerdiff.harness.repro.kernel import function_source, standalone_source, standing_alone
from eagerdiff.harness.repro.literal import UNPACK, literal
from eagerdiff.harness.repro.making import making
from eagerdiff.harness.repro.prelude import AT_ONCE, HASHED, INTERPRETER, ON_GPU
from eagerdiff.harness.sinks import python_source
from eagerdiff.harness.triage.finding import Finding

_GPU_CODE = r"'cpu_backend': 'triton'(, )?|, 'cpu_backend': 'triton'"
"""The setting, between others or alone, that has Inductor write GPU code where there is no GPU."""
_WITHOUT_GPU = ("host", "interpreted")
"""Devices that run Triton kernels where there is no GPU; a plain script has Triton's own interpreter for that."""
_NARROW = ("bfloat16", "float8_e4m3fn", "float8_e5m2")


_TOLD_LATER = (Status.WRONG_VALUE, Status.WRONG_SHAPE, Status.WRONG_DTYPE, Status.RAISED, Status.CRASHED)
"""Statuses that show when the calls are over."""


class UnscriptableError(Exception):
    """Say, in one line, why a finding has no standalone script."""


@dataclass(frozen=True)
class Form:
    """Choose among the scripts that one finding may have."""

    exact: bool = True
    """Keep every bit of the inputs; otherwise large tensors become seeded noise, which is easier to read."""
    own: bool = False
    """Hold a compiled function against itself in eager rather than against the operator's reference: half the code."""
    processor: bool = False
    """Have Inductor write C++ where the finding is about its GPU code: the shorter script, if the bug is in both."""


class Draft(BaseModel):
    """Hold a script that is not verified yet, or why there is none."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    script: str = ""
    python: str = ""
    """The interpreter of the environment that it needs; empty where this one will do."""
    note: str = ""


def drafts(finding: Finding, operator: Operator, implementation: Implementation) -> Iterator[Draft]:
    """Return the scripts that a finding may have, the one that reads best first; of some only why there is none."""
    needed = implementation.requires.environment
    python = str(python_of(needed) or "") if needed else ""
    for form in forms(finding, operator, implementation):
        try:
            yield Draft(script=render(finding, operator, implementation, form), python=python)
        except UnscriptableError as error:
            yield Draft(note=str(error))


def forms(finding: Finding, operator: Operator, implementation: Implementation) -> list[Form]:
    """Return the forms to try, the one that reads best first."""
    compiled = implementation.mode is not None
    processors = (True, False) if finding.device in _WITHOUT_GPU and compiled else (False,)
    own = (True, False) if compiled and _EAGER in _source(implementation, finding, operator) else (False,)
    return [Form(*chosen) for chosen in itertools.product((False, True), own, processors)]


_EAGER = "\neager = "
"""How an implementation's source names the function that it compiles, where that is not the reference."""


def _source(implementation: Implementation, finding: Finding, operator: Operator) -> str:
    if implementation.source is None:
        return ""
    return implementation.source(Workload.from_data(operator.case, finding.workload).cases[0])


def render(finding: Finding, operator: Operator, implementation: Implementation, form: Form = Form()) -> str:
    """Return the source of a script that exits 1 while the bug is there and 0 when it is gone.

    Raise UnscriptableError where no plain script can show the finding.
    """
    check = _check(finding)
    if implementation.at_once and finding.verdict.status not in _TOLD_LATER:
        raise UnscriptableError(
            f"{finding.verdict.status.value} of calls at once needs the harness: run `eagerdiff replay`"
        )
    workload = Workload.from_data(operator.case, finding.workload)
    calls = [operator.inputs(case, "cpu") for case in workload.cases]
    interpreted = finding.device in _WITHOUT_GPU and not form.processor
    if interpreted and any(name in repr(calls) for name in _NARROW):
        raise UnscriptableError("Triton's own interpreter computes narrow floats wrongly: a plain script needs a GPU")
    parts = [
        _heading(finding),
        _imports(check, implementation, finding.device, interpreted=interpreted),
        _functions(operator, implementation, workload, form),
        _calls([_without(call, operator.showing.choosing) for call in calls], form.exact),
        "calls = tree_map(on_gpu, calls)" if finding.device == "cuda" else "",
        AT_ONCE if implementation.at_once else "",
        check,
    ]
    return _tight("\n\n".join(part.strip("\n") for part in parts if part)) + "\n"


def _functions(operator: Operator, implementation: Implementation, workload: Workload, form: Form) -> str:
    """Return the source of `reference` and `implementation`; kernels keep their author's layout and comments."""
    if implementation.source is None:
        return _authors(operator, implementation, workload)
    tested = textwrap.dedent(implementation.source(workload.cases[0]))
    tested = re.sub(_GPU_CODE, "", tested) if form.processor else tested
    if form.own:
        return condensed(tested.replace(_EAGER, "\nreference = "), ("implementation",))
    right = operator.showing.source(workload.cases[0]) if operator.showing.source else _own_source(operator)
    return condensed(f"{right}\n\n{tested}", ("reference", "implementation"))


def _authors(operator: Operator, implementation: Implementation, workload: Workload) -> str:
    """Return the source of both where the implementation has none but its author's file, once where it is one file."""
    case, reference = workload.cases[0], operator.reference
    try:
        made = making(implementation, case)
        if operator.showing.source is None and made.module is inspect.getmodule(reference):
            source = standing_alone(made.module, made.names | {reference.__name__})
            return f"{source}\nreference = {reference.__name__}\n\n{made}"
        source = standing_alone(made.module, made.names)
    except (OSError, TypeError, ValueError) as error:
        raise UnscriptableError(f"{implementation.name} has no source that stands alone: {error}") from error
    right = operator.showing.source(case) if operator.showing.source else _own_source(operator)
    return f"{right}\n\n{source}\n\n{made}"


def _tight(script: str) -> str:
    """Keep one blank line where there are more, and the first `import torch`; put first what must stand there."""
    first = dict.fromkeys(re.findall(r"^from __future__ import .*\n", script, re.MULTILINE))
    script = re.sub(r"^from __future__ import .*\n", "", script, flags=re.MULTILINE)
    head, _, rest = re.sub(r"\n{3,}", "\n\n", script).partition("\nimport torch\n")
    head = head.replace("\nimport copy\n", f"\n{''.join(first)}import copy\n", 1)
    return f"{head}\nimport torch\n" + re.sub(r"^import torch\n", "", rest, flags=re.MULTILINE)


def _seen(finding: Finding) -> str:
    """Return what was seen, and by which check where that is not in the name."""
    verdict = finding.verdict
    same = verdict.decided_by == verdict.status.value.lower()
    return verdict.status.value if same else f"{verdict.status.value} by {verdict.decided_by}"


def _check(finding: Finding) -> str:
    status = finding.verdict.status
    if status not in CHECKS or finding.verdict.oracle in (Oracle.RELATION, Oracle.BATCH):
        raise UnscriptableError(f"the harness alone sees {_seen(finding)}: run `eagerdiff replay`")
    if status is Status.OVER_BUDGET and finding.verdict.allowed is None:
        raise UnscriptableError("the verdict does not say how many compiles were allowed")
    return CHECKS[status].replace("ALLOWED", f"{finding.verdict.allowed or 0:.0f}")


def _heading(finding: Finding) -> str:
    title = f"{finding.operator}, {finding.implementation} on {finding.device}: {finding.verdict.describe()}"
    seen = f"Exits 1 while the bug is there, 0 when it is gone. Seen with torch {torch.__version__}."
    return f"# {python_source.comment(title)}\n# {seen}"


def _imports(check: str, implementation: Implementation, device: str, *, interpreted: bool) -> str:
    lines = ["import copy", "import sys"]
    if interpreted and implementation.mode is None:
        lines += ["import os", 'os.environ["TRITON_INTERPRET"] = "1"']
    lines.append("import torch")
    if "tree_" in check or device == "cuda":
        lines.append("from torch.utils._pytree import tree_leaves, tree_map")
    if interpreted and implementation.mode is not None:
        lines.append(INTERPRETER)
    if device == "cuda":
        lines.append(ON_GPU.strip())
    return "\n".join(lines)


def hashed(script: str, seed: str) -> str:
    """Return a script that runs with one hash seed (`PYTHONHASHSEED`)."""
    return script.replace("\nimport copy\n", f"\n{HASHED.strip().replace('CHOSEN', seed)}\nimport copy\n", 1)


def _own_source(operator: Operator) -> str:
    """Take the reference alone where it needs nothing but torch, else its whole module (which imports torch alone)."""
    try:
        source = function_source(operator.reference) or standalone_source(operator.reference)
    except (OSError, TypeError, ValueError) as error:
        raise UnscriptableError(f"the reference has no source that stands alone: {error}") from error
    return f"{source}\nreference = {operator.reference.__name__}"


def _without(call: Inputs, choosing: Collection[str]) -> Inputs:
    return Inputs(call.args, {name: value for name, value in call.options.items() if name not in choosing})


def _calls(calls: Sequence[Inputs], exact: bool) -> str:
    try:
        rows = [
            f"    ({literal(call.args, exact=exact)}, {literal(dict(call.options), exact=exact)})," for call in calls
        ]
    except TypeError as error:
        raise UnscriptableError(str(error)) from error
    body = "\n".join(["calls = [", *rows, "]"])
    needed = [UNPACK] if "tensor_from_text(" in body else []
    needed += ["G = torch.Generator().manual_seed(0)"] if "generator=G" in body else []
    return "\n".join([*needed, body])
