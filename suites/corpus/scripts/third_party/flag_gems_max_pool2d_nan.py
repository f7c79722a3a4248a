# flag_gems 5.0.2, max_pool2d_with_indices: an element is taken where it is larger than -inf or the largest before it,
# and NaN is not: the maximum skips NaN, which torch returns with its place. Where all of a window are -inf none is
# taken: the index is -1, so that backward gives the gradient to none of them, where torch names the first.
# Exits 1 while the bug is there, 0 when it is gone, 2 without flag_gems: EAGERDIFF_FLAG_GEMS=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import types
root = os.path.join(os.environ.get("EAGERDIFF_FLAG_GEMS", "."), "flag_gems")
if not os.path.exists(f"{root}/ops/max_pool2d_with_indices.py"):
    sys.exit(print(f"needs flag_gems: no {root}/ops/max_pool2d_with_indices.py") or 2)
import torch, triton
def put(name, path=None, **attributes):  # of flag_gems the file of the kernel is imported, and nothing else
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, **({"__path__": [path]} if path else {}))
put("flag_gems", root)
put("flag_gems.ops", f"{root}/ops")
put("flag_gems.utils", f"{root}/utils", libentry=lambda: lambda kernel: kernel)
put("flag_gems.utils.limits", get_dtype_min=lambda dtype: float("-inf"))  # which is what it is of floats
autotune = triton.autotune
triton.autotune = lambda configs, key: autotune(configs[:1], key)  # without a GPU none is timed
from flag_gems.ops.max_pool2d_with_indices import max_pool2d_with_indices
wrong = False
for x in ([1.0, torch.nan, 2.0, 3.0], [-torch.inf] * 4):
    image = torch.tensor(x).view(1, 1, 2, 2)
    found = [one.item() for one in max_pool2d_with_indices(image, 2)]
    right = [one.item() for one in torch.nn.functional.max_pool2d(image, 2, return_indices=True)]
    print(f"of {x}: {found} in place of {right}")
    wrong |= str(found) != str(right)
sys.exit(wrong)
