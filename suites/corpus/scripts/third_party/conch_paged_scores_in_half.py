# conch 1.3, paged_attention: scores, maxima, sums and log-sum-exps are kept in the output's dtype. Two keys with scores
# of 400 and 400.12 weigh the same in float16; a score above 65504 is infinite, and the output NaN.
# Exits 1 while the bug is there, 0 when it is gone, 2 without conch: EAGERDIFF_CONCH=/folder/that/holds/conch.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
sys.path.insert(0, os.environ.get("EAGERDIFF_CONCH", "."))
try:
    from conch.ops.attention.paged_attention import paged_attention
except ImportError as error:
    sys.exit(print(f"needs conch: {error}") or 2)
import torch
query, keys, values = (torch.zeros(shape).half() for shape in ((1, 1, 16), (1, 16, 1, 16), (1, 16, 1, 16)))
query[..., 0], query[..., 1] = 16, 1
keys[..., 0], keys[0, 1, 0, 1] = 25, 0.12
values[0, 1] = 1.0
table, lengths = torch.zeros(1, 1).int(), torch.tensor([2]).int()
found = paged_attention(query, keys, values, table, lengths, scale=1.0)[0, 0, 0].item()
right = torch.tensor([400.0, 400.12]).softmax(0)[1].item()
large = paged_attention(query, keys, values, table, lengths, scale=200.0)[0, 0, 0].item()
print(f"{found:.4f} where {right:.4f} is right; {large} where 1 is right")
sys.exit(abs(found - right) > 0.01 or large != large)
