# openvino 2026.4.1, back end of torch.compile: a call whose argument has no rows ends the process with a floating point
# exception (signal 8), where one of three rows was compiled with sizes dynamic.
# Exits 1 while the bug is there, 0 when it is gone, 2 without openvino: make engines ENGINE=openvino.
import subprocess
import sys
try:
    import openvino.torch  # noqa: F401
except ImportError as error:
    sys.exit(print(f"needs {error.name}: pip install openvino") or 2)
CALL = """
import openvino.torch, torch
def rows(x):
    return x[torch.nonzero(x[:, 0] > 0).squeeze(1)] @ torch.ones(2, 3)
compiled = torch.compile(rows, backend="openvino", dynamic=True, options={"device": "CPU"})
for count in (3, 0):
    print(tuple(compiled(torch.ones(count, 2)).shape), flush=True)
"""
ended = subprocess.run([sys.executable, "-W", "ignore", "-c", CALL], capture_output=True, text=True)
print(ended.stdout + f"exit code {ended.returncode}")
sys.exit(ended.returncode == -8)
