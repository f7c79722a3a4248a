# torch_api, inductor_triton.mark_dynamic on interpreted: WRONG_STRIDES [3] other strides than eager's, and it keeps the memory format of an argument (got [3, 1], expected [1, 15])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3):
    v0 = torch.ops.aten._foreach_maximum.List([x0, x1], [x2, x3])
    return parts(v0)
from torch import Tensor

def differentiated(function):

    def with_gradients(*args):
        leaves = [arg.detach().requires_grad_() if isinstance(arg, Tensor) and arg.is_floating_point() else arg for arg in args]
        wanted = [leaf for leaf in leaves if isinstance(leaf, Tensor) and leaf.requires_grad]
        with torch.enable_grad():
            outputs = function(*leaves)
            ends = [out for out in outputs if isinstance(out, Tensor) and out.requires_grad]
            ones = [torch.ones_like(end) for end in ends]
            found = torch.autograd.grad(ends, wanted, ones, allow_unused=True) if ends and wanted else ()
        found = found or (None,) * len(wanted)
        return (*(out.detach() if isinstance(out, Tensor) else out for out in outputs), *found)
    return with_gradients
reference = differentiated(program)
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=None, fullgraph=True, options={'compile_threads': 1})
MARKED = {0: {0: 'a', 1: 'b'}, 1: {0: 'c', 1: 'd'}, 2: {0: 'a', 1: 'b'}, 3: {0: 'c', 1: 'd'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.mark_dynamic(tensor, dim)
    return compiled(*args, **options)
implementation = differentiated(implementation)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(713, generator=G).to(torch.float32).reshape((23, 31)), torch.randn(992, generator=G).to(torch.float32).reshape((31, 32)), torch.randn(1425, generator=G).to(torch.float32).as_strided((23, 31), (62, 2)), torch.full((992,), 0.0, dtype=torch.float32).reshape((31, 32)), ), {}),
    ((torch.tensor([-0.3276713192462921, 0.610842764377594, 0.36977285146713257, 0.4759853482246399, 1.3951133489608765, -1.3470067977905273, 1.0945559740066528, 1.5013892650604248, -0.3965523838996887, 0.1807139664888382, 1.2918365001678467, 0.4594738781452179, 1.1493279933929443, 1.235011100769043, -0.07093662023544312, 0.7890428900718689, -0.20316508412361145, -1.3139604330062866, -0.462024062871933, 1.4906343221664429, 1.4117087125778198, -1.0360429286956787], dtype=torch.float32).reshape((22, 1)), torch.tensor([-0.6697139143943787, -1.561607837677002, -0.8588781952857971, 0.09635134041309357, 1.973990559577942, 0.4324474036693573, -1.2731083631515503, 0.4270886778831482, 0.3780628740787506, -1.647756576538086, 0.303417831659317, -0.2676991820335388, -1.8721975088119507, -0.6791520118713379, -0.0712672770023346, -1.2752195596694946, 1.2339518070220947, -0.8913996815681458, 0.5428813695907593, -0.4506015181541443, 0.08021480590105057, -0.3421773314476013, -0.34241563081741333, 0.21566404402256012, -0.37519314885139465, -0.0229735616594553, 1.6415914297103882, 1.5023561716079712, -0.18178154528141022, -0.24878345429897308, -1.4991865158081055, 0.21017645299434662, -1.3589078187942505, -0.6929413080215454, 0.09915471076965332, -0.544809103012085, -0.5580710768699646, -0.38959863781929016, 0.019873179495334625, 1.2921198606491089, 0.1776113063097, -0.9845123887062073, 1.7694406509399414, -1.5210734605789185, -0.6050781011581421], dtype=torch.float32).as_strided((15, 3), (1, 15)), torch.tensor([-0.1913856565952301, -0.1913856565952301, 0.42591592669487, 0.42591592669487, -0.6526204347610474, -0.6526204347610474, 2.02241849899292, 2.02241849899292, -1.0287220478057861, -1.0287220478057861, 2.344827175140381, 2.344827175140381, 0.5810158252716064, 0.5810158252716064, -1.1427907943725586, -1.1427907943725586, float("-inf"), float("-inf"), -0.1183498352766037, -0.1183498352766037, float("-inf"), float("-inf"), -0.4002935290336609, -0.4002935290336609, -0.0, -0.0, -0.7914428114891052, -0.7914428114891052, float("-inf"), float("-inf"), 0.5287105441093445, 0.5287105441093445, 0.3020518124103546, 0.3020518124103546, float("nan"), float("nan"), float("nan"), float("nan"), 9.99994610111476e-41, 9.99994610111476e-41, float("nan"), float("nan"), -0.9464496374130249], dtype=torch.float32).as_strided((22, 1), (2, 2)), torch.tensor([-100.33077239990234, -70.97442626953125, -99.09510040283203, 42.202816009521484, -19.107698440551758, 92.9181900024414, 147.25790405273438, 96.4344711303711, -81.42111206054688, 71.74640655517578, -72.93108367919922, 34.75178909301758, 51.525943756103516, -38.24666213989258, 88.24867248535156, 113.46151733398438, 30.84010124206543, 58.076656341552734, -60.730403900146484, -78.95184326171875, 12.473714828491211, -28.889747619628906, 281.20623779296875, 78.18556213378906, -73.81451416015625, -28.60129737854004, -93.05567169189453, 154.1429443359375, 31.31614875793457, -89.120849609375, -145.74940490722656, -20.480344772338867, 27.159400939941406, -45.88637924194336, -19.237945556640625, -16.014328002929688, 38.76122283935547, 194.8187255859375, -8.724160194396973, -110.34207153320312, -38.06625747680664, -133.4669189453125, -96.27124786376953, -218.3948516845703, -61.14481735229492], dtype=torch.float32).reshape((15, 3)), ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((0, 7)), torch.full((992,), 0.0, dtype=torch.float32).reshape((31, 32)), torch.tensor([], dtype=torch.float32).reshape((0, 7)), torch.randn(992, generator=G).to(torch.float32).reshape((31, 32)), ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((0, 9)), torch.full((992,), 0.0, dtype=torch.float32).reshape((31, 32)), torch.tensor([], dtype=torch.float32).reshape((0, 9)), torch.randn(992, generator=G).to(torch.float32).reshape((31, 32)), ), {}),
    ((torch.randn(341, generator=G).to(torch.float32).reshape((11, 31)), torch.full((992,), 0.0, dtype=torch.float32).reshape((31, 32)), torch.full((681,), 0.0, dtype=torch.float32).as_strided((11, 31), (62, 2)), torch.randn(992, generator=G).to(torch.float32).reshape((31, 32)), ), {}),
    ((torch.tensor([-1.2467691898345947, -0.3360653817653656], dtype=torch.float32).reshape((1, 2)), torch.tensor([], dtype=torch.float32).reshape((16, 0)), torch.tensor([0.0, 0.0, 0.0], dtype=torch.float32).as_strided((1, 2), (4, 2)), torch.tensor([], dtype=torch.float32).reshape((16, 0)), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
