"""The engines that are known, each a row."""

from collections.abc import Sequence

from eagerdiff.compiled.dynamic_shapes import Shapes
from eagerdiff.compiled.engines.engine import Engine, of_torchscript

_ONNX = r"No ONNX function found for (.+?)\. "
_EXECUTORCH = (
    r"Operator torch\._ops\.(\S+) is not in Core ATen opset",
    r"Missing operator: \[\d+\] (\S+)",
    r"(0 in strides is not supported)",
)
_JAX = (
    r"(Abstract tracer value encountered where concrete value is expected)",
    r"(Array boolean indices must be concrete)",
    r"(Attempted boolean conversion of traced array)",
)
_OF_OPENVINO = (
    r"Exception from \S+:\d+:",
    r"Check '.*' failed at \S+:\d+:",
    r"FrontEnd API failed with \w+:",
    r"Model wasn't fully converted\. Failed operations detailed log:",
    r"-- .+ with a message:",
)
_OF_EXECUTORCH = (r"method->execute\(\) failed with error 0x\w+", r"\[cpuinfo_utils\.cpp:\d+\] .*")
_OF_IREE = ("Compilation failed: See diagnostics.*", r"loc\(.*?\): error: ")
_NUMPY = {"bfloat16": "tensors go through numpy, which has none"}
_ONNX_EXPORT = "https://docs.pytorch.org/docs/stable/onnx_export.html"
# docs.openvino.ai/2026/openvino-workflow/running-inference/inference-devices-and-modes/cpu-device.html
_AS_FLOAT32 = {"float64": "OpenVINO's CPU plugin computes no wider than float32, as it documents"}
_OPENVINO = "https://docs.openvino.ai/2026/openvino-workflow/model-preparation/convert-model-pytorch.html"
_TENSORRT = "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/work-dynamic-shapes.html"

ENGINES: Sequence[Engine] = (
    Engine(
        name="onnxruntime",
        what="ONNX Runtime, of a model that torch.onnx exports",
        unsupported=(_ONNX, r"Could not find an implementation for (\w+)\("),
        link=_ONNX_EXPORT,
        without=_NUMPY,
    ),
    Engine(
        name="onnx_reference",
        what="ONNX' reference evaluator, of a model that torch.onnx exports",
        unsupported=(_ONNX,),
        link=_ONNX_EXPORT,
        without=_NUMPY,
        packages="onnxruntime",
    ),
    Engine(
        name="openvino",
        what="OpenVINO, of an exported program",
        unsupported=(r"No conversion rule found for operations: (.+)",),
        hollow=_OF_OPENVINO,
        link=_OPENVINO,
        without={**_NUMPY, **_AS_FLOAT32},
    ),
    Engine(
        name="openvino_onnx",
        what="OpenVINO, of a model that torch.onnx exports",
        unsupported=(_ONNX,),
        hollow=_OF_OPENVINO,
        link=_OPENVINO,
        without={**_NUMPY, **_AS_FLOAT32},
        packages="openvino",
    ),
    Engine(
        name="openvino_compile",
        what="torch.compile, back end openvino",
        link="https://docs.openvino.ai/2026/openvino-workflow/torch-compile.html",
        at_call=True,
        without=_AS_FLOAT32,
        packages="openvino",
    ),
    Engine(
        name="iree",
        what="IREE, through turbine",
        unsupported=(
            r"Higher-order operation '(\w+)' not implemented",
            r"failed to legalize operation .*?<\{name = \"([\w.]+)\"\}>",
            r"failed to legalize operation '([\w.]+)'",
        ),
        hollow=_OF_IREE,
        link="https://iree.dev/guides/ml-frameworks/pytorch/",
        without=_NUMPY,
    ),
    Engine(
        name="tvm",
        what="TVM, through relax",
        unsupported=(r"Unsupported function types (\[.+?\])",),
        link="https://tvm.apache.org/docs/how_to/tutorials/import_model.html",
    ),
    Engine(
        name="jax",
        padded=True,
        what="XLA through JAX",
        one_artifact="a set of shapes",
        unsupported=_JAX,
        link="https://docs.jax.dev/en/latest/errors.html",
        at_call=True,
    ),
    Engine(
        name="jax_symbolic",
        what="XLA through JAX' export with symbolic dims",
        one_artifact="all sizes from 1",
        unsupported=(
            *_JAX,
            r"Symbolic dimension comparison (.+) is inconclusive",
            r"Expected value (>= 1 for dimension variable)",
        ),
        link="https://docs.jax.dev/en/latest/export/shape_poly.html",
        at_call=True,
        packages="jax",
    ),
    Engine(
        name="executorch",
        what="ExecuTorch, portable operators",
        one_artifact="declared bounds",
        unsupported=_EXECUTORCH,
        hollow=_OF_EXECUTORCH,
        link="https://docs.pytorch.org/executorch/main/ir-ops-set-definition.html",
        shapes=(Shapes.BOUNDED,),
    ),
    Engine(
        name="executorch_xnnpack",
        what="ExecuTorch, XNNPACK",
        one_artifact="declared bounds",
        unsupported=_EXECUTORCH,
        hollow=_OF_EXECUTORCH,
        link="https://docs.pytorch.org/executorch/main/ir-ops-set-definition.html",
        shapes=(Shapes.BOUNDED,),
        packages="executorch",
    ),
    Engine(
        name="torch_xla",
        padded=True,
        what="XLA through torch_xla, beside a torch of its own",
        one_artifact="a set of shapes",
        link="https://docs.pytorch.org/xla/master/learn/dynamic_shape.html",
        at_call=True,
        by_default=False,
    ),
    Engine(
        name="onnxruntime_cuda",
        what="ONNX Runtime on a GPU, of a model that torch.onnx exports",
        unsupported=(_ONNX,),
        link=_ONNX_EXPORT,
        without=_NUMPY,
        packages="onnxruntime_gpu",
        device="cuda",
        by_default=False,
    ),
    Engine(
        name="onnxruntime_tensorrt",
        what="ONNX Runtime with TensorRT, of a model that torch.onnx exports",
        unsupported=(_ONNX,),
        link=_ONNX_EXPORT,
        without=_NUMPY,
        packages="onnxruntime_gpu",
        device="cuda",
        by_default=False,
    ),
    Engine(
        name="tensorrt",
        what="TensorRT, one profile of min, opt and max",
        one_artifact="a profile",
        unsupported=(_ONNX,),
        link=_TENSORRT,
        shapes=(Shapes.BOUNDED,),
        device="cuda",
        by_default=False,
    ),
    Engine(
        name="tensorrt_static",
        what="TensorRT, a static profile a set of shapes",
        one_artifact="a set of shapes",
        unsupported=(_ONNX,),
        link=_TENSORRT,
        at_call=True,
        packages="tensorrt",
        device="cuda",
        by_default=False,
    ),
    Engine(
        name="torch_tensorrt",
        what="Torch-TensorRT, one profile of min, opt and max",
        one_artifact="a profile",
        link="https://docs.pytorch.org/TensorRT/user_guide/dynamic_shapes.html",
        shapes=(Shapes.BOUNDED,),
        device="cuda",
        by_default=False,
    ),
    Engine(
        name="bladedisc",
        what="BladeDISC, of TorchScript's trace, beside a torch of its own",
        link="https://github.com/alibaba/BladeDISC/blob/main/docs/tutorials/torch_bert_inference.md",
        device="cuda",
        by_default=False,
        save=of_torchscript,
    ),
)
