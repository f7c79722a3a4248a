# pyright: reportMissingImports=false
"""ONNX' reference evaluator, in numpy: a second opinion on what torch's exporter to ONNX writes."""

from collections.abc import Callable, Mapping, Sequence

import numpy
import torch
from torch import Tensor

Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]


def make(program: torch.export.ExportedProgram) -> tuple[Call, Told]:
    """Export a program to ONNX with its dynamic axes, to be evaluated node by node.

    What is returned takes the program's tensors, of any shape that it declares, and returns its outputs; then what
    tells the bytes of its artifacts, and how many there are.
    """
    from onnx.reference import ReferenceEvaluator

    exported = torch.onnx.export(program, dynamo=True, verbose=False)
    assert exported is not None
    model = exported.model_proto
    names = [one.name for one in model.graph.input]
    evaluator = ReferenceEvaluator(model)

    def call(*tensors: Tensor) -> Sequence[Tensor]:
        found = evaluator.run(None, dict(zip(names, (tensor.numpy() for tensor in tensors), strict=True)))
        return [torch.from_numpy(numpy.array(one)) for one in found]

    return call, lambda: {"bytes": model.ByteSize(), "artifacts": 1}
