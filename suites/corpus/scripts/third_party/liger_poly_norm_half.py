# liger-kernel 0.8.5, PolyNorm: cubes are squared in the input's dtype. In float16 that is infinite from 6.4 on (6.35^6 is
# above 65504), the reciprocal root of the mean is 0, and the whole row loses the term of the cubes; squares are lost from
# 16 on. The formula with F.rms_norm in float16 is right to 40. A row of 8 values shows it.
# Exits 1 while the bug is there, 0 when it is gone, 2 without liger-kernel: EAGERDIFF_LIGER_KERNEL=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import importlib.util, tempfile
root = os.environ.get("EAGERDIFF_LIGER_KERNEL", ".")
path = os.path.join(root, "liger_kernel/ops/poly_norm.py")
if not os.path.exists(path):
    sys.exit(print(f"needs liger-kernel: no {path}") or 2)
sys.path.insert(0, root)
import types
for name in ("liger_kernel", "liger_kernel.ops"):  # packages without what their __init__ runs
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [os.path.join(root, *name.split("."))]
import torch
with tempfile.TemporaryDirectory() as folder, open(f"{folder}/poly_norm.py", "w") as file:
    text = open(path).read().replace("eps.to(tl.float32)", "eps")  # the interpreter gives numbers as Python's
    file.write(text.replace("= rsqrt(", "= tl.rsqrt("))
    file.flush()
    spec = importlib.util.spec_from_file_location("poly_norm", file.name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    x = torch.arange(1, 9).half()[None]  # 1 to 8
    found = module.LigerPolyNormFunction.apply(x, torch.ones(3).half(), torch.tensor(0.0).half())
wanted = sum(torch.nn.functional.rms_norm(x**power, (8,), eps=1e-6) for power in (3, 2, 1))
error = (found - wanted).abs().max().item()
print(f"found {found[0].tolist()}\nwanted {wanted[0].tolist()}")
sys.exit(not error < 0.05)
