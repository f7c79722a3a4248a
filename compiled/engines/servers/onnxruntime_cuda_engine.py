"""ONNX Runtime on a GPU, through torch's own exporter to ONNX."""

import functools

from onnxruntime_engine import make as with_provider

make = functools.partial(with_provider, provider="CUDAExecutionProvider")
