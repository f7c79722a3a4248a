"""A third party's kernel file, for the tests of the scripts."""

from typing import Any

import torch

from eagerdiff import Case, Implementation


def doubled(x: torch.Tensor) -> torch.Tensor:
    return x + x


def build(case: Case) -> Any:
    return doubled


IMPLEMENTATION = Implementation(operator="doubling", name="third_party", build=build)
