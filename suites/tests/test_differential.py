"""Every implementation in the catalog, shipped or plugged in, against eager on every device that is here."""

import pytest

from eagerdiff.harness.campaign.differential import Check
from eagerdiff.harness.pytest_plugin import explain


@pytest.mark.timeout(0)  # the budget and the workers' own limits bound it
def test_differential(differential_check: Check, pytestconfig: pytest.Config) -> None:
    if differential_check.broken:
        raise HarnessError(differential_check.broken)
    if differential_check.findings:
        pytest.fail(explain(differential_check, pytestconfig), pytrace=False)
    if not differential_check.cases:
        reasons = ", ".join(differential_check.skipped) or "nothing was drawn"
        pytest.skip(f"no case was judged: {reasons}")
