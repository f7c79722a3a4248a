# torch_api, aot_decomp.automatic on cpu: DID_NOT_RAISE eager raises RuntimeError and the implementation returned
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.istft(x0, n_fft=x0.shape[1], window=x1, return_complex=True)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([(-1.1258398294448853-0.6135830879211426j), (-1.152360200881958+0.03159274160861969j), (-0.2505785822868347-0.4926769733428955j), (-0.4338788092136383+0.2484147548675537j), (0.8487103581428528+0.4396958351135254j), (0.6920091509819031+0.11241118609905243j), (-0.31601276993751526+0.6407923698425293j), (-2.1152193546295166+0.441156268119812j), (0.32227492332458496-0.10230965167284012j), (-1.2633347511291504+0.7924439907073975j), (0.34998318552970886-0.28966769576072693j), (0.30813392996788025+0.05250748619437218j), (0.11984150856733322+0.5228604674339294j), (1.237657904624939+2.3022053241729736j), (1.1167771816253662-1.4688938856124878j), (-0.2472781538963318-1.586688756942749j), (-1.3526537418365479-0.6730899214744568j), (-1.6959311962127686+0.8728312253952026j), (0.5666506290435791+1.0553574562072754j), (0.7935083508491516+0.17784371972084045j), (0.5988394618034363-0.23033547401428223j), (-1.5550950765609741-0.3917543888092041j), (-0.3413603901863098+0.5432947278022766j), (1.85300612449646-0.3951575458049774j), (0.750189483165741-0.4462171792984009j), (-0.5854975581169128+0.7440207004547119j), (-0.1733967512845993+1.5209795236587524j), (0.18347793817520142+3.4105026721954346j), (1.3893661499023438-1.5311843156814575j), (1.586334228515625-1.2341350317001343j), (0.946298360824585+1.8197252750396729j), (-0.843676745891571-0.5515286922454834j)], dtype=torch.complex64).reshape((2, 4, 4)), torch.tensor([0j, 0j, 0j, 0j], dtype=torch.complex64), ), {}),
]

for number, (args, options) in enumerate(calls):
    try:
        reference(*copy.deepcopy(args), **options)
    except Exception as error:
        try:
            implementation(*args, **options)
        except Exception:
            continue
        sys.exit(f"call {number} raises in eager ({error}) and not when compiled")
    implementation(*args, **options)
