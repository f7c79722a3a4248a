"""Kernels of published packages: how they reach other processes, and with which numbers they are called."""

import cloudpickle
import pytest
from hypothesis import strategies as st

from eagerdiff import Workload, tensor
from eagerdiff.strategies.cases.own_code import OwnCase
from eagerdiff.strategies.own_code.argument import Drawn
from eagerdiff.strategies.own_code.interface import Interface
from eagerdiff.strategies.own_code.simplification import simpler
from eagerdiff.suites.third_party import bitsandbytes, conch, flag_gems, lmdeploy, sglang, torchao, vllm
from eagerdiff.suites.third_party.package import Adapted, Kernels

PACKAGES = {
    one.PACKAGE.module: one.KERNELS for one in (bitsandbytes, conch, flag_gems, lmdeploy, sglang, torchao, vllm)
}


@pytest.mark.parametrize("package", PACKAGES)
def test_a_kernel_is_found_by_name_in_another_process(package: str) -> None:
    kernels: Kernels = PACKAGES[package]
    again = [cloudpickle.loads(cloudpickle.dumps(one.kernel)) for one in kernels]
    assert all(found is one.kernel for found, one in zip(again, kernels, strict=True))


def test_a_kernel_that_no_module_holds_is_pickled_whole() -> None:
    kernel = bitsandbytes.PACKAGE.kernel("backends", lambda ops, x: ops.f(x), abs, name="f", x=("rows",))
    assert isinstance(kernel, Adapted)
    again = cloudpickle.loads(cloudpickle.dumps(kernel.kernel))
    assert again is not kernel.kernel
    assert again.__name__ == "bitsandbytes.f"


def test_a_simpler_call_has_numbers_that_its_strategy_gives() -> None:
    interface = Interface(
        {"x": tensor("rows"), "split": Drawn(st.sampled_from((4, 1))), "at": Drawn(st.integers(2, 9))}
    )
    workload = Workload((OwnCase(sizes={"rows": 3}, numbers={"split": 4, "at": 5}),))
    tried = [one.cases[0].numbers for one in simpler(workload, interface)]
    assert {numbers["split"] for numbers in tried} == {4, 1}
    assert {numbers["at"] for numbers in tried} == {5, 2}
