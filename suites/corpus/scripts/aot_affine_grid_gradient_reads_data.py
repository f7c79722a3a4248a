# The gradient of affine_grid to a height of 1 cannot be traced: its formula makes a constant with at::tensor and reads
# data that fake tensors do not have; the forward alone and other heights compile, and eager differentiates all.
import sys
import torch
import torch.nn.functional as F

def gradient(height, compiled):
    def reference(theta):
        return F.affine_grid(theta, (2, 2, height, 3), align_corners=False)

    theta = torch.ones(2, 2, 3, requires_grad=True)
    program = torch.compile(reference, backend="aot_eager", fullgraph=True) if compiled else reference
    return torch.autograd.grad(program(theta).sum(), theta)[0]

expected = gradient(1, False)
assert torch.equal(gradient(4, True), gradient(4, False))
try:
    got = gradient(1, True)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert torch.equal(got, expected)
