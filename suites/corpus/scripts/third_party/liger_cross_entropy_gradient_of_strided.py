# liger-kernel 0.8.5, LigerCrossEntropyFunction of logits whose columns are not side by side (transposed, say): they are
# made contiguous inside of forward, where nothing requires a gradient, and only then is asked whether the logits do
# (HAS_GRADIENTS=_input.requires_grad), so that no gradient is computed: the logits themselves come back as their
# gradient, silently. Any size shows it; the losses are right.
# Exits 1 while the bug is there, 0 when it is gone, 2 without liger-kernel: EAGERDIFF_LIGER_KERNEL=/folder/that/has/it.
import os, sys, types
os.environ["TRITON_INTERPRET"] = "1"
root = os.environ.get("EAGERDIFF_LIGER_KERNEL", ".")
path = os.path.join(root, "liger_kernel/ops/cross_entropy.py")
if not os.path.exists(path):
    sys.exit(print(f"needs liger-kernel: no {path}") or 2)
sys.path.insert(0, root)
for name in ("liger_kernel", "liger_kernel.ops"):  # packages without what their __init__ runs
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [os.path.join(root, *name.split("."))]
import torch
from liger_kernel.ops.cross_entropy import LigerCrossEntropyFunction
torch.manual_seed(0)
logits = torch.randn(5, 3).T.requires_grad_()  # 3 rows, 5 classes
labels = torch.randint(5, (3,))
for reduction in ("mean", "sum"):
    taken = logits * 1  # the function writes over what it is given; the strides stay
    loss = LigerCrossEntropyFunction.apply(taken, labels, None, -100, 0.0, 0.0, reduction)[0]
    found, = torch.autograd.grad(loss, logits)
    wanted, = torch.autograd.grad(torch.nn.functional.cross_entropy(logits, labels, reduction=reduction), logits)
    right = torch.allclose(found, wanted, atol=1e-5)
    print(f"{reduction}: gradient is right: {right}, is the logits: {torch.equal(found, logits)}")
    if not right:
        sys.exit(1)
