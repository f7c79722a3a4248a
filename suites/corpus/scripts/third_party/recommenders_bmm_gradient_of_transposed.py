# generative_recommenders db1bf8f2, backward of triton_jagged_dense_bmm_add: the gradient of the jagged input is
# allocated with that input's strides, and stored as if its columns lay side by side. Where they do not, as in a
# transposed tensor, programs write over one another and the rest is what the allocation held. Exits 1 while the bug is
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
    from generative_recommenders.ops.triton.triton_jagged import triton_jagged_dense_bmm_add
except ImportError as error:
    sys.exit(print(f"needs generative_recommenders: {error}") or 2)
torch.manual_seed(0)
jagged, dense = torch.randn(4, 6).t().detach().requires_grad_(), torch.randn(2, 4, 4)
offsets, d_out = torch.tensor([0, 2, 6]), torch.randn(6, 4)
triton_jagged_dense_bmm_add(4, offsets, jagged, dense, torch.randn(2, 4)).backward(d_out)
right = torch.einsum("ln,lkn->lk", d_out, dense.repeat_interleave(offsets.diff(), 0))
error = (jagged.grad - right).abs().max().item()
print(f"error {error}")
sys.exit(not error < 1e-2)
