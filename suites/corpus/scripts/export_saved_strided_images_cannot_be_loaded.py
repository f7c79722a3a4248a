# torch.export.load of a saved program whose input has four dims, two of them dynamic, and an inner stride of 2: its strides
# are compared before the symbols have ranges, "vr must not be None for symbol". Contiguous, or of three dims, it loads.
import io
import sys
import torch
from torch.export import Dim

class Double(torch.nn.Module):
    def forward(self, x):
        return x * 2

x = torch.ones(5, 13, 2, 16)[..., ::2]
program = torch.export.export(Double(), (x,), dynamic_shapes=({0: Dim.AUTO, 1: Dim.AUTO},))
saved = io.BytesIO()
torch.export.save(program, saved)
saved.seek(0)
loaded = torch.export.load(saved).module()
sys.exit(not torch.equal(loaded(x), x * 2))
