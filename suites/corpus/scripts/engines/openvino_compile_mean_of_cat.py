# openvino 2026.4.1, back end of torch.compile: the mean of two tensors of one row each, laid together, is right in the
# first of a batch and 0 in all others, silently; of three rows each it is right.
# Exits 1 while the bug is there, 0 when it is gone, 2 without openvino: make engines ENGINE=openvino.
import sys
import warnings
warnings.filterwarnings("ignore")
try:
    import openvino.torch  # noqa: F401
except ImportError as error:
    sys.exit(print(f"needs {error.name}: pip install openvino") or 2)
import torch
def appended(x, y):
    whole = torch.cat((x, y), dim=1)
    return whole, whole.sum(1) / max(whole.size(1), 1)
options = {"device": "CPU", "config": {"INFERENCE_PRECISION_HINT": "f32"}}
compiled = torch.compile(appended, backend="openvino", dynamic=True, options=options)
right = True
for rows in (3, 1):
    x = torch.arange(24.0 * rows).view(12, rows, 2)
    y = x + 100
    found = compiled(x, y)[1]
    print(f"{rows} rows: openvino {found[:3].tolist()}, torch {appended(x, y)[1][:3].tolist()}")
    right = right and torch.equal(found, appended(x, y)[1])
sys.exit(not right)
