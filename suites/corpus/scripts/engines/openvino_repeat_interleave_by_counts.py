# openvino 2026.4.1: repeat_interleave with counts becomes a Tile of dynamic rank, which its CPU plugin refuses.
# Exits 1 while the bug is there, 0 when it is gone, 2 without openvino: make engines ENGINE=openvino.
import sys
try:
    import openvino
except ImportError as error:
    sys.exit(print(f"needs {error.name}: pip install openvino") or 2)
import torch
class Repeat(torch.nn.Module):
    def forward(self, x, count):
        return torch.repeat_interleave(x, count, dim=0)
args = torch.randn(3, 2), torch.tensor([2, 0, 1])
try:
    compiled = openvino.Core().compile_model(openvino.convert_model(torch.export.export(Repeat(), args)), "CPU")
except RuntimeError as error:
    sys.exit(print(next(line for line in str(error).splitlines() if "dynamic rank" in line)) or 1)
found = compiled([openvino.Tensor(one.numpy(), one.shape) for one in args])[compiled.outputs[0]]
sys.exit(not torch.equal(torch.from_numpy(found.copy()), Repeat()(*args)))
