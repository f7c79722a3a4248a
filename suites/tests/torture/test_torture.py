"""Whatever a stranger's code does, at whatever stage, is told of the right one, and nobody else suffers."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from eagerdiff.suites.tests.torture.acts import ACTS, BY_NAME, Act
from eagerdiff.suites.tests.torture.faults import Fault, Stage, faults
from eagerdiff.suites.tests.torture.ordeal import Ordeal, misjudged, misjudged_import, undergo

SAMPLE = [
    Fault(Stage.CALL, BY_NAME["patch-Tensor.isfinite"]),
    Fault(Stage.CALL, BY_NAME["harmless-cause"]),
    Fault(Stage.CALL, BY_NAME["raise-stuck"]),
    Fault(Stage.SUPPORTS, BY_NAME["exit-0"]),
    Fault(Stage.STRATEGY, BY_NAME["leave-0"]),
    Fault(Stage.INPUTS, BY_NAME["signal-SEGV"]),
]
IMPORTED = [BY_NAME["leave-0"], BY_NAME["spoil-environment-gone"]]
MORE = [
    Fault(Stage.BUILD, BY_NAME["leave-0"]),
    Fault(Stage.BUILD, BY_NAME["spoil-default-dtype"]),
    Fault(Stage.SUPPORTS, BY_NAME["raise-KeyboardInterrupt"]),
    Fault(Stage.CALL, BY_NAME["kill-parent"]),
    Fault(Stage.CALL, BY_NAME["lie-json"]),
    Fault(Stage.CALL, BY_NAME["patch-builtins.any"]),
    Fault(Stage.CALL, BY_NAME["come-back-twice"]),
    Fault(Stage.BUILD, BY_NAME["raise-stuck"]),
    Fault(Stage.SUPPORTS, BY_NAME["patch-Tensor.abs"]),
    Fault(Stage.INPUTS, BY_NAME["patch-Tensor.clone"]),
    Fault(Stage.REFERENCE, BY_NAME["eat-at-once"]),
    Fault(Stage.SOURCE, BY_NAME["leave-0"]),
    Fault(Stage.CHECK, BY_NAME["raise-unheard"]),
    Fault(Stage.REFERENCE, BY_NAME["leave-0"]),
    Fault(Stage.RELATION, BY_NAME["abort"]),
    Fault(Stage.RELATION, BY_NAME["patch-Tensor.abs"]),
]


def hold(ordeal: Ordeal, chosen: Sequence[Fault], imported: Sequence[Act]) -> None:
    """Hold what was said against what is to be said."""
    wrong = {fault.name: said for fault in chosen if (said := misjudged(ordeal, fault))}
    wrong |= {f"import.{act.name}": said for act in imported if (said := misjudged_import(ordeal, act))}
    assert not wrong, "\n".join(f"{name}: {said}" for name, said in wrong.items())
    right = ordeal.right()
    assert right.cases > 0
    assert (right.findings, right.failures, right.harness_errors, right.problem) == (0, 0, {}, "")
    assert ordeal.results.broken == []
    assert ordeal.left == set()


@pytest.mark.slow
def test_a_sample_of_faults_is_told_of_the_right_ones(tmp_path: Path) -> None:
    hold(undergo(SAMPLE, IMPORTED, tmp_path, budget=20.0), SAMPLE, IMPORTED)


@pytest.mark.slow
def test_a_larger_sample_of_faults_is_told_of_the_right_ones(tmp_path: Path) -> None:
    hold(undergo(MORE, [], tmp_path, budget=60.0), MORE, [])


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_two_thousand_faults_in_one_campaign_are_told_of_the_right_ones(tmp_path: Path) -> None:
    chosen = list(faults())
    assert len(chosen) + len(ACTS) > 2000
    assert len(ACTS) >= 150
    hold(undergo(chosen, ACTS, tmp_path, budget=3600.0), chosen, ACTS)
