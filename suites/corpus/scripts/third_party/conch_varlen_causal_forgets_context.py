# conch 1.3, varlen_attention: with causal=True and more than one query, query i sees keys 0 to i of the whole context
# rather than up to its own (bottom right); with one query it sees them all. Two queries at the end of ten keys see two.
# Exits 1 while the bug is there, 0 when it is gone, 2 without conch: EAGERDIFF_CONCH=/folder/that/holds/conch.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
sys.path.insert(0, os.environ.get("EAGERDIFF_CONCH", "."))
try:
    from conch.ops.attention.varlen_attention import varlen_attention
except ImportError as error:
    sys.exit(print(f"needs conch: {error}") or 2)
import torch
torch.manual_seed(0)
query, keys, values = torch.randn(2, 1, 16).half(), torch.randn(1, 16, 1, 16).half(), torch.randn(1, 16, 1, 16).half()
found = varlen_attention(
    query, keys, values, cu_seqlens_q=torch.tensor([0, 2]).int(), max_seqlen_q=2, seq_lens=torch.tensor([10]).int(),
    max_seqlen_k=10, block_table=torch.zeros(1, 1).int(), causal=True, scale=0.25, strict=True)
k, v = keys[0, :10, 0].float(), values[0, :10, 0].float()
seen = torch.ones(2, 10).tril(8).bool()
expected = ((query[:, 0].float() @ k.T * 0.25).masked_fill(~seen, float("-inf")).softmax(-1) @ v)[:, None]
error = (found.float() - expected).abs().max().item()
print(f"error {error:.3f}")
sys.exit(error > 0.01)
