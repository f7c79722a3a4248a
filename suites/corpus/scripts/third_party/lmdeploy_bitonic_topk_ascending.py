# lmdeploy 0.18.0, bitonic_topk(descending=False): lanes past a row's length hold -1e6, which an ascending sort puts
# first; only as many lanes as the row is long are stored, so that as many of its own scores are cut off.
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
    from lmdeploy.pytorch.kernels.cuda.bitonic_topk import bitonic_topk
except ImportError as error:
    sys.exit(print(f"needs lmdeploy: {error}") or 2)
import torch
scores, one, length = torch.tensor([[3.0, 1.0, 2.0]]), torch.tensor([1]), torch.tensor([3])
found = bitonic_topk(scores, one, length, 4, descending=False)
print(found.tolist(), "in place of", [[1, 2, 0, -1]])
sys.exit(found.tolist() != [[1, 2, 0, -1]])
