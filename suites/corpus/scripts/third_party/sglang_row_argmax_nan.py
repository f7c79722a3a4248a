# SGLang 0.5.23, row_argmax ("x.argmax(dim=-1)") of up to 64 rows: lanes past the row are -inf, which is the greatest beside
# NaN alone, and the place of such a lane is the result: of a row of one NaN, 1, a token that is not there. Torch's is the
# first NaN, as its path of more than 64 rows gives it.
# Exits 1 while the bug is there, 0 when it is gone, 2 without sglang: EAGERDIFF_SGLANG=/folder/that/holds/sglang.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import types
root = os.environ.get("EAGERDIFF_SGLANG", ".")
def put(name, **attributes):  # packages without what their __init__ runs, and what the file asks of others
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, __path__=[os.path.join(root, *name.split("."))])
for name in ("sglang", "sglang.kernels", "sglang.kernels.ops", "sglang.kernels.ops.speculative"):
    put(name)
try:
    from sglang.kernels.ops.speculative.row_argmax import row_argmax
except ImportError as error:
    sys.exit(print(f"needs sglang: {error}") or 2)
import torch
x = torch.full((1, 1), torch.nan)
print(row_argmax(x).tolist(), "in place of", x.argmax(-1).tolist())
sys.exit(not torch.equal(row_argmax(x), x.argmax(-1)))
