# flag_gems 5.0.2, isin: what was found in full blocks of 256 is forgotten in the lanes that the last block does not
# fill. Of 257 elements among themselves 255 are not found.
# Exits 1 while the bug is there, 0 when it is gone, 2 without flag_gems: EAGERDIFF_FLAG_GEMS=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import ast, contextlib, functools, types
root = os.path.join(os.environ.get("EAGERDIFF_FLAG_GEMS", "."), "flag_gems")
if not os.path.exists(f"{root}/ops/isin.py"):
    sys.exit(print(f"needs flag_gems: no {root}/ops/isin.py") or 2)
import torch, triton, triton.language as tl
from triton.runtime.interpreter import FunctionRewriter
class Bits(ast.NodeTransformer):  # the interpreter has no `and` and `or` of blocks, which Triton compiles to these
    def visit_BoolOp(self, node):
        self.generic_visit(node)
        bits = ast.BitAnd() if isinstance(node.op, ast.And) else ast.BitOr()
        return functools.reduce(lambda a, b: ast.BinOp(a, bits, b), node.values)
rewrite = FunctionRewriter.ast_transformer.visit
FunctionRewriter.ast_transformer = types.SimpleNamespace(visit=lambda tree: rewrite(Bits().visit(tree)))
def put(name, path=None, **attributes):  # of flag_gems the file of the kernel is imported, and nothing else
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, **({"__path__": [path]} if path else {}))
@triton.jit
def either(a, b):
    return a | b
put("flag_gems", root)
put("flag_gems.ops", f"{root}/ops")
put("flag_gems.ops.all", reduce_all=None)
put("flag_gems.ops.any", reduce_any=either)
put("flag_gems.ops.unique", _unique2=None)
put("flag_gems.runtime", torch_device_fn=types.SimpleNamespace(device=lambda _: contextlib.nullcontext()))
put("flag_gems.utils", f"{root}/utils", triton_lang_extension=tl)
put("flag_gems.utils.libentry", libentry=lambda: lambda kernel: kernel)
from flag_gems.ops.isin import isin
missed = 257 - isin(torch.arange(257), torch.arange(257)).sum().item()
print(missed, "of 257 elements not found among themselves")
sys.exit(missed > 0)
