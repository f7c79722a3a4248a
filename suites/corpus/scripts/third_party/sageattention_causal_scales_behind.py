# sageattention 1.0.6, causal: a program goes through all 128 keys of its rows, two blocks of 64, and loads a scale for each,
# though there are scales for the blocks that hold keys only: with 1 to 64 keys past a multiple of 128 the last one is read
# from behind the scales. It is multiplied by 0 and masked by adding -1e6: what is infinite or NaN there makes the output NaN.
# Exits 1 while the bug is there, 0 when it is gone, 2 without sageattention: EAGERDIFF_SAGEATTENTION=/folder/that/holds/sageattention.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
sys.path.insert(0, os.environ.get("EAGERDIFF_SAGEATTENTION", "."))
try:
    from sageattention.attn_qk_int8_per_block_causal import forward
    from sageattention.quant_per_block import per_block_int8
except ImportError as error:
    sys.exit(print(f"needs sageattention: {error}") or 2)
import torch
torch.manual_seed(0)
query, keys, values = (torch.randn(1, 1, 64, 64).half() for _ in range(3))
query_int8, query_scale, keys_int8, keys_scale = per_block_int8(query, keys)
memory = torch.tensor([keys_scale.item(), float("nan")])  # what lies behind the one scale
found = forward(query_int8, keys_int8, values, query_scale, memory[:1].view(1, 1, 1, 1)).float()
print(f"{found.isnan().sum().item()} of {found.numel()} are NaN")
sys.exit(bool(found.isnan().any()))
