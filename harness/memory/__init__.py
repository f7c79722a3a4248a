"""Memory: copies of inputs that keep their aliasing, guard bands around them, fills of what nobody wrote."""

from harness.memory.copies import Copies as Copies
from harness.memory.copies import duplicate as duplicate
from harness.memory.guards import GuardedInputs as GuardedInputs
from harness.memory.guards import guard as guard
from harness.memory.leaves import NamedTensor as NamedTensor
from harness.memory.leaves import replace_tensors as replace_tensors
from harness.memory.leaves import tensors as tensors

__all__ = ["Copies", "GuardedInputs", "NamedTensor", "duplicate", "guard", "replace_tensors", "tensors"]
