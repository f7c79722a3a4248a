# FlexAttention on the CPU with a Python float captured by its score_mod, as a soft cap is, and dynamic sizes: Inductor's
# lowering meets the float as a number to be read from a tensor, and raises "unbacked_bindings".
import sys
import torch
from torch.nn.attention.flex_attention import flex_attention

def capped(cap):
    return lambda score, b, h, q, k: cap * torch.tanh(score / cap)

query = torch.randn(1, 2, 33, 16)
for dynamic in (False, True):
    torch._dynamo.reset()
    try:
        found = torch.compile(flex_attention, dynamic=dynamic)(query, query, query, capped(30.0))
    except Exception as error:
        sys.exit(f"dynamic={dynamic}: {type(error).__name__}: {str(error).splitlines()[0]}")
    torch.testing.assert_close(found, flex_attention(query, query, query, capped(30.0)))
