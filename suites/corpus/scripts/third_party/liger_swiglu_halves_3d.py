# liger-kernel 0.8.5, LigerFusedGateUpSiLUMulFunction: takes [..., 2 * ffn_size], and its backward pass returns the gradient
# as [rows, 2 * ffn_size]: with more than one leading dim, autograd refuses it. Two leading dims of any size show it.
# Exits 1 while the bug is there, 0 when it is gone, 2 without liger-kernel: EAGERDIFF_LIGER_KERNEL=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import importlib
root = os.environ.get("EAGERDIFF_LIGER_KERNEL", ".")
path = os.path.join(root, "liger_kernel/ops/swiglu.py")
if not os.path.exists(path):
    sys.exit(print(f"needs liger-kernel: no {path}") or 2)
sys.path.insert(0, root)
import types
for name in ("liger_kernel", "liger_kernel.ops"):  # packages without what their __init__ runs
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [os.path.join(root, *name.split("."))]
import torch
module = importlib.import_module("liger_kernel.ops.swiglu")
x = torch.randn(2, 3, 8, requires_grad=True)
try:
    module.LigerFusedGateUpSiLUMulFunction.apply(x).sum().backward()
except RuntimeError as error:
    sys.exit(print(error) or 1)
