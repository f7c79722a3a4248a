# flag_gems 5.0.2, var_mean over all dims: of each 1024 elements it keeps the sum of squares less count · average², in
# the input's dtype. In float16 numbers about 10 apart overflow it (inf, or NaN after the merge); in float32, numbers
# that are large beside their differences cancel: the variance of 10000 ± 1 comes out wrong, or below 0.
# Exits 1 while the bug is there, 0 when it is gone, 2 without flag_gems: EAGERDIFF_FLAG_GEMS=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import contextlib, types
root = os.path.join(os.environ.get("EAGERDIFF_FLAG_GEMS", "."), "flag_gems")
if not os.path.exists(f"{root}/ops/var_mean.py"):
    sys.exit(print(f"needs flag_gems: no {root}/ops/var_mean.py") or 2)
import torch, triton, triton.language as tl
def put(name, path=None, **attributes):  # of flag_gems the file of the kernel is imported, and nothing else
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, **({"__path__": [path]} if path else {}))
runtime = dict(torch_device_fn=types.SimpleNamespace(device=lambda _: contextlib.nullcontext()),
    get_tuned_config=lambda name: [triton.Config({"BLOCK_M": 1, "BLOCK_N": 1024})],
    get_heuristic_config=lambda name: {"BLOCK_N": lambda given: triton.next_power_of_2(given["BLOCK_NUM"])})
put("flag_gems", root, runtime=types.SimpleNamespace(**runtime))
put("flag_gems.ops", f"{root}/ops")
put("flag_gems.runtime", **runtime)
put("flag_gems.utils", triton_lang_extension=tl, libentry=lambda: lambda kernel: kernel, dim_compress=None)
from flag_gems.ops.var_mean import var_mean
torch.manual_seed(0)
wrong = False
for x in (10 * torch.randn(1024).half(), 10000 + torch.randn(1024)):
    found, right = var_mean(x)[0].item(), x.double().var().item()
    print(f"{x.dtype}: variance {found} in place of {right:.4g}")
    wrong |= not abs(found - right) < 0.05 * right
sys.exit(wrong)
