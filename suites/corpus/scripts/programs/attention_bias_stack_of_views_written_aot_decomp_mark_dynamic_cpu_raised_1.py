# programs, aot_decomp.mark_dynamic on cpu: RAISED ConstraintViolationError: Constraints violated (L['x0'].size()[2], …)! - You marked L['x0'].size()[2] as dynamic but your code specialized it to be a constant (2). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1, x2, x3):
    v4 = (x0 @ x1.transpose(-2, -1) * x0.shape[-1] ** (-0.5) + x3).softmax(dim=-1) @ x2
    v5_s = torch.stack((x3, x3))
    for v5_part in v5_s.unbind(0):
        v5_part.add_(1)
    v5 = v5_s
    return (v4, v5)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
MARKED = {0: {0: 'a', 1: 'a', 2: 'a', 3: 'a+1'}, 1: {0: 'a', 1: 'a', 3: 'a+1'}, 2: {0: 'a', 1: 'a'}, 3: {0: 'a'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.mark_dynamic(tensor, dim)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float32).reshape((2, 2, 2, 3)), torch.tensor([-0.5683788657188416, -0.6811766624450684, 0.1448170691728592, 0.6287633776664734, -2.195192337036133, 0.10114545375108719, 1.7612947225570679, -1.072536826133728, -0.9192461371421814, 2.325355291366577, 0.715634822845459, -1.8106130361557007, 0.3129694163799286, 0.4501114785671234, -0.20516005158424377, -0.27561503648757935, 0.3840818405151367, 0.02339538373053074, 0.9750439524650574, 0.2903488278388977, 1.5785868167877197, -0.25678154826164246, 0.8966752290725708, -1.2735724449157715, 1.741310715675354, 0.962634265422821, -0.8703078031539917, -1.4559416770935059, -1.177229881286621, 0.5269782543182373, -0.03166329488158226, -2.983179807662964, 0.36805784702301025, -0.45459702610969543, 0.7544034719467163, -0.5347094535827637], dtype=torch.float32).reshape((2, 2, 3, 3)), torch.tensor([-0.6036787033081055, 0.56878662109375, 2.5982768535614014, -0.7394252419471741, 0.39113640785217285, -1.1865670680999756, 0.8258841633796692, 0.8507164120674133, -1.6230357885360718, 0.8655886054039001, -0.08982234448194504, 2.077177047729492, -2.0319669246673584, 0.6818475723266602, 1.2851526737213135, -2.123684883117676, -0.9088959693908691, 0.17937937378883362, -0.04157882556319237, -0.6008396148681641, -0.11743214726448059, -1.4855159521102905, 1.3040344715118408, 1.0818294286727905], dtype=torch.float32).reshape((2, 2, 3, 2)), torch.tensor([-1.732474446296692, -0.15181902050971985, 1.0228792428970337, -2.122098684310913, -0.8312035799026489, -0.7051461338996887], dtype=torch.float32).reshape((2, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
