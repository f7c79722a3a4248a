"""What others add from outside, each in one place: a back end, a mode, a variant, a path of export, operations."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from eagerdiff import Finding, Implementation, Mode, Oracle, Outcome, Stage, Status, Verdict, Workload
from eagerdiff.compiled.backend import BACKENDS, DYNAMO, Backend
from eagerdiff.compiled.declared import Declared
from eagerdiff.compiled.dynamic_shapes import Shapes
from eagerdiff.compiled.export_path import ExportPath
from eagerdiff.compiled.torch_compile import MODES, Compilable
from eagerdiff.compiled.torch_export import exports
from eagerdiff.compiled.variant import Variant
from eagerdiff.harness.devices import parse
from eagerdiff.harness.execution.execution import execute
from eagerdiff.harness.report.page import recompile_tables
from eagerdiff.harness.results.results import Row
from eagerdiff.harness.triage.classification import Class
from eagerdiff.suites.tests.rows import Rows, build_inputs, operator_of, reference
from eagerdiff.suites.tests.test_plugins import distribute

ROWS: Compilable[Rows] = Compilable(
    operator="rows", function=lambda case: reference, dims={0: {0: "rows"}}, outputs=({0: "rows"},)
)
WORKLOAD = Workload.of(*(Rows(rows=rows) for rows in (4, 9, 17)))
FAMILY = """
from eagerdiff.strategies.programs.pattern import FLOATS, patterned

OPERATIONS = (patterned("acme_double", "acme", "... -> ...", "{0} + {0}", dtypes=FLOATS),)
"""
DRAWN = """
from hypothesis import find
from eagerdiff.strategies.programs.cases import cases, source
from eagerdiff.strategies.programs.table import OPERATIONS

print(source(find(cases(families=("acme",)), lambda case: True).program))
"""


@pytest.fixture(autouse=True)
def activated() -> Iterator[None]:
    parse("cpu").activate()
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


def run(implementation: Implementation[Rows]) -> Outcome:
    return execute(operator_of(), implementation, WORKLOAD, parse("cpu"), relations=False)


def test_a_back_end() -> None:
    seen: list[torch.fx.GraphModule] = []

    def acme(graph: torch.fx.GraphModule, example: list[torch.Tensor]) -> Callable[..., Any]:
        seen.append(graph)
        return graph.forward

    torch._dynamo.register_backend(acme, name="acme_compiler")
    backend = Backend(name="acme", stage=Stage.DYNAMO, called="acme_compiler", devices=("cpu",))
    every = {one.name: one for one in ROWS.implementations(backends=(*BACKENDS, backend))}
    one = every["acme.automatic"]
    outcome = run(one)
    assert [verdict.status for verdict in outcome.verdicts] == [Status.PASSED] * 3
    assert len(seen) == 2  # the compile model of the mode holds for it
    assert (one.backend, one.stage, one.devices) == ("acme", Stage.DYNAMO, ("cpu",))
    assert one.source is not None
    assert "backend='acme_compiler'" in one.source(WORKLOAD.cases[0])


def test_a_mode() -> None:
    mode = Mode(
        name="unassumed",
        dynamic=None,
        policy="dynamic",
        settings={"torch._dynamo.config": {"assume_static_by_default": False}},
    )
    every = {one.name: one for one in ROWS.implementations(backends=(DYNAMO,), modes=(*MODES, mode))}
    one = every["dynamo.unassumed"]
    outcome = run(one)
    assert outcome.first_failure is None
    assert (outcome.compile_count, outcome.compile_allowed) == (1, 1)  # by the compile model of its policy
    assert one.source is not None
    assert "torch._dynamo.config.assume_static_by_default = False" in one.source(WORKLOAD.cases[0])

    held = Verdict(status=Status.OVER_BUDGET, oracle=Oracle.COMPILES, held=4)
    finding = Finding(
        operator="rows", implementation=one.name, identity=one.identity, device="cpu", verdict=held, workload=[], seed=0
    )
    assert finding.defect is Class.SPECIALISATION  # it promised to hold no size
    kept = Finding.model_validate_json(finding.model_dump_json())
    assert kept == finding
    assert kept.identity.mode == mode
    ours = finding.model_copy(update={"identity": every["dynamo.dynamic"].identity})
    assert ours.model_dump(mode="json")["identity"]["mode"] == "dynamic"
    with pytest.raises(ValueError, match="unknown mode 'unassumed'; ours are static, automatic"):
        Mode.model_validate("unassumed")


def test_a_mode_has_its_column_in_the_report() -> None:
    rows = [
        Row(operator="rows", implementation=f"dynamo.{mode}", device="cpu", mode=mode, compiles_per_workload={1: 2})
        for mode in ("unassumed", "dynamic", "static")
    ]
    (table,) = recompile_tables(rows)
    assert table.modes == ["static", "dynamic", "unassumed"]


def test_a_path_of_export() -> None:
    seen: list[torch.export.ExportedProgram] = []

    def load(program: torch.export.ExportedProgram, example: tuple[Any, ...]) -> Callable[..., Any]:
        seen.append(program)
        return program.run_decompositions().module()

    path = ExportPath(
        name="export_decomposed",
        what="torch.export, decomposed",
        shapes=(Shapes.NAMED,),
        load=load,
        source=("implementation = exported.run_decompositions().module()",),
    )
    (one,) = exports(
        "rows",
        lambda case: reference,
        declared=Declared(dims=lambda case: {0: {0: "rows"}}, met=lambda case: {"rows": case.rows}),
        example=lambda case: build_inputs(Rows(rows=5), "cpu"),
        paths=(path,),
    )
    assert (one.name, one.backend, one.stage) == ("export_decomposed.named", "export_decomposed", Stage.EXPORT)
    assert run(one).first_failure is None
    assert len(seen) == 1
    assert one.source is not None
    assert "run_decompositions()" in one.source(WORKLOAD.cases[0])


def test_a_variant() -> None:
    variant = Variant(
        name="unspecialised",
        mode=Mode.AUTOMATIC,
        backends=(DYNAMO,),
        dynamo={"specialize_float": False},
        why="floats are arguments",
    )
    (one,) = ROWS.implementations(backends=(DYNAMO,), modes=(), variants=(variant,))
    assert (one.name, one.variant) == ("dynamo.automatic+unspecialised", "unspecialised")
    assert run(one).first_failure is None
    assert one.source is not None
    assert "torch._dynamo.config.specialize_float = False" in one.source(WORKLOAD.cases[0])


def test_a_family_of_operations(tmp_path: Path) -> None:
    (tmp_path / "acme_operations.py").write_text(FAMILY)
    distribute(tmp_path, "[eagerdiff.operations]\nacme = acme_operations\n")
    path = f"import sys; sys.path.append({str(tmp_path)!r})\n"
    done = subprocess.run([sys.executable, "-c", path + DRAWN], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "def program" in done.stdout
    assert "+" in done.stdout
