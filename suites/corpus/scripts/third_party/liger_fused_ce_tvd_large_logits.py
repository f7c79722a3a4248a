# liger-kernel 0.8.5, LigerFusedCETVDFunction: the logarithm of the sum is added to the rows' maximum before it is used,
# so that probabilities are exp(x - lse) of a rounded lse, and the loss lse - x[label]: logits that lie near 10000 cost
# four digits, and near 100000 all but two, of the losses and the gradient. torch's softmax and cross entropy subtract
# the maximum first, and lose none.
# Exits 1 while the bug is there, 0 when it is gone, 2 without liger-kernel: EAGERDIFF_LIGER_KERNEL=/folder/that/has/it.
import contextlib, os, sys, types
os.environ["TRITON_INTERPRET"] = "1"
root = os.environ.get("EAGERDIFF_LIGER_KERNEL", ".")
path = os.path.join(root, "liger_kernel/ops/fused_ce_tvd.py")
if not os.path.exists(path):
    sys.exit(print(f"needs liger-kernel: no {path}") or 2)
sys.path.insert(0, root)
for name in ("liger_kernel", "liger_kernel.ops"):  # packages without what their __init__ runs
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [os.path.join(root, *name.split("."))]
import torch
import torch.nn.functional as F
torch.cuda.device = lambda _: contextlib.nullcontext()
from liger_kernel.ops.fused_ce_tvd import LigerFusedCETVDFunction
def eager(student, teacher, labels):
    variation = (student.softmax(-1) - teacher.softmax(-1)).abs().sum(-1) / 2
    return F.cross_entropy(student, labels, reduction="none"), variation
def results(function, student, teacher):
    student = student.detach().requires_grad_()
    losses = function(student, teacher, labels)
    return *losses, *torch.autograd.grad(sum(one.sum() for one in losses), student)
torch.manual_seed(0)
(student, teacher), labels, worst = torch.randn(2, 16, 50), torch.randint(50, (16,)), 0
for offset in (0, 10_000):
    exact = results(eager, (student + offset).double(), teacher.double())
    found, plain = (results(one, student + offset, teacher) for one in (LigerFusedCETVDFunction.apply, eager))
    errors = [[(a - b).abs().max().item() for a, b in zip(one, exact)] for one in (found, plain)]
    print(f"offset {offset}: errors of cross entropy, variation and gradient {errors[0]}, of torch {errors[1]}")
    worst = max(worst, *errors[0])
sys.exit(not worst < 1e-5)
