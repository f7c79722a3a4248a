# torch 2.13.0 and onnxruntime 1.31.1, torch.onnx.export(dynamo=True) of x.any(0): it becomes a ReduceMax of integers,
# which over no rows is the least integer, and so True. torch, and an exported program of torch, say False.
# Exits 1 while the bug is there, 0 when it is gone, 2 without onnxruntime: make engines ENGINE=onnxruntime.
import sys
try:
    import onnxruntime, onnxscript  # noqa: F401
except ImportError as error:
    sys.exit(print(f"needs {error.name}: pip install onnxruntime onnx onnxscript") or 2)
import torch
class AnyRow(torch.nn.Module):
    def forward(self, x):
        return x.any(0)
rows = torch.export.Dim("rows", min=0, max=99)
exported = torch.export.export(AnyRow(), (torch.rand(5, 3) > 0.5,), dynamic_shapes=({0: rows},))
model = torch.onnx.export(exported, dynamo=True, verbose=False).model_proto
session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
empty = torch.zeros(0, 3, dtype=torch.bool)
found = session.run(None, {session.get_inputs()[0].name: empty.numpy()})[0].tolist()
print("torch:", exported.module()(empty).tolist(), "onnxruntime:", found)
sys.exit(found != [False] * 3)
