# generative_recommenders db1bf8f2, triton_jagged_dense_broadcast_add: results are stored by the row stride of the
# jagged input in place of that of the result. Where the input is a slice of columns the rows land in the wrong places,
# and those at the end behind the result's memory. Here an allocation has room behind it. Exits 1 while the bug is
# there, 0 when it is gone, 2 without generative_recommenders:
# EAGERDIFF_GENERATIVE_RECOMMENDERS=/folder/that/holds/generative_recommenders.
import os, sys, types
os.environ["TRITON_INTERPRET"] = "1"
import torch, triton
from triton.backends.compiler import GPUTarget
target = GPUTarget("cpu", 0, 32)
triton.runtime.driver.set_active(types.SimpleNamespace(get_current_target=lambda: target))
triton.runtime.Autotuner._bench = lambda *args, **options: [1.0, 1.0, 1.0]  # the first configuration is taken
sys.path.insert(0, root := os.environ.get("EAGERDIFF_GENERATIVE_RECOMMENDERS", "."))
for name in ("generative_recommenders", "generative_recommenders.ops", "generative_recommenders.ops.triton"):  # without what their __init__ imports
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [os.path.join(root, *name.split("."))]
try:
    from generative_recommenders.ops.triton.triton_jagged import triton_jagged_dense_broadcast_add
except ImportError as error:
    sys.exit(print(f"needs generative_recommenders: {error}") or 2)
def empty_like(x):
    return torch.full((1000,), torch.nan)[: x.numel()].view(x.shape)
torch.empty_like = empty_like
torch.manual_seed(0)
jagged, dense, offsets = torch.randn(3, 8)[:, :4], torch.randn(2, 4), torch.tensor([0, 1, 3])
found = triton_jagged_dense_broadcast_add(2, offsets, jagged, dense)
right = jagged + dense.repeat_interleave(offsets.diff(), 0)
behind = torch.as_strided(found, (988,), (1,), 12)
print(f"{int((~torch.isclose(found, right)).sum())} of {right.numel()} wrong, {int((~behind.isnan()).sum())} written behind")
sys.exit(not (torch.allclose(found, right) and bool(behind.isnan().all())))
