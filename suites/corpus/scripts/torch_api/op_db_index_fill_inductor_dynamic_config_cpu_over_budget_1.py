# torch_api, inductor.dynamic+config on cpu: OVER_BUDGET tensor 'x0' size mismatch at index 2. expected 12, actual 8 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1):
    v0 = torch.index_fill(x0, -1, x1, -8.478373527526855)
    return parts(v0)

def program(x0, x1):
    return torch.vmap(inner, in_dims=(0, 0))(x0, x1)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

G = torch.Generator().manual_seed(0)
calls = [
    ((tensor_from_text('c-l2ldq~q!7@d?EnFc*Xq0l1HEWx*8?S5ksF<+@6)-rn$+7h$HtTdgvrJ&_B4b7R4oDafBk)~F=-<ApL!bCK)VoE;2N0_OFhIxP1AD8dmd+zzZbIvWx4u{eW&eU;LffE(Y=)R*8e)D^2qOBi_@?S!~UaVUjK2KwU#xUcCr+~*xS<NkN;!i3sp<}26NWELBe5Qij3hhINov==)YgL|S8bR`&^lPO#O4yh@PfjWJp`^nFjbaHscltfb4px$w?UX7*ev$s0nWSf{Go<!3Vcz{^cxz?C+b@|0$#H|0$J5E#`C)D&VSC<M^VEh5uw)~|HU~ce!vfS}95&i0zyL)Y+A8%hA`~(mtCOm)w69E$>s+1OxH7?X%4HvmfK|H#*4lL}g_~1;RtS+EIoun@4_q>%^XYrwL$!h&Rk?5;*&57B!)cRIVBDgpLKG}CBjX#q=7_9)9GK3oAEN7>(-FvO@f9b!JXVV}Rfj0!$o~W%QTO^Hjh!Kkw>Un`x15az_Lj|V=(X0(S=RCGBim?dzJ>;L8pzcIDXIAsg_8O$Tz~hVFygv*3fq&u(1FkKm|$ars=7J&@5le*E{u0Bg&{LBB$s$-*<F&cn%Mo+a2fM?<LIMzKqvDzT21#mGJD5O+oE_zzl&Vq%!-W9eEO8BAgj0#a{W(2i<OYDx!&KDc(+`yb-k9yd5$iAg)cH>(Bk`?s)B~N>_QS_z@jP)<Aldx#A>G?cG3>w#gD)~Tuol5C1d8jZd$UqO~?GU_XQKfgAgvK*4n42?=S_S`7$-;_oFn_6B2AS2=$R%HvjTre;{AZw8z~J%|LJ4b2<h+joKNnQ5wIw00LLsuuF58Tz;&;f`I^7*dziMD+>@Q#i*W2Cah0zL^l2fc`0Vg', torch.float32).reshape((8, 2, 12)), torch.tensor([0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1], dtype=torch.int64).as_strided((8, 5), (1, 8)), ), {}),
    ((torch.randn(128, generator=G).to(torch.float32).reshape((8, 2, 8)), torch.tensor([0, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1], dtype=torch.int64).as_strided((8, 5), (1, 8)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
