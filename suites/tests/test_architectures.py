"""Architectures: built by a config alone, the same in every process, and drawn at sizes that they take."""

from pathlib import Path

import pytest
from hypothesis import given, settings

from eagerdiff import Status, Workload
from eagerdiff.harness.devices import parse
from eagerdiff.harness.execution.execution import execute
from eagerdiff.reference import architectures
from eagerdiff.strategies.architectures import TAKES, TOKENS, cases, data
from eagerdiff.strategies.cases.architectures import ArchitectureCase
from eagerdiff.suites.architectures import ARCHITECTURES, OPERATOR, dims, importable, source

REFUSED = {"vit": "Constraints violated by no declared size"}
"""Which torch 2.13 refuses to export, and what it says: a defect of its own."""
EXPORT = next(one for one in OPERATOR.implementations if one.name == "export.bounded")


def test_without_its_packages_each_says_what_makes_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EAGERDIFF_CACHE", str(tmp_path))
    assert importable() == "needs others: make others"
    case = ArchitectureCase(architecture="bert", batch=2, seq=3)
    assert all(one.supports(case) == "needs others: make others" for one in OPERATOR.implementations)


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_a_script_defines_it_alone(name: str) -> None:
    text = source(ArchitectureCase(architecture=name, batch=2, seq=3))
    compile(text, name, "exec")
    assert "eagerdiff" not in text
    assert f"module = {ARCHITECTURES[name].__name__}()" in text


def test_what_is_drawn_and_what_is_called_have_the_same_names() -> None:
    assert [*TAKES] == [*ARCHITECTURES]
    assert TOKENS == architectures.TOKENS
    for name, made in ARCHITECTURES.items():
        assert (TAKES[name] == "images") is ("." in made.inputs[0].split())
        assert (TAKES[name] == "padded tokens") is (len(made.inputs) == 2)


@given(cases())
@settings(max_examples=50, deadline=None)
def test_what_is_drawn_has_the_axes_that_it_declares(case: ArchitectureCase) -> None:
    found = dims(case)
    assert [*found] == [*range(len(ARCHITECTURES[case.architecture].inputs))]
    assert all(sizes[0] == "batch" for sizes in found.values())
    assert [one.dim() for one in data(case)] == [len(made.split()) for made in ARCHITECTURES[case.architecture].inputs]


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_what_is_exported_is_right(name: str) -> None:
    if reason := importable():
        pytest.skip(reason)
    device = parse("cpu")
    device.activate()
    sizes = ((3, 3), (5, 4), (1, 2), (3, 20))
    calls = [ArchitectureCase(architecture=name, batch=batch, seq=seq, seed=seq) for batch, seq in sizes]
    verdicts = execute(OPERATOR, EXPORT, Workload(tuple(calls)), device).verdicts
    if name in REFUSED:
        assert (verdicts[0].status, REFUSED[name] in verdicts[0].reason) == (Status.RAISED, True)
        return
    found = {verdict.status for verdict in verdicts}
    assert found <= {Status.PASSED, Status.SKIPPED}
    assert (Status.PASSED in found) is ARCHITECTURES[name].whole
