# adasplash 0.2.2, backward (v1 with and without block mask, and v2): _bwd_preprocess goes through rows 128 at a time and
# masks nothing without varlen: with a context of 64 each head stores 64 rows over the next one's, and the last one behind
# `delta`. (v2's _get_tau stores as far behind `taus`, as its autotuner tries blocks of 128.) Exits 1 while the bug is there,
# 0 when it is gone, 2 without adasplash: EAGERDIFF_ADASPLASH=/folder/that/holds/adasplash.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
sys.path.insert(0, os.environ.get("EAGERDIFF_ADASPLASH", "."))
try:
    from adasplash import adasplash_no_block_mask
except ImportError as error:
    sys.exit(print(f"needs adasplash: {error}") or 2)
import torch
torch.manual_seed(0)
query, keys, values = (torch.randn(2, 64, 16)[None, :1].requires_grad_() for _ in range(3))  # there is memory behind
out, zeros, memory = adasplash_no_block_mask(query, keys, values, is_causal=True), torch.zeros, torch.full((128,), 7.0)
torch.zeros = lambda shape, **options: memory[:64].zero_().view(shape)
out.backward(torch.randn(2, 64, 16)[None, :1])
found = (memory[64:] != 7).sum().item()
print(f"{found} elements behind delta are overwritten")
sys.exit(found > 0)
