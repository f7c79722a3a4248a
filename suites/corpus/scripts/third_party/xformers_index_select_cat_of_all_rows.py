# xformers 0.0.35, index_select_cat: as many indices as the source has rows are refused, by `<` in place of `<=`; the
# message says that they may not exceed the rows, which they do not. Exits 1 while the bug is there, 0 when it is gone,
# 2 without xformers: EAGERDIFF_XFORMERS=/folder/that/holds/xformers.
import os, sys, types
os.environ["TRITON_INTERPRET"] = "1"
import torch
sys.path.insert(0, root := os.environ.get("EAGERDIFF_XFORMERS", "."))
for name in ("xformers", "xformers.ops"):  # without what their __init__ imports
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [os.path.join(root, *name.split("."))]
sys.modules["xformers"]._is_triton_available = lambda: True
sys.modules["xformers.ops.common"] = types.ModuleType("xformers.ops.common")
sys.modules["xformers.ops.common"].__dict__.update(BaseOperator=object, register_operator=lambda operator: operator)
torch.Tensor.is_cuda = True  # which it asks for
try:
    from xformers.ops.indexing import index_select_cat
except ImportError as error:
    sys.exit(print(f"needs xformers: {error}") or 2)
source, index = torch.randn(3, 4), torch.tensor([2, 0, 1])
try:
    found = index_select_cat([source], [index])
except ValueError as error:
    sys.exit(print(f"raises {str(error)!r}") or 1)
sys.exit(not torch.equal(found, source[index].flatten()))
