"""Symbolic tracing: functions as users write them, in plain eager torch."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from torch import Tensor
from torch.compiler import set_stance

from eagerdiff.reference.symbolic import bounded, control_dependent, data_dependent
from eagerdiff.reference.symbolic.models import MODELS as MODELS
from eagerdiff.reference.symbolic.program import Program as Program
from eagerdiff.reference.symbolic.program import axes as axes

__all__ = ["EVERY", "MODELS", "PROGRAMS", "Program", "axes", "symbolic"]

PROGRAMS: Mapping[str, Program] = MappingProxyType(
    {**bounded.PROGRAMS, **data_dependent.PROGRAMS, **control_dependent.PROGRAMS}
)
"""The programs by name."""
EVERY: Mapping[str, Program] = MappingProxyType({**PROGRAMS, **MODELS})
"""The programs and the models."""


def symbolic(*tensors: Tensor, program: str) -> Any:
    """Run a program or a model by name on its tensors, with no compiler, and return what it returns.

    `Program.inputs` names the axes of each tensor: `batch seq .` is one of [batch, seq, any size], and axes of one name
    have one size. Raises KeyError for a name that is not there.
    """
    # Called from eager, `torch.cond` compiles itself with Dynamo: the truth would come from what is under test.
    with set_stance("force_eager"):
        return EVERY[program].function(*tensors)
