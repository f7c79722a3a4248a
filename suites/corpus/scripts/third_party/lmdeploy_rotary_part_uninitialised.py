# lmdeploy 0.18.0, apply_rotary_pos_emb: where cos has fewer columns than the head ("only do rope with rope_dim size") the
# others are not written. Without q_embed the result is torch.empty_like: what is past rope_dim is uninitialised memory
# in place of the query's own.
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
    from lmdeploy.pytorch.kernels.cuda.apply_rotary_pos_emb import apply_rotary_pos_emb
except ImportError as error:
    sys.exit(print(f"needs lmdeploy: {error}") or 2)
import torch
torch.manual_seed(0)
torch.utils.deterministic.fill_uninitialized_memory = True  # what nobody writes is NaN
torch.use_deterministic_algorithms(True)
q, k, angles = torch.randn(3, 2, 8), torch.randn(3, 1, 8), torch.zeros(3, 4)
found, _ = apply_rotary_pos_emb(q, k, angles.cos(), angles.sin())  # by no angle: the query itself
print(found[0, 0].tolist(), "in place of", q[0, 0].tolist())
sys.exit(not torch.allclose(found, q))
