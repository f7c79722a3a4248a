# x.sin() * 2 with dynamic=True, first of 4 rows, then of 40,000: Inductor decides by the sizes of the first call whether a kernel is parallel,
# and no guard holds the kernel to them. The serial one computes every later size; compiled for 40,000 rows at once it is parallel.
import sys
import torch
from torch._inductor.utils import run_and_get_code

def parallel(rows):
    def calls():
        compiled = torch.compile(lambda x: x.sin() * 2, dynamic=True)
        for size in rows:
            x = torch.ones(size, 64)
            torch.testing.assert_close(compiled(x), x.sin() * 2)
    with torch._inductor.config.patch(fx_graph_cache=False):
        _, codes = run_and_get_code(calls)
    assert len(codes) == 1
    return "#pragma omp parallel" in codes[0]

torch.set_num_threads(2)
assert parallel([40_000])
if not parallel([4, 40_000]):
    sys.exit("the kernel that was compiled for 4 rows computes 40,000 rows with one thread")
