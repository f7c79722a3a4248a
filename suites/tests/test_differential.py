"""Every implementation in the catalog, shipped or plugged in, against eager on every device that is here."""

import pytest

from eagerdiff.harness.pytest_plugin.checking import PluggedCheck


@pytest.mark.timeout(0)  # the budget and the workers' own limits bound it
@pytest.mark.differential(operator="all")
def test_differential(differential_check: PluggedCheck) -> None:
    differential_check.verify()
