"""The builtins of Triton's language, and where they are kept."""

from typing import TYPE_CHECKING, Any

from eagerdiff.harness.internals.hook import Hook, reaching

_HOME = "triton.language.core"
HOOKS = {
    "core": Hook("triton", _HOME, "holds the builtins of the language", since="3.6"),
    "is_builtin": Hook("triton", f"{_HOME}:is_builtin", "tells builtins from kernels' own functions", since="3.6"),
    "tensor_descriptor_base": Hook("triton", f"{_HOME}:tensor_descriptor_base", "has builtins of its own", since="3.6"),
}
TYPES = {
    "block_type": Hook("triton", f"{_HOME}:block_type.__init__", "is made once for each shape", since="3.6"),
    "with_element_ty": Hook("triton", f"{_HOME}:block_type.with_element_ty", "keeps a block's shape", since="3.6"),
    "tensor": Hook("triton", f"{_HOME}:tensor.__init__", "is made without its parts", since="3.6"),
}
"""What the interpreted device replaces."""

if TYPE_CHECKING:
    core: Any
    is_builtin: Any
    tensor_descriptor_base: Any
else:
    __getattr__ = reaching(__name__, HOOKS)
