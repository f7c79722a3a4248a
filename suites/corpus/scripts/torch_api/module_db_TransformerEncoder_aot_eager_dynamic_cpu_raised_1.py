# torch_api, aot_eager.dynamic on cpu: RAISED BackendCompilerFailed: backend='aot_eager' raised: RuntimeError: Cannot set version_counter for inference tensor
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(d_model=4, nhead=2, dim_feedforward=8, dropout=0.0, batch_first=False, norm_first=False, bias=False, device='cpu', dtype=torch.float32), 2, enable_nested_tensor=None).train()

def inner(x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12):
    v0 = torch.func.functional_call(module, {'layers.0.self_attn.in_proj_weight': x1, 'layers.0.self_attn.out_proj.weight': x2, 'layers.0.linear1.weight': x3, 'layers.0.linear2.weight': x4, 'layers.0.norm1.weight': x5, 'layers.0.norm2.weight': x6, 'layers.1.self_attn.in_proj_weight': x7, 'layers.1.self_attn.out_proj.weight': x8, 'layers.1.linear1.weight': x9, 'layers.1.linear2.weight': x10, 'layers.1.norm1.weight': x11, 'layers.1.norm2.weight': x12}, (x0,), {})
    return parts(v0)

def program(x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12):
    with torch.inference_mode():
        return inner(x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=True, fullgraph=True)
implementation = compiled

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

calls = [
    ((torch.tensor([float("-inf"), -1.1679445505142212, -0.0, 0.410934716463089, -1.7855215072631836, 1.0000000150474662e+30, -0.9890093803405762, -0.28427430987358093, 1.0000000150474662e+30, -0.5060158967971802, 1.8222508430480957, 0.37302374839782715, -0.0, -1.2414921522140503, float("-inf"), -0.015238435938954353, 1.4290322065353394, 0.0570446215569973, 0.8667449355125427, float("-inf"), 0.09588274359703064, -1.102284550666809, 1.24203360080719, 2.363342761993408, -0.11596448719501495, 1.0313150882720947, float("nan"), float("inf"), 1.1449300050735474, -0.8031134605407715, 1.6934747695922852, -0.0, -0.483810156583786, -0.8503431677818298, 0.21709990501403809, -0.48411551117897034, -1.245171070098877, -0.41500669717788696, -2.6170449256896973, float("inf"), 1.5848181247711182, 1.000789761543274, 0.6782399415969849, 1.9200224876403809], dtype=torch.float32).reshape((11, 4)), tensor_from_text('c-m#qFAPCZ6bA68=&zV2ykLT$G2E+}e?gKEOsCjPzz}WB%x0Qo%oI#;-<zmuqRl2zlqWEJ@9j(we&IX!?%UbXl}%9pk|e1H&C*DP{XJ5I%xy2=s7yJ`<+fqgv<qlG5*)IPs{rcBO&lC3|7cZHjl50fydCy)$hti${QsvOGw0<vhsn0b!14;IK<|1#!C_~!NDy<b8HmbI0QIFW3kI~$!PQ|vS&p6=q`XrVo`anL$I{B7tBeCc`|4$lgMZ~SBnyh6J~$b0+YjdRlr;', torch.float32).as_strided((12, 4), (8, 2)), torch.tensor([2.0, -1.0, -1.0, -3.0, 1.0, 2.0, 0.0, -2.0, -1.0, 1.0, -3.0, -2.0, -1.0, 0.0, -3.0, 3.0], dtype=torch.float32).as_strided((4, 4), (1, 4)), torch.tensor([-1.0, 0.0, 2.0, 0.0, 2.0, 3.0, -2.0, -1.0, -1.0, -2.0, -2.0, -2.0, -2.0, 3.0, 3.0, -3.0, -1.0, -1.0, 0.0, 2.0, 0.0, -3.0, -3.0, -1.0, 3.0, 2.0, -2.0, -2.0, 2.0, -3.0, 1.0, -1.0], dtype=torch.float32).reshape((8, 4)), torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float32).reshape((4, 8)), torch.tensor([float("nan"), -0.6242435574531555, 1.723840355873108, 0.7664205431938171], dtype=torch.float32), torch.tensor([0.5789293050765991, 2.164806365966797, 0.40276849269866943, -0.046135809272527695], dtype=torch.float32), torch.tensor([80.00066375732422, 84.36799621582031, -72.35792541503906, -97.58160400390625, -82.64944458007812, -79.38800811767578, 2.3152542114257812, 71.50967407226562, -90.6215591430664, 55.997215270996094, -25.77429962158203, -53.43744659423828, 105.76515197753906, 33.963706970214844, 105.3456039428711, -203.31173706054688, 25.79941749572754, -10.992215156555176, -33.03260040283203, 87.37821960449219, 43.73784255981445, 113.83956909179688, -6.442966461181641, -11.732269287109375, 47.95024108886719, 101.84781646728516, -54.932899475097656, -64.15120697021484, 159.36961364746094, -118.74668884277344, -54.03190994262695, -130.533935546875, 64.95238494873047, -30.697202682495117, -108.4119644165039, 170.99356079101562, -41.9564323425293, 23.210464477539062, 89.42877960205078, -63.36812210083008, 58.8357048034668, 160.28248596191406, -4.869756698608398, 26.06068229675293, 15.800576210021973, -54.65237045288086, 120.791748046875, -33.03404998779297], dtype=torch.float32).reshape((12, 4)), torch.tensor([-1.3327889442443848, -0.28812193870544434, 0.057621363550424576, 0.8979196548461914, -0.7379042506217957, -0.4239715337753296, 0.867264986038208, 1.2159092426300049, -0.9094672203063965, -0.7327733635902405, 0.22178351879119873, 0.7570321559906006, -1.31037175655365, -0.8083287477493286, -0.3424004912376404, 0.7545391917228699], dtype=torch.float32).reshape((4, 4)), torch.tensor([-0.5456768274307251, -0.463063508272171, 0.8176290988922119, 0.9204256534576416], dtype=torch.float32).as_strided((8, 4), (0, 1)), torch.tensor([3.0, 3.0, -2.0, 0.0, -1.0, 0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 1.0, -2.0, -2.0, 0.0, 3.0, -3.0, 0.0, 2.0, 2.0, 3.0, 3.0, 2.0, -2.0, 3.0, -3.0, 2.0, 0.0, 0.0, 1.0, -3.0, 2.0], dtype=torch.float32).reshape((4, 8)), torch.tensor([0.695568859577179, 2.2117583751678467, 0.6973717212677002, 0.3598586320877075], dtype=torch.float32), torch.tensor([-1.4216680526733398, 0.35627827048301697, 0.2054317444562912, -1.4088495969772339], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
