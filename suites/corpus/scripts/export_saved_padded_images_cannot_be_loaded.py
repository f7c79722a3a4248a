# torch.export.load of a saved program that pads a channels-last tensor by a number from .item(): "Could not guard on data-dependent
# expression Eq(81*u0 + 162, 1)", as strides are computed again. A contiguous one loads, and before it is saved the program runs.
import io
import sys
import torch
from torch.export import Dim

class Program(torch.nn.Module):
    def forward(self, x, mask):
        count = mask.sum().item()
        torch._check(count >= 0)
        torch._check(count <= x.shape[0])
        return torch.nn.functional.pad(x, (0, count))

def saved_and_loaded(x):
    c, mask = Dim("c"), torch.zeros(9, dtype=torch.bool)
    program = torch.export.export(Program(), (x, mask), dynamic_shapes=({0: c, 1: c, 2: c}, {0: c}))
    assert torch.equal(program.module()(x, mask), x)
    buffer = io.BytesIO()
    torch.export.save(program, buffer)
    buffer.seek(0)
    return torch.export.load(buffer).module()

saved_and_loaded(torch.randn(9, 9, 9, 2))
try:
    saved_and_loaded(torch.randn(9, 9, 9, 2).to(memory_format=torch.channels_last))
except RuntimeError as error:
    sys.exit(str(error)[:200])
