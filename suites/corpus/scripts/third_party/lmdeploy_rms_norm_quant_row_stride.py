# lmdeploy 0.18.0, rms_norm_dynamic_quant: rows of the result are stored at the input's row stride. Of rows that are part
# of wider ones (a slice of a fused projection) the result is contiguous: its rows are left as they were, uninitialised,
# and what is stored lies past its end. So it is with out_residual.
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
    from lmdeploy.pytorch.kernels.cuda.w8a8_triton_kernels import rms_norm_dynamic_quant
except ImportError as error:
    sys.exit(print(f"needs lmdeploy: {error}") or 2)
import torch
torch.manual_seed(0)
wide, weight, empty_like, kind = torch.randn(4, 16), torch.ones(8), torch.empty_like, torch.float8_e4m3fn
room = torch.zeros(64).to(kind)
torch.empty_like = lambda x, dtype=None: room[:32].view(4, 8)  # what is stored past its end is to be seen
found, _ = rms_norm_dynamic_quant(wide[:, :8], weight, 1e-6, quant_dtype=kind)
torch.empty_like = empty_like
right, _ = rms_norm_dynamic_quant(wide[:, :8].contiguous(), weight, 1e-6, quant_dtype=kind)
print("past the end:", room[32:].float().count_nonzero().item(), "stored;", "rows right:", (found == right).all(1).tolist())
sys.exit(bool(room[32:].float().any()) or not torch.equal(found.float(), right.float()))
