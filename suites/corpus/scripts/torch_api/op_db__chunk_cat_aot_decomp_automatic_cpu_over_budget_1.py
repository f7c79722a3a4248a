# torch_api, aot_decomp.automatic on cpu: OVER_BUDGET tensor 'x0' size mismatch at index 1. expected 5, actual 2 (it had changed before) (compiles 3, allowed 2)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch._chunk_cat([x0, x1], 1, 5)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
implementation = compiled

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

calls = [
    ((torch.tensor([(-0.49524736404418945-2.001884698867798j)], dtype=torch.complex128).reshape((1, 1, 1)), torch.tensor([(1.4918807744979858+0.9636465311050415j)], dtype=torch.complex128).reshape((1, 1, 1)), ), {}),
    ((torch.tensor([(1.6763657331466675+0.5529359579086304j), (1.6739243268966675-0.7259064316749573j), (1.080626130104065+1.0178009271621704j), (0.7795936465263367-1.9858323335647583j), (2.0781514644622803+0.15231214463710785j), (0.43811988830566406-1.7568550109863281j), (0.010236578062176704-0.6011872291564941j), (0.7508663535118103+0.050246380269527435j), (1.9075599908828735+0.39556756615638733j), (-2.5044822692871094+0.03889612480998039j), (1.2747997045516968-1.4813162088394165j), (0.6793005466461182-1.4830245971679688j), (-0.9452751278877258+0.5985308289527893j), (0.8955844640731812+0.6446187496185303j), (-0.7315716743469238-0.12989501655101776j), (0.014755045995116234+0.5950972437858582j), (-0.31354862451553345+1.1480635404586792j), (0.19542409479618073+0.37059688568115234j), (-0.021118568256497383-1.8802286386489868j), (0.06663813441991806-1.593631386756897j), (-1.9037184715270996+0.8744288682937622j), (-0.8952064514160156+0.18153126537799835j), (-0.030087588354945183-1.438595175743103j), (0.19065456092357635-0.08778819441795349j), (-1.860046625137329-0.4205123484134674j)], dtype=torch.complex128).reshape((1, 5, 5)), tensor_from_text('c-muNU^u|4!g_!KNZZ&x+s}Z>f3UKa3B-R8&GZBt-$B*ws6CKo*ynf<8$aQq;R6tV!Iit4?6L409E<*e)t|j`2pj*w_Gf>=<^*uQ-H(Ou@HX!Yn13taH8#G2L(>N^KWEA-Z2X3b&KqEJ7ae?xjj!-NWD?jtqRMaWvG5O^Sjh+qj|I=3Jl~In-(WM90UVxPd$-zS;VaC@`31J`g5`N^e1`SAE`j(9@>jmW#&-yqc?%q#3;N$-<2O85@D;57L>oBV(D?~_Cf)~&@0PfPjenrQ2NE74H$K>7<DdEW1ne$XjUU+f3r?4@I)Kdk8U7P1|L_q=cqk`>%|+)Y82kJKyNB^LI6YwSdpRG2<LN8wMQr>9KUdxayLZC$C)oH0Uj2Lpc5hqJS9<{9&lZd', torch.complex128).as_strided((1, 5, 5), (50, 10, 2)), ), {}),
    ((torch.tensor([(-0.293428897857666-1.3985954523086548j), (1.5409960746765137-1.0845223665237427j), (-2.1787893772125244+0.40334683656692505j), (0.5684312582015991+0.8380263447761536j)], dtype=torch.complex128).reshape((1, 2, 2)), torch.tensor([(-0.7192575931549072-0.8566746115684509j), (-0.7192575931549072-0.8566746115684509j), (-0.40334352850914+1.1006041765213013j), (-0.40334352850914+1.1006041765213013j), (-0.5966353416442871-1.0711873769760132j), (-0.5966353416442871-1.0711873769760132j), (0.18203648924827576+0.1227012425661087j)], dtype=torch.complex128).as_strided((1, 2, 2), (8, 4, 2)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 2:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {2} suffice")
