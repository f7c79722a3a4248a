# torch.onnx (torch 2.13.0): repeat_interleave with counts becomes a CumSum whose axis has the shape [1]. ONNX asks for a
# scalar; its reference evaluator refuses the model, ONNX Runtime takes it.
# Exits 1 while the bug is there, 0 when it is gone, 2 without onnx: make engines ENGINE=onnxruntime.
import sys
try:
    import onnxscript  # noqa: F401
    from onnx.reference import ReferenceEvaluator
except ImportError as error:
    sys.exit(print(f"needs {error.name}: pip install onnx onnxscript") or 2)
import torch
class Repeat(torch.nn.Module):
    def forward(self, x, count):
        return torch.repeat_interleave(x, count, dim=0)
x, count = torch.randn(3, 2), torch.tensor([2, 0, 1])
model = torch.onnx.export(torch.export.export(Repeat(), (x, count)), dynamo=True, verbose=False).model_proto
names = [one.name for one in model.graph.input]
try:
    found = ReferenceEvaluator(model).run(None, dict(zip(names, (x.numpy(), count.numpy()))))[0]
except ValueError as error:
    sys.exit(print(f"ValueError: {error}") or 1)
sys.exit(not torch.equal(torch.from_numpy(found), Repeat()(x, count)))
