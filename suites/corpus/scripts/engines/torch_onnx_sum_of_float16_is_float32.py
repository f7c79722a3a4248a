# torch.onnx (torch 2.13.0, onnxscript 0.7.2): a sum of float16 over an axis is cast to float32 and not back: the program's
# output has another dtype than torch's, and what takes it next is refused or computed in float32.
# Exits 1 while the bug is there, 0 when it is gone, 2 without onnxscript: make engines ENGINE=onnxruntime.
import sys
import warnings
import torch
warnings.filterwarnings("ignore")
try:
    import onnx
    import onnxscript as _
except ImportError as error:
    sys.exit(print(f"needs {error.name}: pip install onnx onnxscript") or 2)
class Sum(torch.nn.Module):
    def forward(self, x):
        return x.sum(0)
x = torch.ones(3, 4, dtype=torch.float16)
model = torch.onnx.export(Sum(), (x,), dynamo=True, verbose=False).model_proto
found = onnx.TensorProto.DataType.Name(model.graph.output[0].type.tensor_type.elem_type)
print(f"exported as {[node.op_type for node in model.graph.node]}: {found}, torch gives {Sum()(x).dtype}")
sys.exit(found != "FLOAT16")
