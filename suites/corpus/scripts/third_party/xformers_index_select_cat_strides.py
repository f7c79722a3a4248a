# xformers 0.0.35, index_select_cat: what is picked is stored by the row stride of the source in place of that of the
# result. Where the source is a slice of columns the rows land in the wrong places, and those at the end behind the
# result's memory. Here an allocation has room behind it. Exits 1 while the bug is there, 0 when it is gone, 2 without
# xformers: EAGERDIFF_XFORMERS=/folder/that/holds/xformers.
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
empty = torch.empty
torch.empty = lambda size, **options: torch.full((1000,), torch.nan)[: size[0]]
torch.manual_seed(0)
source, index = torch.randn(4, 8)[:, :4], torch.tensor([2, 0, 1])
found, right = index_select_cat([source], [index]), source[index].flatten()
behind = torch.as_strided(found, (988,), (1,), 12)
print(f"{int((~torch.isclose(found, right)).sum())} of {right.numel()} wrong, {int((~behind.isnan()).sum())} written behind")
sys.exit(not (torch.allclose(found, right) and bool(behind.isnan().all())))
