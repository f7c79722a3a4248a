"""Implementations that break alike: two of one third party, and two stages of one compiler."""

from collections.abc import Callable
from dataclasses import replace

import torch

from eagerdiff import Implementation, Stage
from eagerdiff.harness.catalog.plugin import Spec
from eagerdiff.suites.tests.misbehaving import OPERATOR as DOUBLING
from eagerdiff.suites.tests.misbehaving import Doubling, double


def refuse(x: torch.Tensor) -> torch.Tensor:
    """Raise what every broken one here raises."""
    raise RuntimeError("broken")


def build_broken(case: Doubling) -> Callable[[torch.Tensor], torch.Tensor]:
    """Build what raises from 3 elements on."""
    return lambda x: refuse(x) if x.shape[0] > 2 else double(x)


OPERATOR = replace(
    DOUBLING,
    name="siblings",
    implementations=[
        Implementation(operator="siblings", name="acme.first", build=build_broken, devices=("cpu",)),
        Implementation(operator="siblings", name="acme.second", build=build_broken, devices=("cpu",)),
        Implementation(
            operator="siblings",
            name="stages.dynamo",
            build=build_broken,
            devices=("cpu",),
            family="stages",
            backend="dynamo",
            stage=Stage.DYNAMO,
        ),
        Implementation(
            operator="siblings",
            name="stages.aot",
            build=build_broken,
            devices=("cpu",),
            family="stages",
            backend="aot",
            stage=Stage.AOT,
        ),
        Implementation(operator="siblings", name="right", build=lambda case: double, devices=("cpu",)),
    ],
)
SPEC = Spec("eagerdiff.suites.tests.siblings:OPERATOR")
