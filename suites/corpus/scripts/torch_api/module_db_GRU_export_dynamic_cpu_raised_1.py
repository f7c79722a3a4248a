# torch_api, export.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][0].size()[0])! - You marked L['args'][0].size()[0] as dynamic but your code specialized it to be a constant (8). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.GRU(input_size=2, hidden_size=2, num_layers=2, batch_first=False, bias=False, bidirectional=True).train()

def program(x0, x1, x2, x3, x4, x5, x6, x7, x8):
    v0 = torch.func.functional_call(module, {'weight_ih_l0': x1, 'weight_hh_l0': x2, 'weight_ih_l0_reverse': x3, 'weight_hh_l0_reverse': x4, 'weight_ih_l1': x5, 'weight_hh_l1': x6, 'weight_ih_l1_reverse': x7, 'weight_hh_l1_reverse': x8}, (x0,), {})
    return parts(v0)
reference = program
example = (torch.zeros([8, 2], dtype=torch.float32), torch.zeros([6, 2], dtype=torch.float32), torch.zeros([6, 2], dtype=torch.float32), torch.zeros([6, 2], dtype=torch.float32), torch.zeros([6, 2], dtype=torch.float32), torch.zeros([6, 4], dtype=torch.float32), torch.zeros([6, 2], dtype=torch.float32), torch.zeros([6, 4], dtype=torch.float32), torch.zeros([6, 2], dtype=torch.float32))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC}, {}, {}, {}, {}, {}, {}, {}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32).reshape((1, 2)), torch.tensor([-2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914, -0.5966353416442871, 0.18203648924827576, -0.8566746115684509, 1.1006041765213013], dtype=torch.float32).reshape((6, 2)), torch.tensor([-1.0711873769760132, 0.1227012425661087, -0.5663174986839294, 0.3731146454811096, -0.8919953107833862, -1.5091077089309692, 0.3703935444355011, 1.4565025568008423, 0.9398099184036255, 0.7748488187789917, 0.19186942279338837, 1.2637947797775269], dtype=torch.float32).reshape((6, 2)), torch.tensor([-1.2904350757598877, -0.7911027073860168, -0.02087947353720665, -0.7184800505638123, 0.5186367630958557, -1.3125219345092773, 0.1919950693845749, 0.5427713394165039, -2.2187793254852295, 0.2589845359325409, -1.0297021865844727, -0.5007584095001221], dtype=torch.float32).reshape((6, 2)), torch.tensor([0.2733677327632904, -0.9180999994277954, -0.04042108729481697, 0.28811681270599365, -0.007537308149039745, -0.9144954681396484, -1.0885837078094482, -0.26659631729125977, 0.18942345678806305, -0.21902281045913696, 2.057591199874878, -0.03542188182473183], dtype=torch.float32).reshape((6, 2)), torch.tensor([-2.6133224964141846, -1.6964744329452515, -0.22824178636074066, 0.2799549996852875, 0.0732460469007492, 1.1133184432983398, 0.2822672426700592, 0.4342256486415863, 0.0929502323269844, -0.6660997271537781, 0.6080471873283386, -0.7300198674201965, -0.8833757638931274, -0.41891348361968994, -0.8048264980316162, 0.5656096339225769, 0.18036697804927826, 0.10833186656236649, -0.7548232674598694, 0.24431852996349335, -0.07732575386762619, 0.1163986474275589, -0.5939908027648926, -1.2439281940460205], dtype=torch.float32).reshape((6, 4)), torch.tensor([0.4335119426250458, -1.7342501878738403, -1.3360486030578613, 0.8870960474014282, 0.7679574489593506, 0.05711299926042557, 0.22395838797092438, 0.551964282989502, -0.5787979960441589, 0.0177221167832613, 0.13182635605335236, 1.0197668075561523], dtype=torch.float32).reshape((6, 2)), torch.tensor([0.998456597328186, -0.49871477484703064, 0.7611109018325806, 0.6183008551597595, -0.2993844747543335, -0.1877780705690384, 1.9158976078033447, 0.6901953220367432, 0.11024586856365204, -0.8188120126724243, 0.63276606798172, -1.916879653930664, -0.5596300959587097, 0.5334718227386475, 0.40688660740852356, 0.3945865333080292, 0.4147133529186249, -1.50895094871521, 2.036036968231201, 0.13159045577049255, -0.07439491897821426, -1.0922236442565918, 0.392026424407959, 0.5945261120796204], dtype=torch.float32).reshape((6, 4)), torch.tensor([-0.5664638876914978, -1.1536167860031128, -2.502300977706909, 0.8755577802658081, -2.67256498336792, -0.031332600861787796, 0.49878615140914917, -0.5233232378959656, -0.25147950649261475, -1.0555318593978882, -0.5592612624168396, -0.1197086051106453], dtype=torch.float32).reshape((6, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
