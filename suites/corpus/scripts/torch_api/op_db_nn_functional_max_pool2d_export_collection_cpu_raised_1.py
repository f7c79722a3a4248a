# torch_api, export.collection on cpu: RAISED build raised UserError: Constraints violated (c)! - Not all values of c = L['args'][0].size()[3] in the specified range satisfy the generated guard (L['args'][0].size()[3] // 3) == 1.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.nn.functional.max_pool2d(x0, kernel_size=3)
    return parts(v0)
reference = program
example = (torch.zeros(30, dtype=torch.float32).as_strided([1, 2, 3, 5], [1, 1, 2, 6], 0),)
c = torch.export.Dim('c', min=2)
dynamic_shapes = torch.export.ShapesCollection()
dynamic_shapes[example[0]] = {3: c}

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

calls = [
    ((tensor_from_text('c-nh<*Uava7$bu^U)#PYhh6)g?>=bH{r{o;xl6A5zql>2J@v`6kmI)Jey8bY>@|Il+AU_;vG+b}$o{p(r|dy;PDdp7EpF?#zf+T7=V{-#Ka?xho`K;&y|9JA0mXbRTLy-P{|rC^MCUEYu$PP!-4EjP`MT_@pWy*!f3I3<ze)eCUG3F*K)nt1@>PxdB^KuGzgtxd<_BF0*bkx&rH|~N^u)}5_l~4}AiIA_hTF5*xa?<S%iDkbu&(v)4YT*@*WTTyEO>YSp+D>GKi|+haD7**UGO52{k*pI`$b=HI{cCmvA420yBp-^H<}y{@B60N-SG&s-|EqC4{_&#`n>tO_JPAh?X%sQ?QLLxF5l3*A0!82f2=!e_olJgzVh-+`;<dV_Jh<uad@z=*>TZ+)vpJ4XJzn$&C<U32IT(#F<rCl9)=y*@4WVj-LvHacAs_iY#%IU-`~l!bsxygHCOb(W*4Y`u(fz|9292tXPST5+4^Vi5nnrHZ~pI|{g7~M_^-Tg^*&_-E4%w_7wukdsNR3_x~9FZoZ<cj+^%*R#p~?f{NG`JDfgCLUAd0^6t25_K<@Bh@U~B2+6i_`*z!PoSe%qrKD7zBZw2P3$T@?<8YI5{n7SQ^o?I-tKii*SpN_bVJ;;wurxw_6u;g@@qaS6*Wo@{Rsg(5q0GeL+rT', torch.float32).as_strided((1, 2, 3, 24), (1, 1, 2, 6)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
