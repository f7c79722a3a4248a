# openvino 2026.4.1: index_add of an exported program, whose alpha is left out as it is 1, is not converted: the converter
# asks for five inputs and gets four.
# Exits 1 while the bug is there, 0 when it is gone, 2 without openvino: make engines ENGINE=openvino.
import sys
try:
    import openvino
except ImportError as error:
    sys.exit(print(f"needs {error.name}: pip install openvino") or 2)
import torch
class Add(torch.nn.Module):
    def forward(self, x, index, rows):
        return x.index_add(0, index, rows)
args = torch.zeros(3, 2), torch.tensor([0, 2]), torch.ones(2, 2)
try:
    compiled = openvino.Core().compile_model(openvino.convert_model(torch.export.export(Add(), args)), "CPU")
except Exception as error:
    sys.exit(print(next(line for line in str(error).splitlines() if "Got less" in line)) or 1)
found = compiled([openvino.Tensor(one.numpy(), one.shape) for one in args])[compiled.outputs[0]]
sys.exit(not torch.equal(torch.from_numpy(found.copy()), Add()(*args)))
