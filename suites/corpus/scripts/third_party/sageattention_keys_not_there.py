# sageattention 1.0.6, not causal: keys are loaded 64 at a time, and what lies past the last one is masked out of the loads
# but not of the scores: up to 63 keys of score 0 and value 0 (what hardware gives there) take part in every softmax.
# Of one key a sixty-fourth is left. Exits 1 while the bug is there, 0 when it is gone, 2 without sageattention:
# EAGERDIFF_SAGEATTENTION=/folder/that/holds/sageattention.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
sys.path.insert(0, os.environ.get("EAGERDIFF_SAGEATTENTION", "."))
try:
    from sageattention.attn_qk_int8_per_block import forward
    from sageattention.quant_per_block import per_block_int8
except ImportError as error:
    sys.exit(print(f"needs sageattention: {error}") or 2)
import torch
torch.manual_seed(0)
query, keys, values = (torch.randn(1, 1, count, 64).half() for count in (128, 1, 1))
query_int8, query_scale, keys_int8, keys_scale = per_block_int8(query, keys)
found = forward(query_int8, keys_int8, values, query_scale, keys_scale)
error = (found - values).float().abs().max().item()  # of one key all is its value
print(f"error {error}")
sys.exit(not error < 0.01)
