"""Memory: copies of inputs that keep their aliasing, guard bands around them, fills of what nobody wrote."""

from eagerdiff.harness.memory.copies import Copies as Copies
from eagerdiff.harness.memory.copies import duplicate as duplicate
from eagerdiff.harness.memory.copies import is_thin as is_thin
from eagerdiff.harness.memory.guards import GuardedInputs as GuardedInputs
from eagerdiff.harness.memory.guards import guard as guard
from eagerdiff.harness.memory.leaves import NamedTensor as NamedTensor
from eagerdiff.harness.memory.leaves import replace_tensors as replace_tensors
from eagerdiff.harness.memory.leaves import tensors as tensors

__all__ = ["Copies", "GuardedInputs", "NamedTensor", "duplicate", "guard", "is_thin", "replace_tensors", "tensors"]
