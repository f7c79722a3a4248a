# liger-kernel 0.8.5, group norm: the variance is E[x^2] - E[x]^2, which cancels where the mean is large beside the
# deviation; in float32, values near 5000 whose deviation is 1 are normalised by another number, or are NaN. torch's own
# gives the same as in float64. One group of 64 values shows it.
# Exits 1 while the bug is there, 0 when it is gone, 2 without liger-kernel: EAGERDIFF_LIGER_KERNEL=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import importlib.util, tempfile
root = os.environ.get("EAGERDIFF_LIGER_KERNEL", ".")
path = os.path.join(root, "liger_kernel/ops/group_norm.py")
if not os.path.exists(path):
    sys.exit(print(f"needs liger-kernel: no {path}") or 2)
sys.path.insert(0, root)
import types
for name in ("liger_kernel", "liger_kernel.ops"):  # packages without what their __init__ runs
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [os.path.join(root, *name.split("."))]
import torch
with tempfile.TemporaryDirectory() as folder, open(f"{folder}/group_norm.py", "w") as file:
    text = open(path).read().replace("eps.to(tl.float32)", "eps")  # the interpreter gives numbers as Python's
    file.write(text.replace("= rsqrt(", "= tl.rsqrt("))
    file.flush()
    spec = importlib.util.spec_from_file_location("group_norm", file.name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    torch.manual_seed(0)
    x, weight, bias = torch.randn(1, 1, 64) + 5000, torch.ones(1), torch.zeros(1)
    found = module.LigerGroupNormFunction.apply(x, weight, bias, 1, 1, 1e-5)
    exact = torch.nn.functional.group_norm(x.double(), 1)
    error, torchs = ((one - exact).abs().max().item() for one in (found, torch.nn.functional.group_norm(x, 1)))
print(f"error {error}, torch's {torchs}")
sys.exit(not error < 0.01)
