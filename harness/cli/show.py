"""`eagerdiff show`: an operator, or one case of it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from eagerdiff.harness.cli.failure import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from eagerdiff.harness.catalog.catalog import Catalog
    from eagerdiff.harness.model.case import Case
    from eagerdiff.harness.model.operator import Operator


def show(
    operator: Annotated[str, typer.Argument(help="Name, or module:OPERATOR.")],
    file: Annotated[
        Path | None, typer.Argument(help="YAML file of a case, or of a workload (a list of cases).")
    ] = None,
    case: Annotated[str | None, typer.Option("--case", help="A case as inline YAML: '{seed: 1, batch: 3}'.")] = None,
) -> None:
    """Show an operator (signature, implementations, workloads, relations) or a case (tensors, cost)."""
    from eagerdiff.harness.cli.console import console
    from eagerdiff.harness.cli.options import read_whole_catalog

    if file is not None and case is not None:
        raise BadInput("give a case file or --case, not both")
    text = case if file is None else _read(file)
    catalog = read_whole_catalog([operator])
    found = next(iter(catalog.operators.values()))
    if text is None:
        _show_operator(console(), catalog, found)
        return
    for number, one in enumerate(read_cases(found, text, str(file or "--case"))):
        _show_case(console(), found, one, number)


def _read(file: Path) -> str:
    from eagerdiff.harness.reading import CASE, Unreadable, read_text

    try:
        return read_text(file, CASE)
    except Unreadable as error:
        raise BadInput(f"{file} {error}") from error


def read_cases(operator: "Operator", text: str, where: str) -> "list[Case]":
    """Return the case or the cases of a YAML text; raise BadInput for what is none, or is outside the domain."""
    from pydantic import ValidationError

    from eagerdiff.harness.reading import CASE, Unreadable, misfit, parse_yaml

    try:
        data: Any = parse_yaml(text, CASE)
        cases = [operator.case.model_validate(item) for item in (data if isinstance(data, list) else [data])]
    except Unreadable as error:
        raise BadInput(f"{where} {error}") from error
    except ValidationError as error:
        raise BadInput(f"{where}: not a case of {operator.name}: {misfit(error)}") from error
    for case in cases:
        if operator.drawing.check_inputs and (reason := operator.drawing.check_inputs(case)):
            raise BadInput(f"{where}: outside the domain of {operator.name}: {reason}")
    return cases


def _show_operator(out: "Console", catalog: "Catalog", operator: "Operator") -> None:
    from eagerdiff.harness.cli.console import table
    from eagerdiff.harness.cli.fields import fields
    from eagerdiff.harness.cli.tensors import describe_signature, tensors
    from eagerdiff.harness.search.fixed import example_case

    example = example_case(operator)
    out.print(f"{operator.name}{describe_signature(operator.reference)}", soft_wrap=True)
    out.print(tensors("inputs of an example", operator.reference, operator.inputs(example, "cpu")))
    out.print(f"example: {_flow(example)}", soft_wrap=True)
    out.print(fields(operator.case))
    implementations = table("implementations", "name", "mode", "devices", "description")
    for name, found in sorted(catalog.implementations[operator.name].items()):
        implementations.add_row(name, found.mode_name, ", ".join(found.devices), found.description)
    out.print(implementations)
    workloads = table("fixed workloads", "name", "calls", "first case", right=["calls"])
    for name, workload in operator.workloads.items():
        workloads.add_row(name, str(len(workload.cases)), str(workload.cases[0].model_dump(mode="json")))
    out.print(workloads)
    relations = [
        f"{relation.name} ({'every bit' if relation.exact else 'within tolerance'})"
        for relation in operator.judging.relations
    ]
    out.print("relations:", ", ".join(relations) or "none", soft_wrap=True)
    out.print("mutates:", ", ".join(map(str, operator.mutates)) or "nothing")
    out.print("tolerance:", operator.judging.tolerance)


def _flow(case: "Case") -> str:
    """Return a case as one line of YAML, which `--case` takes."""
    import yaml

    return yaml.safe_dump(case.model_dump(mode="json"), sort_keys=False, default_flow_style=True, width=10**6).strip()


def _show_case(out: "Console", operator: "Operator", case: "Case", number: int) -> None:
    from eagerdiff.harness.cli.tensors import tensors

    out.print(f"{operator.name} case {number}: {_flow(case)}", soft_wrap=True)
    try:
        inputs = operator.inputs(case, "cpu")
    except Exception as error:  # a case that passes the schema and still cannot be built is the user's to mend
        raise BadInput(f"case {number} cannot be built: {type(error).__name__}: {error}") from error
    out.print(tensors("inputs", operator.reference, inputs))
    if operator.cost is None:
        out.print("cost: not stated")
        return
    cost = operator.cost(case)
    intensity = f"{cost.flops / cost.bytes:.3g} FLOP/byte" if cost.bytes else "nothing moves"
    out.print(f"cost: {cost.flops:,.0f} FLOPs, {cost.bytes:,.0f} bytes, {intensity}")
