"""ONNX Runtime with TensorRT, through torch's own exporter to ONNX."""

import functools

from onnxruntime_engine import make as with_provider

make = functools.partial(with_provider, provider="TensorrtExecutionProvider")
