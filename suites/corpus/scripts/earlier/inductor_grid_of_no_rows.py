# Inductor's launcher of a kernel with a grid of two dims divides by the number of slices of the second: where an unbacked
# size is 0 at run time, it raises ZeroDivisionError. The expression alone is evaluated: needs no GPU.
# Seen with torch 2.11, gone in 2.13.
import sys
from torch._inductor.runtime.triton_heuristics import GridExpr

grid = GridExpr.from_meta({"grid_type": "Grid2DWithYZOverflow"}, {"XBLOCK": 8, "YBLOCK": 8})
sizes = {"xnumel": 8, "ynumel": 0}
try:
    exec("\n".join(map(str, grid.prefix)), sizes)
    eval(str(grid.y_grid), sizes)
except ZeroDivisionError as error:
    sys.exit(f"a grid of no rows: {error}")
