# torch_api, export_unflattened.named on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not guard on data-dependent expression zuf0 < 0.0 (unhinted: zuf0 < 0.0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = x0[x2]
    v1 = x1.item()
    v2 = torch.nn.functional.dropout(v0, p=v1, training=False, inplace=False)
    return parts(v2)
reference = program
example = (torch.zeros([8, 7, 2], dtype=torch.float32).as_strided([8, 7], [14, 2], 0), torch.zeros([1], dtype=torch.float64).as_strided([], [], 0), torch.zeros([9], dtype=torch.bool).as_strided([8], [1], 1))
a = torch.export.Dim('a')
b = torch.export.Dim('b')
dynamic_shapes = (({0: a + 3, 1: b}, {}, {0: a + 3}),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1, x2):
        v0 = x0[x2]
        return (x1, v0)

class Part1(torch.nn.Module):

    def forward(self, x1, v0):
        v1 = x1.item()
        return (v0, v1)

class Part2(torch.nn.Module):

    def forward(self, v0, v1):
        v2 = torch.nn.functional.dropout(v0, p=v1, training=False, inplace=False)
        return (v2,)

class Part3(torch.nn.Module):

    def forward(self, v2):
        return parts(v2)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()
        self.part_2 = Part2()
        self.part_3 = Part3()

    def forward(self, *args):
        [x0, x1, x2] = args
        [x1, v0] = self.part_0(x0, x1, x2)
        self.steps()
        [v0, v1] = self.part_1(x1, v0)
        self.steps()
        [v2] = self.part_2(v0, v1)
        self.steps()
        result = self.part_3(v2)
        self.steps()
        return result
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
guards = getattr(exported.module(), '_guards_fn', None)
unflattened = torch.export.unflatten(exported)
submodules = sum((name.startswith('part_') for name, _ in unflattened.named_children()))

def implementation(*args):
    if guards is not None:
        guards(*args)
    before = int(unflattened.steps.taken)
    result = unflattened(*args)
    assert int(unflattened.steps.taken) - before == submodules, 'a submodule was not called once'
    return result

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

calls = [
    ((tensor_from_text('c-l*!v&KFhh#43T)Pt~q=LCBYW?*Re55layTKhqGHA_7hM{{vIfN-ps<6aPE04f6En+G241>rPS273@b)bw~C2ygu7Xb-}N#26VsIQYO~I}iqHsYk}M%{%vlFwDGHg1h#CFpOVv&3+#U!}u}3dF(-$_oecF5VpP1WedWmH(A(&FihR99ftNGe5EpKKM2G8l|S$Leh_vw`2fZf43+kQ@X3qc>_GUUkkvi_M@(~8', torch.float32).as_strided((36, 1), (2, 2)).data, torch.tensor([0.5], dtype=torch.float64).reshape(()).data, torch.tensor([True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, False, False, True, True, True, True, True, True, False, True, True], dtype=torch.bool), ), {}),
    ((tensor_from_text('c-mdjJ808U6vy%Z-)5*#F}9#ZQG^a6HMNSZTJ?Vnb+ERJAaRKfwK^GXp@LE*Q5)+EVzEnFyEp`kAo!w!>AimqIz(a|TtuQcD78;~pkwU!mb-NL42R1(oZq>TKZkW>LH+H#htC^M33iP?(s12+g;06WL;hD=4~E}#Y0PYk2^=R8$9T_>#`E;Fg5&sc*gjidyKz(SawxBn4rLVf-1#f$_;+8Sp{d=&RMSC0pPMwUU)Ze?ITlg4csXjkTJ1Vm*rkl{e1(tF;1<Ej6Jr|o{bTUK1l}I;v*=B2_fS<^vmcqjIl-px%^EgmX~jB?#^@7c?aGY6=8T00G#<|-6*^ZXjCh+PuyZz^Z&p}d>Nh?dk7Z%+WcNJa4`|qYS3+k6!#|3~*VBa-5PZ>M-_ki}zCBaORfh$E?n)0^XIl*0UzqC<*t-48Cyk|ZM{=DS-*=`3jYsD_l)GvaY|g8*uN8j3=+|gXtr1*`2Yu{tiXQIuRSTY`M?Itx%Z$AZBUu!Z?-g3tR|*0@_i6Mt*BKSTykYmu6<vX?M;}gmu(|AiMc*Boz^$>n8k3WC@*f;dUw{', torch.float32).as_strided((5, 20), (40, 2)).data, torch.tensor([0.5], dtype=torch.float64).reshape(()).data, torch.tensor([True, True, False, False, False], dtype=torch.bool), ), {}),
    ((tensor_from_text('c-l*!v&KFhh#43T)Pt~q=LCBYW?*Re55layTKhqGHA_7hM{{vIfN-ps<6aPE04f6En+G241>rPS273@b)bw~C2ygu7Xb-}N#26VsIQYO~I}iqHsYk}M%{%vlFwDGHg1h#CFpOVv&3+#U!}u}3dF(-$_oecF5VpP1WedWmH(A(&FihR99ftNGe5EpKKM2G8l|S$Leh_vw`2fZf43+kQ@X3qc>_GUUkkvi_M@(~8', torch.float32).as_strided((36, 1), (2, 2)).data, torch.tensor([0.5], dtype=torch.float64).reshape(()).data, torch.tensor([True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, False, False, True, True, True, True, True, True, False, True, True], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
