# xformers 0.0.35, backward of scaled_index_add: the gradient of a sum is one number, expanded (strides of 0), and is
# refused, for strides must be those of the source: scaled_index_add(…).sum().backward() raises. Exits 1 while the bug
# is there, 0 when it is gone, 2 without xformers: EAGERDIFF_XFORMERS=/folder/that/holds/xformers.
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
    from xformers.ops.indexing import scaled_index_add
except ImportError as error:
    sys.exit(print(f"needs xformers: {error}") or 2)
x, source = torch.randn(4, 2, 4), torch.randn(2, 2, 4, requires_grad=True)
try:
    scaled_index_add(x, torch.tensor([2, 0]), source, alpha=2.0).sum().backward()
except ValueError as error:
    sys.exit(print(f"raises {str(error)!r}") or 1)
sys.exit(not bool((source.grad == 2).all()))
