# liger-kernel 0.8.5, RMS norm of narrow rows (256 or fewer columns, 32768 or more rows): in the backward pass the root of
# rows behind the last is loaded under a mask without `other`, so that it is undefined (Triton's tl.load), and the
# gradient of the weight sums it, times 0. Here masked lanes are NaN, and so is the gradient. 32769 rows show it.
# Exits 1 while the bug is there, 0 when it is gone, 2 without liger-kernel: EAGERDIFF_LIGER_KERNEL=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import importlib.util, tempfile
root = os.environ.get("EAGERDIFF_LIGER_KERNEL", ".")
path = os.path.join(root, "liger_kernel/ops/rms_norm.py")
if not os.path.exists(path):
    sys.exit(print(f"needs liger-kernel: no {path}") or 2)
sys.path.insert(0, root)
import types
for name in ("liger_kernel", "liger_kernel.ops"):  # packages without what their __init__ runs
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [os.path.join(root, *name.split("."))]
import torch
import numpy
from triton.runtime.interpreter import InterpreterBuilder, TensorHandle
load = InterpreterBuilder.create_masked_load
def load_masked(self, ptrs, mask, other, *options):
    element = ptrs.get_element_ty()
    if other is None and element.is_floating():
        other = TensorHandle(numpy.full(ptrs.data.shape, numpy.nan, "float32"), element)
    return load(self, ptrs, mask, other, *options)
InterpreterBuilder.create_masked_load = load_masked
with tempfile.TemporaryDirectory() as folder, open(f"{folder}/rms_norm.py", "w") as file:
    file.write(open(path).read().replace("offset.to(tl.float32)", "offset"))  # the interpreter gives Python's numbers
    file.flush()
    spec = importlib.util.spec_from_file_location("rms_norm", file.name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    rows = 4096 * 8 + 1
    x, weight = torch.ones(rows, 2), torch.ones(2)
    _, found = module.rms_norm_backward(x.clone(), x, weight, torch.ones(rows), 0.0, 0, 2, 4, False, False)
print("gradient of the weight", found.tolist(), "wanted", [rows, rows])
sys.exit(not torch.allclose(found, torch.full((2,), float(rows))))
