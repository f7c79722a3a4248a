# programs, export_unflattened.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: 0 <= (a) + ((-1)*min((a), min(25, (a)) | 25 + (a)))
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import math

def program(x0, n1):
    v2_0 = x0 + x0.narrow(0, 0, min(min(n1, x0.shape[0]) | x0.shape[0] + n1, x0.shape[0])).sum(0)
    v2_1 = v2_0 + torch.arange((math.floor(x0.shape[1] / 2) + n1) % 3, (math.floor(x0.shape[1] / 2) + n1) % 8 + 3, device=v2_0.device).sum()
    v2 = v2_1
    return (v2,)
reference = program
example = (torch.zeros([9, 10], dtype=torch.float32), 25)
a = torch.export.Dim('a')
dynamic_shapes = (({0: a, 1: a + 1}, None),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, n1):
        v2_0 = x0 + x0.narrow(0, 0, min(min(n1, x0.shape[0]) | x0.shape[0] + n1, x0.shape[0])).sum(0)
        return (x0, n1, v2_0)

class Part1(torch.nn.Module):

    def forward(self, x0, n1, v2_0):
        v2_1 = v2_0 + torch.arange((math.floor(x0.shape[1] / 2) + n1) % 3, (math.floor(x0.shape[1] / 2) + n1) % 8 + 3, device=v2_0.device).sum()
        return (v2_1,)

class Part2(torch.nn.Module):

    def forward(self, v2_1):
        v2 = v2_1
        return (v2,)

class Part3(torch.nn.Module):

    def forward(self, v2):
        return (v2,)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()
        self.part_2 = Part2()
        self.part_3 = Part3()

    def forward(self, *args):
        [x0, n1] = args
        [x0, n1, v2_0] = self.part_0(x0, n1)
        self.steps()
        [v2_1] = self.part_1(x0, n1, v2_0)
        self.steps()
        [v2] = self.part_2(v2_1)
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
    ((tensor_from_text('c-l3Rdq~q!6vuxmgtEjkv_b`kk(oJ7Gj+M&St>=5l~S3nG8mXyf<X_&_zfgcm+RpxsgzAJUHQmRGX34NEMEheVWyR={UPB*4VR*8#q$2jKMv<!&g1*J=Uj$SI#O>A@z2X1Bf}`UHFLzQHW9u{2RH85;^@BZkaa##-{<YbFpQr2F;Kmh$0(^0oj-<{DzN-e8K&5?h;8pYq4nPCN913Qp1U^UE~jU))(z>sp#M8-3oC`4J3^o>#|5&Z{PYIvk^D3~EW~O3+lYLiKCk;kkFCdtowmq8a`h?Yb4)#aDd<z4ciyA1*^VGQU{<n}eM`v&^lxd!NY(;0ZeqsJDYc)73^ioECe}W{u0$D$eLk2dDs1THd<GMStgsN+36$fcM`TaJ$Qwb6+M--TG<+rIPaDy06+!*%JfE&B23^%@S!0(0#JO=0o+l<#mO|c3+YI}6Y2bbOD4hLON#b7sjCmbLs;dbdB&!n}@SAxPFM3_rd&=CxX3Xp%nd2SUI;X~3?JeFk{EVf!Nzomwd~uS^#U-{%{7PV<Y^nlZlpLe8RdOyRDKbA0!*YZIDz|>@6?iZ0M&)unsV<8JmBCX+Yp~r}ZvU(TSLqx!*CpZl9+xHOAn{5KiiZOrJf;CVG;tU$Ht{)X4Tu{0=={0h;wXGDds|?-K9onk4EPFjJeX00+mZ{xZurnkdwJAK(Qh(<9Z&YqSH<)bb)vieZkm<#kx0QVeFB4<OG$T8Cr^1iXEu^d%N=3Y6G4lzwy*KRK2<AJQ_o2f<iuod75-w_pL>LAQ!6hx3jhBHN4;y45y~$w!KX%}@Fv<jRI$LeUsT}F-*xO?4fRfL', torch.float32).reshape((13, 14)), 25, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
