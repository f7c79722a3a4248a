# onnxruntime 1.31.1, ReduceSum over the last axis without keepdims, of no rows: the axis is kept. A tensor [0, 9, 8]
# gives [0, 9, 8]; ONNX, its own shape inference and torch say [0, 9]. With rows it is right.
# Exits 1 while the bug is there, 0 when it is gone, 2 without onnxruntime and onnx: make engines ENGINE=onnxruntime.
import sys
try:
    import numpy, onnx, onnxruntime
    from onnx import TensorProto, helper
except ImportError as error:
    sys.exit(print(f"needs {error.name}: pip install onnxruntime onnx") or 2)
x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", "length", 8])
y = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", "length"])
axes = helper.make_tensor("axes", TensorProto.INT64, [1], [-1])
node = helper.make_node("ReduceSum", ["x", "axes"], ["y"], keepdims=0)
graph = helper.make_graph([node], "g", [x], [y], [axes])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
onnx.checker.check_model(model, full_check=True)
session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
for batch in (2, 0):
    found = session.run(None, {"x": numpy.ones((batch, 9, 8), numpy.float32)})[0].shape
    print("onnxruntime:", found, "wanted:", (batch, 9))
sys.exit(found != (batch, 9))
