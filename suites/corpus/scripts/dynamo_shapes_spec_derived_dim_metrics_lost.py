# torch.compile(shapes_spec=...) with a derived dim, as its documentation has it (rows * 2): it compiles and runs, but an
# error is logged, "Object of type SymInt is not JSON serializable", and the compilation is in no metrics.
import sys
import torch
from torch._dynamo.utils import get_compilation_metrics
from torch.fx.experimental.dynamic_spec import ShapesSpec, ShapeVar, TensorSpec

rows = ShapeVar("rows")
for dim, size in ((rows, 3), (rows * 2, 6)):
    before = len(get_compilation_metrics())
    spec = ShapesSpec({"x": TensorSpec([rows]), "y": TensorSpec([dim])})
    compiled = torch.compile(lambda x, y: x + y.sum(), backend="eager", shapes_spec=spec)
    compiled(torch.ones(3), torch.ones(size))
    if len(get_compilation_metrics()) == before:
        sys.exit(f"no metrics of the compilation with y of [{dim}]")
