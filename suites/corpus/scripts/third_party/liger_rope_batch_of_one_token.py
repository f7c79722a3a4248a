# liger-kernel 0.8.5, LigerRopeFunction of q and k [batch, heads, length, head_dim] of length 1: the rows of a batch are
# taken to be q.transpose(1, 2).contiguous().stride(1) apart. Contiguous q of one token stays as it is there, and the
# stride of a size of 1 means nothing: it is head_dim instead of heads * head_dim. Heads of the first rows are rotated
# twice, and later rows not at all, silently; gradients likewise. Batch 2 and 2 heads show it.
# Exits 1 while the bug is there, 0 when it is gone, 2 without liger-kernel: EAGERDIFF_LIGER_KERNEL=/folder/that/has/it.
import os, sys, types
os.environ["TRITON_INTERPRET"] = "1"
root = os.environ.get("EAGERDIFF_LIGER_KERNEL", ".")
path = os.path.join(root, "liger_kernel/ops/rope.py")
if not os.path.exists(path):
    sys.exit(print(f"needs liger-kernel: no {path}") or 2)
sys.path.insert(0, root)
for name in ("liger_kernel", "liger_kernel.ops"):  # packages without what their __init__ runs
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [os.path.join(root, *name.split("."))]
import torch
from liger_kernel.ops.rope import LigerRopeFunction
def rotated(x, cos, sin):
    low, high = x.chunk(2, -1)
    return x * cos + torch.cat((-high, low), -1) * sin
torch.manual_seed(0)
q, k = torch.randn(2, 2, 1, 4, requires_grad=True), torch.randn(2, 3, 1, 4, requires_grad=True)
angle = torch.randn(1, 1, 2).repeat(1, 1, 2)  # [1, length, head_dim]
cos, sin = angle.cos(), angle.sin()
wanted = rotated(q, cos[:, None], sin[:, None]), rotated(k, cos[:, None], sin[:, None])
found = LigerRopeFunction.apply(q * 1, k * 1, cos, sin)
scale = torch.randn(2, 2, 1, 4), torch.randn(2, 3, 1, 4)
gradients = [torch.autograd.grad(ends, (q, k), [one.clone() for one in scale]) for ends in (found, wanted)]
right = [torch.allclose(*two, atol=1e-5) for two in (*zip(found, wanted), *zip(*gradients))]
print("q, k and their gradients are right:", right)
sys.exit(not all(right))
