# lmdeploy 0.18.0, bitonic_topk: its contiguous temporaries are written at the scores' row stride. Of scores that are part
# of wider rows (a buffer for the longest context, cut) what is stored for the rows behind the first lies past their end.
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
wide, empty_like = torch.arange(64.0).view(4, 16), torch.empty_like
rooms = {torch.float32: torch.full((128,), -1.0), torch.int32: torch.full((128,), -1, dtype=torch.int32)}
torch.empty_like = lambda x, dtype=None: rooms[dtype or x.dtype][: x.numel()].view(x.shape)  # what is past it is seen
bitonic_topk(wide[:, :4], torch.ones(4, dtype=torch.int64), torch.full((4,), 4), 4)
torch.empty_like = empty_like
past = [(room[16:] != -1).sum().item() for room in rooms.values()]
print("stored past the end of 16 scores and ids:", past)
sys.exit(any(past))
