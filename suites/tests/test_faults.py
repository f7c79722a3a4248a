"""Faults: planted defects are data, and one that no longer fits its source is an error."""

from pathlib import Path

import pytest

from eagerdiff.harness.catalog import catalog, provenance
from eagerdiff.harness.mutation.faults import Fault, FaultError, load_faults, plant, read_faults, spoil

FIELDS = {
    "id": "F1",
    "operator": "moe",
    "implementation": "worklist",
    "file": "compiled/__init__.py",
    "text": "What is under test",
    "replacement": "What is broken",
    "seen": "nowhere",
    "what": "a docstring is wrong",
}


def yaml_of(**changes: object) -> str:
    return "\n".join(f"{name}: {value}" for name, value in (FIELDS | changes).items())


def test_a_fault_is_planted_in_a_copy_and_the_source_stays(tmp_path: Path) -> None:
    before = (provenance.home() / "compiled" / "__init__.py").read_text()
    root = plant(Fault.model_validate(FIELDS), tmp_path)
    assert "What is broken" in (root / "compiled" / "__init__.py").read_text()
    assert (provenance.home() / "compiled" / "__init__.py").read_text() == before
    assert (root / "compiled" / "moe").is_dir()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"text": "no such text"}, "stands 0 times"),
        ({"text": "e"}, "stands"),
        ({"file": "compiled/none.py"}, "no file"),
        ({"file": "../outside.py"}, "no file"),
        ({"file": "x" * 5000}, "no file"),
        ({"file": "a\0b"}, "no file"),
        ({"replacement": '""" def ('}, "is not Python"),
    ],
)
def test_a_fault_that_does_not_fit_is_an_error(change: dict[str, str], says: str) -> None:
    with pytest.raises(FaultError, match=says):
        spoil(Fault.model_validate(FIELDS | change), provenance.home())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("id: [", "is not YAML"),
        (yaml_of(colour="red"), "colour"),
        (yaml_of(text="''"), "text"),
        ("- 3", "fault"),
        (yaml_of(id="'a b'"), "id"),
    ],
)
def test_a_malformed_file_is_one_line(text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "fault.yaml").write_text(text)
    with pytest.raises(FaultError, match=rf"^(?=[^\n]*{says})[^\n]+$"):
        read_faults(tmp_path / "fault.yaml")


def test_reading_a_fault_executes_nothing(tmp_path: Path) -> None:
    (tmp_path / "fault.yaml").write_text(f"!!python/object/apply:os.mkdir ['{tmp_path / 'made'}']")
    with pytest.raises(FaultError):
        read_faults(tmp_path / "fault.yaml")
    assert not (tmp_path / "made").exists()


def test_every_shipped_fault_fits_and_names_a_shipped_implementation() -> None:
    found = catalog.load()
    faults = load_faults(found.operators.values())
    unknown = [fault.id for fault in faults if fault.implementation not in found.implementations[fault.operator]]
    assert unknown == []
