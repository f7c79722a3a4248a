# conch 1.3, varlen_attention: the running maximum is rounded to the output's dtype after each block, and the weights
# of the next are taken from the unrounded one. With all scores 400.12, one of two blocks has 0.47 of the weight, not half.
# Exits 1 while the bug is there, 0 when it is gone, 2 without conch: EAGERDIFF_CONCH=/folder/that/holds/conch.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
sys.path.insert(0, os.environ.get("EAGERDIFF_CONCH", "."))
try:
    from conch.ops.attention.varlen_attention import varlen_attention
except ImportError as error:
    sys.exit(print(f"needs conch: {error}") or 2)
import torch
query, keys, values = (torch.zeros(shape).half() for shape in ((1, 1, 16), (2, 16, 1, 16), (2, 16, 1, 16)))
query[..., 0], query[..., 1] = 16, 1
keys[..., 0], keys[..., 1] = 25, 0.12  # every score is 400.12, which float16 rounds to 400
values[0] = 1.0  # half of the weight is the first block's
found = varlen_attention(
    query, keys, values, cu_seqlens_q=torch.tensor([0, 1]).int(), max_seqlen_q=1, seq_lens=torch.tensor([32]).int(),
    max_seqlen_k=32, block_table=torch.tensor([[0, 1]]).int(), causal=True, scale=1.0, strict=True)
print(f"{found[0, 0, 0].item():.4f} where 0.5 is right")
sys.exit(abs(found[0, 0, 0].item() - 0.5) > 0.01)
