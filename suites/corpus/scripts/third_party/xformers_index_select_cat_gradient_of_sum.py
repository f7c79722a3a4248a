# xformers 0.0.35, backward of index_select_cat: the gradient of a sum is one number, expanded (strides of 0), and is
# refused, for strides must be those of the source's gradient: index_select_cat(…).sum().backward() raises. Exits 1
# while the bug is there, 0 when it is gone, 2 without xformers: EAGERDIFF_XFORMERS=/folder/that/holds/xformers.
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
source, index = torch.randn(4, 4, requires_grad=True), torch.tensor([2, 0])
try:
    index_select_cat([source], [index]).sum().backward()
except ValueError as error:
    sys.exit(print(f"raises {str(error)!r}") or 1)
sys.exit(not torch.equal(source.grad[:, 0], torch.tensor([1.0, 0.0, 1.0, 0.0])))
