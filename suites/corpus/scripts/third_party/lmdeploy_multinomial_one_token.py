# lmdeploy 0.18.0, multinomial_sampling: of one token per row it returns zeros [batch, 1], whatever `indices` says that
# the token is; of more it returns tokens [batch].
# Exits 1 while the bug is there, 0 when it is gone, 2 without lmdeploy: EAGERDIFF_LMDEPLOY=/folder/that/holds/lmdeploy.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import types
root = os.environ.get("EAGERDIFF_LMDEPLOY", ".")
def put(name, **attributes):  # packages without what their __init__ runs, and what the file asks of others
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, __path__=[os.path.join(root, *name.split("."))])
for name in ("lmdeploy", "lmdeploy.pytorch", "lmdeploy.pytorch.kernels", "lmdeploy.pytorch.kernels.cuda",
             "lmdeploy.pytorch.kernels.default"):
    put(name)
put("lmdeploy.pytorch.kernels.cuda.utils", get_device_props=lambda index: dict(
    multi_processor_count=4, warps_per_sm=64, blocks_per_sm=32))
try:
    from lmdeploy.pytorch.kernels.cuda.multinomial_sampling import multinomial_sampling
except ImportError as error:
    sys.exit(print(f"needs lmdeploy: {error}") or 2)
import torch
seeds = torch.tensor([1, 2])
found = multinomial_sampling(torch.ones(2, 1), seeds, seeds, torch.tensor([[5], [7]]))
print(found.tolist(), "in place of", [5, 7])
sys.exit(found.tolist() != [5, 7])
