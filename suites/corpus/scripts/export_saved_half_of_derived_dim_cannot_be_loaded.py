# torch.export.load of a saved program that takes the second half of a derived Dim, x[:, x.shape[1] // 2 :] of size a + 1: "Could not
# guard on data-dependent expression True": the loaded symbols have no values. The first half loads, as it does with Dim.AUTO.
import io
import sys
import torch
from torch.export import Dim

class Program(torch.nn.Module):
    def forward(self, x):
        return x[:, x.shape[1] // 2 :]

def saved_and_loaded(dim):
    buffer = io.BytesIO()
    torch.export.save(torch.export.export(Program(), (torch.zeros(2, 10),), dynamic_shapes=({1: dim},)), buffer)
    buffer.seek(0)
    return torch.export.load(buffer).module()

x = torch.randn(2, 7)
assert torch.equal(saved_and_loaded(Dim.AUTO)(x), Program()(x))
try:
    loaded = saved_and_loaded(Dim("a") + 1)
except RuntimeError as error:
    sys.exit(str(error)[:200])
assert torch.equal(loaded(x), Program()(x))
