"""Selfcheck: a planted defect is found, a harmless edit is not, and what fails without the defect does not count."""

from io import StringIO

import pytest
from rich.console import Console

from eagerdiff.harness.catalog import catalog
from eagerdiff.harness.cli.selfcheck import line, show
from eagerdiff.harness.mutation.faults import Fault, FaultError, load_faults
from eagerdiff.harness.mutation.selfcheck import Selfcheck, selfcheck
from eagerdiff.harness.results.attempt import Attempt
from eagerdiff.harness.triage.classification import Class

FAULTS = [
    Fault(
        id=name,
        operator="paged_attention",
        implementation="triton.varlen",
        file="compiled/paged_attention/attention.py",
        text='"""Paged attention in Triton',
        replacement=replacement,
        seen="nowhere",
        what=name,
    )
    for name, replacement in {
        "harmless": '"""Paged attention in some Triton',
        "crashes": 'import os, sys\nif sys.argv[0] == "-c": os.abort()\n"""Paged attention',
    }.items()
]


def test_a_defect_is_found_and_a_harmless_edit_is_not() -> None:
    done = selfcheck(FAULTS, catalog.load(["paged_attention"]), budget=6.0, slots=1)
    found = {row.id: row.found for row in done.rows}
    assert found == {"harmless": False, "crashes": True}
    assert done.missed == ["harmless"]
    assert done.rows[1].status == "CRASHED"
    assert done.rows[0].cases > 0
    assert done.seconds["median"] == done.rows[1].seconds > 0
    assert done.cases["median"] == done.rows[1].cases


ENDLESS = Fault(
    id="endless",
    operator="kv_cache",
    implementation="blocks",
    file="compiled/kv_cache/__init__.py",
    text="    ghost: dict[bytes, Tensor] = {}\n",
    replacement="    while True:\n        pass\n",
    seen="nowhere",
    what="a replay never ends",
)


@pytest.mark.slow
@pytest.mark.parametrize("hangs", [True, False])
def test_a_time_out_is_the_proof_of_a_hang_alone(hangs: bool) -> None:
    fault = ENDLESS.model_copy(update={"hangs": hangs})
    (row,) = selfcheck([fault], catalog.load(["kv_cache"]), budget=6.0, slots=1).rows
    assert row.found is hangs
    assert row.timed_out == (not hangs) * row.cases
    assert row.status == "TIMED_OUT" * hangs
    assert row.cases > 0


def test_what_is_printed_has_cases_beside_seconds() -> None:
    row = Attempt(id="f", operator="o", implementation="i", device="cpu", found=True, seconds=2.0, cases=34)
    late = row.model_copy(update={"found": False, "timed_out": 3})
    out = StringIO()
    show(Console(file=out), Selfcheck.of([row, late]))
    assert "2.0s, 34 cases" in line(row)
    assert "3 time-outs" in line(late)
    assert "found 1 of 2, median 2.0s and 34 cases, p95 2.0s and 34 cases; missed: f" in out.getvalue()


def test_an_unknown_implementation_is_an_error() -> None:
    unknown = FAULTS[0].model_copy(update={"implementation": "triton.decoed"})
    with pytest.raises(FaultError, match=r"harmless.*did you mean triton\.varlen"):
        selfcheck([unknown], catalog.load(["paged_attention"]), budget=1.0)


def test_the_figures_are_of_the_faults_that_were_found() -> None:
    rows = [
        Attempt(
            id=str(seconds),
            operator="o",
            implementation="i",
            device="cpu",
            found=seconds < 50,
            seconds=seconds,
            cases=int(10 * seconds),
        )
        for seconds in (1.0, 3.0, 60.0, 2.0)
    ]
    done = Selfcheck.of(rows)
    assert (done.faults, done.found, done.missed) == (4, 3, ["60.0"])
    assert done.seconds == {"median": 2.0, "p95": 3.0}
    assert done.cases == {"median": 20.0, "p95": 30.0}
    assert Selfcheck.of(rows[2:3]).seconds == {}


CLASSES = {
    "programs-tail-lost": Class.WRONG_VALUE,
    "programs-memory-format-lost": Class.STRIDES,
    "programs-crashes": Class.CRASH,
    "programs-symbols-refused": Class.COMPILE_ERROR,
    "programs-error-swallowed": Class.ERROR,
    "programs-recompiles-for-ever": Class.RECOMPILE,
    "programs-dynamic-specialises": Class.SPECIALISATION,
    "programs-unbacked-rows": Class.BACKED_UNBACKED,
    "programs-export-range-narrowed": Class.EXPORT_CONSTRAINT,
    "programs-eager-instead": Class.FALLBACK,
    "programs-compile-memory": Class.COMPILE_TIME,
    "programs-waits-for-itself": Class.HANG,
}
"""One planted fault of drawn programs for each class of defects that they can show."""


@pytest.mark.slow
def test_a_fault_of_every_class_is_found_and_called_by_its_class() -> None:
    found = catalog.load(["programs"])
    faults = [fault for fault in load_faults(found.operators.values()) if fault.id in CLASSES]
    done = selfcheck(faults, found, budget=60.0, slots=1)
    assert {row.id: row.defect for row in done.rows} == CLASSES
    assert set(CLASSES.values()) == set(Class) - {Class.RACE, Class.GUARD_LOST}  # planted in kernels, and in engines
