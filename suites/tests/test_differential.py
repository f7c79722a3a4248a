"""Every implementation in the catalog, shipped or plugged in, against eager on every device that is here."""

import pytest

from eagerdiff.harness.campaign.differential import Check
from eagerdiff.harness.pytest_plugin import explain, leave_unjudged


@pytest.mark.timeout(0)  # the budget and the workers' own limits bound it
def test_differential(differential_check: Check, pytestconfig: pytest.Config) -> None:
    if differential_check.findings:
        pytest.fail(explain(differential_check, pytestconfig), pytrace=False)
    if not differential_check.cases:
        leave_unjudged(differential_check, pytestconfig)
