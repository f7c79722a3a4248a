# torch.lstm of a batch of no rows ends the process (SIGFPE) once AOTAutograd has decomposed it to oneDNN's layer; eager
# returns no rows.
import subprocess
import sys
import torch

def lstm(x, w, u, b):
    start = x.new_zeros(1, x.size(0), 4)
    return torch.lstm(x, (start, start), (w, u, b, b), True, 1, 0.0, False, False, batch_first=True)[0]

def run(backend):
    compiled = torch.compile(lstm, backend=backend, dynamic=True, fullgraph=True)
    assert compiled(torch.zeros(0, 3, 5), torch.zeros(16, 5), torch.zeros(16, 4), torch.zeros(16)).shape == (0, 3, 4)

if len(sys.argv) > 1:
    run("aot_eager")
else:
    run("eager")
    code = subprocess.run([sys.executable, __file__, "aot_eager"], stderr=subprocess.DEVNULL).returncode
    if code < 0:
        sys.exit(f"died of signal {-code}")
