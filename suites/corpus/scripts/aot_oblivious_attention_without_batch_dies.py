# backed_size_oblivious: scaled_dot_product_attention of an empty batch kills the process while it is traced (SIGFPE: strides are
# divided by a size of 0); without the setting it compiles and returns no rows.
import subprocess
import sys
import torch
import torch.nn.functional as F

def run(oblivious):
    torch.fx.experimental._config.backed_size_oblivious = oblivious
    query, mask = torch.zeros(8, 0, 0, 2).permute(1, 2, 0, 3), torch.zeros(0, 0, 8, 1)
    key = torch.zeros(0, 0, 1, 2)
    compiled = torch.compile(F.scaled_dot_product_attention, backend="aot_eager", dynamic=True, fullgraph=True)
    assert compiled(query, key, key, mask).shape == (0, 0, 8, 2)

if len(sys.argv) > 1:
    run(oblivious=True)
else:
    run(oblivious=False)
    code = subprocess.run([sys.executable, __file__, "oblivious"], stderr=subprocess.DEVNULL).returncode
    if code < 0:
        sys.exit(f"died of signal {-code}")
