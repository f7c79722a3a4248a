"""What adapts published packages of kernels: their modules load without a GPU, and are left as they were."""

from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from eagerdiff.strategies.own_code.argument import Drawn
from eagerdiff.strategies.own_code.interface import Interface
from eagerdiff.suites.tests.examples import FEW
from eagerdiff.suites.third_party.package import Package

ASKING = "import torch\nCAPABILITY = torch.cuda.get_device_capability()\ndef double(x):\n    return 2 * x\n"


@pytest.mark.skipif(torch.cuda.is_available(), reason="a GPU answers itself")
def test_a_module_that_asks_for_a_gpu_loads_without_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "asking_package").mkdir()
    (tmp_path / "asking_package" / "ops.py").write_text(ASKING)
    monkeypatch.setenv("EAGERDIFF_ASKING_PACKAGE", str(tmp_path))
    adapted = Package("asking_package", "nowhere").kernel("ops", lambda ops, x: ops.double(x), abs, name="double")
    before = torch.cuda.get_device_capability
    assert adapted.kernel(torch.ones(1)).item() == 2
    assert [one.__name__ for one in adapted.kernel.leads_to()] == ["double"]
    assert torch.cuda.get_device_capability is before


@FEW
@given(st.data())
def test_an_argument_may_be_a_number_at_one_time_and_none_at_another(data: st.DataObject) -> None:
    interface = Interface({"cap": Drawn(st.sampled_from((None, 30.0)))})
    first = data.draw(interface.cases())
    later = data.draw(interface.workload_cases(first))
    kinds = {type(interface.inputs(case, "cpu").args[0]) for case in (first, later)}
    assert kinds in ({float}, {type(None)})
