# liger-kernel 0.8.5, LigerGELUMulFunction and LigerSiLUMulFunction: the backward pass stores the gradients in the very
# tensors that forward was given, without telling autograd (no mark_dirty, no version is counted). Who uses one of them
# twice gets another gradient, silently: here up, whose square is taken too. LigerFusedGateUpSiLUMulFunction has in_place=
# for this reason. Any size shows it.
# Exits 1 while the bug is there, 0 when it is gone, 2 without liger-kernel: EAGERDIFF_LIGER_KERNEL=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import importlib.util, tempfile
root = os.environ.get("EAGERDIFF_LIGER_KERNEL", ".")
path = os.path.join(root, "liger_kernel/ops/geglu.py")
if not os.path.exists(path):
    sys.exit(print(f"needs liger-kernel: no {path}") or 2)
sys.path.insert(0, root)
import types
for name in ("liger_kernel", "liger_kernel.ops"):  # packages without what their __init__ runs
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [os.path.join(root, *name.split("."))]
import torch
with tempfile.TemporaryDirectory() as folder, open(f"{folder}/geglu.py", "w") as file:
    file.write(open(path).read().replace("tanh(tanh_arg)", "2 * tl.sigmoid(2 * tanh_arg) - 1"))  # it has no libdevice
    file.flush()
    spec = importlib.util.spec_from_file_location("geglu", file.name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    torch.manual_seed(0)
    gate, up = (torch.randn(3, 8, requires_grad=True) for _ in range(2))
    wanted = torch.nn.functional.gelu(gate.detach(), approximate="tanh") + 2 * up.detach()
    (up.square().sum() + module.LigerGELUMulFunction.apply(gate, up).sum()).backward()
error = (up.grad - wanted).abs().max().item()
print(f"the gradient of gelu(gate) * up + up * up is off by {error}")
sys.exit(not error < 1e-3)
