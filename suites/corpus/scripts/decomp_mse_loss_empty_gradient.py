# Gradient of mse_loss of an empty tensor: the decomposition of mse_loss_backward divides by input.numel() and raises
# ZeroDivisionError; eager returns an empty gradient. Seen with torch 2.13.0, cpu.
import sys
import torch
import torch.nn.functional as F

x = torch.zeros(0, 3, requires_grad=True)
(want,) = torch.autograd.grad(F.mse_loss(x, x.detach()), x)
try:
    loss = torch.compile(lambda x: F.mse_loss(x, x.detach()), fullgraph=True, backend="aot_eager")(x)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert torch.equal(torch.autograd.grad(loss, x)[0], want)
