# searchsorted(s, s[2].item()): Inductor wants a constant of a number from data.
# github.com/pytorch/pytorch/issues/150613, open. Present on 2.13.0.
import torch
torch._dynamo.config.capture_scalar_outputs = True
def f(s): return torch.searchsorted(s, s[2].item(), right=True)
s = torch.tensor([0, 3, 7, 12])
f(s)
torch.compile(f)(s)
