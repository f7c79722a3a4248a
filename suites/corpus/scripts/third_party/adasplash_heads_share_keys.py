# adasplash 0.2.2, adasplash_no_block_mask: without varlen nothing is masked, and a context is taken to fill blocks of 64 (the
# assertion asks for a power of two, which 1 to 32 are): of 32 keys each head attends to the next one's, too, and 32 rows are
# read and written behind the last. Exits 1 while the bug is there, 0 when it is gone, 2 without adasplash:
# EAGERDIFF_ADASPLASH=/folder/that/holds/adasplash.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
sys.path.insert(0, os.environ.get("EAGERDIFF_ADASPLASH", "."))
try:
    from adasplash import adasplash_no_block_mask
except ImportError as error:
    sys.exit(print(f"needs adasplash: {error}") or 2)
import torch
torch.manual_seed(0)
zeros = torch.zeros
torch.zeros = lambda shape, **options: zeros(4096, **options)[: torch.Size(shape).numel()].view(shape)  # with room behind
torch.zeros_like = lambda x: torch.zeros(x.shape)
query, keys, values = (torch.randn(1, 3, 32, 16) for _ in range(3))
try:
    found, alone = (adasplash_no_block_mask(*(x[:, :heads].contiguous() for x in (query, keys, values)), varlen=lengths)[:, :2]
                    for heads, lengths in ((3, None), (2, torch.tensor([32]).int())))
except AssertionError as error:
    sys.exit(print(f"refused: {error}") or 0)
error = (found - alone).abs().max().item()
print(f"error {error:.3f}")
sys.exit(not error < 1e-3)
