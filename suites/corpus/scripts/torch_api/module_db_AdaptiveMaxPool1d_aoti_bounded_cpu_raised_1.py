# torch_api, aoti.bounded on cpu: RAISED RuntimeError: input_handles[0]: dim value is too small at 1, expected it to be >= 11, but got: 5
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.AdaptiveMaxPool1d(3).train()

def inner(x0):
    v0 = torch.func.functional_call(module, {}, (x0,), {})
    return parts(v0)

def program(x0):

    def taken(x0):
        return tuple((part.clone() for part in inner(x0)))

    def left(x0):
        return tuple((torch.zeros_like(part) for part in inner(x0)))
    return torch.cond(x0.sum() > 0, taken, left, (x0,))
reference = program
example = (torch.zeros(56, dtype=torch.float32).as_strided([5, 11], [11, 1], 1),)
a = torch.export.Dim('a', min=3, max=16)
b = torch.export.Dim('b', min=3, max=16)
dynamic_shapes = (({0: a, 1: b},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
import os, tempfile
os.environ['AOTI_RUNTIME_CHECK_INPUTS'] = '1'
package = os.path.join(tempfile.mkdtemp(), 'program.pt2')
torch._inductor.aoti_compile_and_package(exported, package_path=package)
implementation = torch._inductor.aoti_load_package(package)
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(0) <= 16 and 3 <= args[0].size(1) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(391, generator=G).to(torch.float32).reshape((23, 17)), ), {}),
    ((torch.tensor([-0.5651476979255676, -0.019852906465530396, 0.09624400734901428, 0.3977038562297821, 1.0001918077468872, -0.9093334674835205, -0.12633632123470306, 0.005139827262610197, 0.3190482258796692, 1.2648334503173828, -0.9558352828025818, -0.2723432779312134, -0.26168888807296753, 0.2755756676197052, 1.964726448059082, -1.612567663192749, -0.3546925187110901, -0.03416547551751137, 0.21195493638515472, 0.5505833029747009, -1.7275134325027466, -0.488857626914978, -0.41317397356033325, 0.4896618127822876, 1.3336212635040283, -2.086728572845459, -1.8197522163391113, -1.2616478204727173, -0.12515515089035034, 0.6291455626487732, -1.3289647102355957, -1.0053000450134277, -0.7542062401771545, -0.5274237990379333, -0.2304847538471222], dtype=torch.float32).reshape((7, 5)), ), {}),
    ((torch.tensor([-1.263403296470642, -0.2391241043806076, 0.3198074698448181, -0.7711647748947144, 0.03949447721242905, -0.3234136998653412, -2.0449159145355225, -0.4651656150817871, -1.0548529624938965, -0.532335638999939, -0.33464527130126953, 0.2865621745586395, 0.2547924220561981, -0.368333637714386, -0.5583913326263428, 0.35450026392936707, 1.4016082286834717, -0.17802058160305023, 0.984589159488678, -0.8028832674026489, -0.11381810158491135, 1.26551353931427, -0.3960667550563812], dtype=torch.float32).reshape((23, 1)), ), {}),
    ((torch.randn(391, generator=G).to(torch.float32).reshape((23, 17)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
