# openvino 2026.4.1: the distinct numbers of no numbers, ONNX' Unique of an empty tensor, are those of the call before.
# Exits 1 while the bug is there, 0 when it is gone, 2 without openvino: make engines ENGINE=openvino.
import sys
import tempfile
try:
    import onnxscript  # noqa: F401
    import openvino
except ImportError as error:
    sys.exit(print(f"needs {error.name}: pip install openvino onnx onnxscript") or 2)
import torch
class Unique(torch.nn.Module):
    def forward(self, x):
        return torch.unique(x)
rows = torch.export.Dim("rows", min=0, max=99)
program = torch.export.export(Unique(), (torch.tensor([2, 1, 2]),), dynamic_shapes=({0: rows},))
with tempfile.TemporaryDirectory() as folder:
    torch.onnx.export(program, dynamo=True, verbose=False).save(f"{folder}/model.onnx")
    compiled = openvino.Core().compile_model(openvino.convert_model(f"{folder}/model.onnx"), "CPU")
right = True
for x in (torch.tensor([2, 1, 2]), torch.tensor([], dtype=torch.int64)):
    found = compiled([openvino.Tensor(x.numpy(), x.shape)])[compiled.outputs[0]]
    print(f"of {x.tolist()}: openvino {found.tolist()}, torch {x.unique().tolist()}")
    right = right and found.tolist() == x.unique().tolist()
sys.exit(not right)
