# Attention over no keys beside a column of -inf: Inductor gives a difference of constants -inf the bounds NaN, and the
# compilation ends with "sympy expression is NaN". Eager gives 0.
import sys
import torch

def softmax(scores):
    scores = torch.cat((scores, scores.new_full((len(scores), 1), float("-inf"))), dim=-1)
    top = scores.amax(-1, keepdim=True)
    return torch.exp(scores - top.masked_fill(top.isneginf(), 0.0))

scores = torch.randn(3, 0)
try:
    compiled = torch.compile(softmax)(scores)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error).splitlines()[0]}")
torch.testing.assert_close(compiled, softmax(scores))
