"""The store by which the ranks of a group find each other: a file."""

from typing import TYPE_CHECKING

from eagerdiff.harness.internals.hook import Hook, reaching

HOOKS = {"FileStore": Hook("torch", "torch._C._distributed_c10d:FileStore", "joins the ranks of a group", since="2.0")}

if TYPE_CHECKING:
    from torch._C._distributed_c10d import FileStore as FileStore
else:
    __getattr__ = reaching(__name__, HOOKS)
