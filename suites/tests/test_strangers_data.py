"""What a stranger's file says runs nothing: names in it are looked up among what is loaded, and never imported."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from eagerdiff.harness.campaign.events import TargetKey
from eagerdiff.harness.campaign.journal import Journal
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.catalog.plugin import PluginError, Spec, for_child, from_parent, resolve
from eagerdiff.harness.cli.application import invoke
from eagerdiff.harness.corpus.evals import Kept
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict, passed
from eagerdiff.harness.model.workload import Workload
from eagerdiff.harness.processes import Task, WorkerPool
from eagerdiff.harness.processes.task import Unresolved
from eagerdiff.harness.processes.task import resolve as resolve_task
from eagerdiff.harness.results.results import Results, Row
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.strategies.programs.cases import ProgramCase

EVIL = """
from pathlib import Path
Path({marker!r}).touch()
OPERATOR = IMPLEMENTATION = None
"""
PROGRAM = {"inputs": [{"shape": ["a"]}], "nodes": [{"op": "relu", "args": [0]}], "outputs": [1]}
WORKLOAD = [{"program": PROGRAM, "sizes": {"a": 3}}]


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    """A file that is there once the evil module was imported."""
    return tmp_path / "it ran"


@pytest.fixture
def evil(tmp_path: Path, marker: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Plant a module, in a file that the current folder holds too; return what names its file."""
    (tmp_path / "evil.py").write_text(EVIL.format(marker=str(marker)))
    monkeypatch.chdir(tmp_path)
    return f"{tmp_path / 'evil.py'}:OPERATOR"


def corpus(folder: Path, operator: str, implementation: str) -> list[str]:
    kept = {"implementation": implementation, "device": "cpu", "workload": WORKLOAD}
    (folder / "kept.yaml").write_text(json.dumps({"name": operator, "cases": [{"name": "a", "inputs": kept}]}))
    return ["replay", str(folder / "kept.yaml")]


def report(folder: Path, operator: str, implementation: str) -> list[str]:
    verdict = Verdict(status=Status.WRONG_VALUE, reason="off", oracle=Oracle.RMSE, numbers={"excess": 2.0})
    found = Finding(operator=operator, implementation=implementation, device="cpu", verdict=verdict, workload=WORKLOAD)
    rows = [Row(operator=operator, implementation=implementation, device="cpu")]
    (folder / "report.json").write_text(Results(rows=rows, findings=[found]).model_dump_json())
    with Journal(folder / "journal.jsonl") as journal:
        target, workload = TargetKey(operator, implementation, "cpu"), Workload.from_data(ProgramCase, WORKLOAD)
        assert journal.claim(target, workload, 0) is None
        journal.judged(target, workload, Outcome(verdicts=[passed(numbers={"excess": 0.9})]))
    return ["doublecheck", str(folder)]


READERS: dict[str, Callable[[Path, str, str], list[str]]] = {"corpus": corpus, "report": report}


@pytest.mark.parametrize("form", ["{file}", "evil:OPERATOR", "evil.py:IMPLEMENTATION", "./evil.py:OPERATOR"])
@pytest.mark.parametrize("reader", READERS)
def test_an_operator_that_a_file_names_is_not_imported(
    reader: str, form: str, evil: str, tmp_path: Path, marker: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    arguments = READERS[reader](tmp_path, form.format(file=evil), "eager")
    assert invoke(arguments) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert "--operator" in line
    assert not marker.exists()


@pytest.mark.parametrize("reader", READERS)
def test_an_implementation_that_a_file_names_is_not_imported(
    reader: str, evil: str, tmp_path: Path, marker: Path
) -> None:
    arguments = READERS[reader](tmp_path, "programs", evil)
    invoke(arguments)
    assert not marker.exists()


def test_a_worker_imports_no_name(evil: str, marker: Path) -> None:
    """By construction: what is not a `Spec` is a name, in this process and on the way to another."""
    with pytest.raises(PluginError, match="a name"):
        resolve(evil)  # pyright: ignore[reportArgumentType]  that is the point
    assert evil in load([evil]).refused
    kept = Kept.model_validate_json(json.dumps({"implementation": evil, "device": "cpu", "workload": WORKLOAD}))
    for task in (
        Task(operator="block_copy", implementation=kept.implementation, workload=[]),
        Task(operator=evil, implementation="x", workload=[]),
    ):
        received = Task.model_validate_json(task.model_dump_json())
        assert received == task
        with pytest.raises(Unresolved):
            resolve_task(received)
    with WorkerPool([evil], [evil]) as pool:
        assert pool.fork_server("cpu").problems
    assert not marker.exists()


def test_what_was_typed_is_imported_here_and_in_a_worker(evil: str, marker: Path) -> None:
    assert load([Spec(evil)]).refused  # it holds None, which it had to be imported for
    assert marker.exists()
    task = Task(operator=Spec(evil), implementation=Spec(evil), workload=[], plugins=(Spec(evil),))
    received = Task.model_validate_json(task.model_dump_json())
    assert [type(one) for one in (received.operator, received.implementation, *received.plugins)] == [Spec] * 3
    texts = ["moe", Spec(evil), "evil:OPERATOR"]
    assert list(map(type, from_parent(json.loads(json.dumps(for_child(texts)))))) == [str, Spec, str]


@pytest.mark.parametrize("text", ["0) or __import__('os').abort() #", "a\nimport os", "x.y", "", "a" * 99])
def test_an_attribute_of_a_program_is_never_source(text: str) -> None:
    node = {"op": "softmax", "args": [0], "attrs": {"dim": text}}
    program = {"inputs": [{"shape": ["a"]}], "nodes": [node], "outputs": [1]}
    with pytest.raises(ValueError, match="not a word"):
        ProgramCase.model_validate({"program": program, "sizes": {"a": 3}})
