# pyright: reportMissingImports=false
"""ONNX Runtime, through torch's own exporter to ONNX."""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor

Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]


def make(program: torch.export.ExportedProgram, provider: str = "CPUExecutionProvider") -> tuple[Call, Told]:
    """Export a program to ONNX with its dynamic axes, and open a session with a provider.

    What is returned takes the program's tensors, of any shape that it declares, and returns its outputs; then what
    tells the bytes of its artifacts, and how many there are.
    """
    import onnxruntime

    model = torch.onnx.export(program, dynamo=True, verbose=False)
    assert model is not None
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "model.onnx")
        model.save(path)
        size = Path(path).stat().st_size
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        session = onnxruntime.InferenceSession(path, options, providers=[provider])
    names = [one.name for one in session.get_inputs()]

    def call(*tensors: Tensor) -> Sequence[Tensor]:
        values = map(onnxruntime.OrtValue.ortvalue_from_numpy, (tensor.numpy() for tensor in tensors))
        found = session.run_with_ort_values(None, dict(zip(names, values, strict=True)))
        return [torch.from_numpy(one.numpy()) for one in found]

    return call, lambda: {"bytes": size, "artifacts": 1}
