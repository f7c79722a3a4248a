# stk 0.7.1, sdd: rows and columns of blocks are int16, and multiplied by 128 as such (Triton 3 keeps a tensor's dtype
# beside a constant): from block 256 on, at 32,768 padded rows or experts x ffn_hidden_size, the tile's offset is another.
# Exits 1 or dies while the bug is there, 0 when it is gone, 2 without stk: EAGERDIFF_STK=/folder/that/holds/stk.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
sys.path.insert(0, os.environ.get("EAGERDIFF_STK", "."))
try:
    import stk.ops
    from stk.matrix import Matrix
except ImportError as error:
    sys.exit(print(f"needs stk: {error}") or 2)
import torch
torch.manual_seed(0)
def column(block):
    indices, offsets = torch.tensor([block]).short(), torch.tensor([0, 1]).int()
    shape, data = (128, 300 * 128), torch.empty(1, 128, 128, dtype=torch.float16)
    topology = Matrix(shape, data, torch.zeros(1).short(), indices, offsets, indices, offsets, offsets)
    found = stk.ops.sdd(x, weights, topology).data[0].float()
    return (found - x.float() @ weights[:, block * 128 : block * 128 + 128].float()).abs().max().item()
x, weights = torch.randn(128, 32).half(), torch.randn(32, 300 * 128).half()
before, error = column(255), column(256)
print(f"error {before:.3f} in block 255, {error:.3f} in block 256")
sys.exit(not error < 0.1)
