# The gradient of linalg.eig by a function that depends on the phase of an eigenvector is ill-defined: eager refuses it, with
# "specified up to multiplication by e^{i phi}"; AOTAutograd leaves the check out, and returns numbers. Seen with torch 2.13.0, cpu.
import sys
import torch

def gradient(function, x):
    x = x.clone().requires_grad_()
    return torch.autograd.grad(function(x).eigenvectors.real.sum(), x)[0]

rotation = torch.tensor([[1.0, -2.0], [3.0, 1.0]])  # its eigenvalues are complex
try:
    gradient(torch.linalg.eig, rotation)
except RuntimeError as error:
    assert "specified up to multiplication" in str(error)
else:
    sys.exit("eager does not refuse it")
try:
    found = gradient(torch.compile(torch.linalg.eig, backend="aot_eager"), rotation)
except RuntimeError as error:
    assert "specified up to multiplication" in str(error)
else:
    sys.exit(f"{found.tolist()} where eager refuses")
