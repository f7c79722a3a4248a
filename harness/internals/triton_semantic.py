"""Triton's semantics: what checks and converts the operands of an operation before it is built."""

from typing import TYPE_CHECKING

from eagerdiff.harness.internals.hook import Hook, reaching

_HOME = "triton.language.semantic:TritonSemantic"
_WHY = "the interpreted device extends"
HOOKS = {"TritonSemantic": Hook("triton", _HOME, _WHY, since="3.6")}
METHODS = {
    "binary_op_type_checking_impl": Hook("triton", f"{_HOME}.binary_op_type_checking_impl", _WHY, since="3.6"),
    "broadcast_impl_value": Hook(
        "triton", f"{_HOME}.broadcast_impl_value", _WHY, since="3.6", parameters=("lhs", "rhs")
    ),
}
"""What is overridden, under names that stayed the same."""

if TYPE_CHECKING:
    from triton.language.semantic import TritonSemantic as TritonSemantic
else:
    __getattr__ = reaching(__name__, HOOKS)
