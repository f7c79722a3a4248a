# torch 2.13.0 and onnxruntime 1.31.1, torch.onnx.export(dynamo=True) of repeat_interleave with counts: the number of
# rows is taken as the last of the counts' running sum, index -1, which is out of bounds where there are no rows. An
# exported program of torch takes them; the ONNX model that is made of it raises.
# Exits 1 while the bug is there, 0 when it is gone, 2 without onnxruntime: make engines ENGINE=onnxruntime.
import sys
try:
    import onnxruntime, onnxscript  # noqa: F401
except ImportError as error:
    sys.exit(print(f"needs {error.name}: pip install onnxruntime onnx onnxscript") or 2)
import torch
class Repeat(torch.nn.Module):
    def forward(self, x, counts):
        return x.repeat_interleave(counts, dim=0)
rows = torch.export.Dim("rows", min=0, max=99)
example = torch.randn(5, 3), torch.tensor([1, 0, 2, 0, 1])
exported = torch.export.export(Repeat(), example, dynamic_shapes=({0: rows}, {0: rows}))
model = torch.onnx.export(exported, dynamo=True, verbose=False).model_proto
session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
names = [one.name for one in session.get_inputs()]
empty = torch.randn(0, 3), torch.zeros(0, dtype=torch.int64)
print("torch:", tuple(exported.module()(*empty).shape))
try:
    found = session.run(None, dict(zip(names, (one.numpy() for one in empty))))[0]
except Exception as error:
    sys.exit(f"onnxruntime raises {type(error).__name__}: {str(error)[:200]}")
print("onnxruntime:", found.shape)
sys.exit(found.shape != (0, 3))
