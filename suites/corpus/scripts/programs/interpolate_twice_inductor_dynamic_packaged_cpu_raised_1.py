# programs, inductor.dynamic+packaged on cpu: RAISED InductorError: LoweringException: TypeError: cannot determine truth value of Relational: (((4*s58 + 1)//(2*s58)))**2 > 25
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.interpolate(x0, scale_factor=2, mode='area')
    return (v1,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
torch._dynamo.config.caching_precompile = True
import os, socket, subprocess, tempfile
FOLDER = os.environ.setdefault('TORCHINDUCTOR_CACHE_DIR', tempfile.mkdtemp())

def made():
    compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})

    def call(*args, **options):
        try:
            return compiled(*args, **options)
        finally:
            torch.compiler.save_cache_artifacts()
    return call
import ast
import contextlib
import copy
import io
import itertools
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, Protocol
from torch.utils._pytree import tree_leaves
Function = Callable[..., Any]
NAMED: list[Any] = [kind for kind in vars(torch.return_types).values() if isinstance(kind, type)]

class Unsent(Exception):
    """Say why a value cannot be handed from one process to another."""

def packed(thing):
    file = io.BytesIO()
    try:
        torch.save(thing, file)
    except Exception as error:
        raise Unsent(f'torch.save takes no such value: {error}') from error
    unpacked(file.getvalue())
    return file.getvalue()

def unpacked(data):
    with torch.serialization.safe_globals(NAMED):
        try:
            return torch.load(io.BytesIO(data), weights_only=True)
        except Exception as error:
            raise Unsent(f'no plain data: {str(error).partition(chr(10))[0]}') from error

class Turn(Protocol):

    def __call__(self, *args, **options):
        ...

    def end(self):
        ...

class InTurns:

    def __init__(self, begin, prior):
        self.begin = begin
        self.prior = prior
        self.number = itertools.count(1)
        self.turn: Turn | None = None

    def __call__(self, *args, **options):
        turn, second = divmod(next(self.number), 2)
        if self.prior:
            self.prior = False
            before = self.begin(-1)
            with contextlib.suppress(Exception):
                before(*copy.deepcopy(args), **options)
            before.end()
        if self.turn is None or not second:
            if self.turn is not None:
                self.turn.end()
            self.turn = self.begin(turn)
        return self.turn(*args, **options)

def asked(channel, args, options):
    channel.send_bytes(packed({'given': (args, options), 'random': torch.get_rng_state()}))
    said: dict[str, Any] = unpacked(channel.recv_bytes())
    if 'unsent' in said:
        raise Unsent(said['unsent'])
    for mine, theirs in zip(tree_leaves((args, options)), tree_leaves(said['given']), strict=True):
        if isinstance(mine, torch.Tensor) and mine.layout is torch.strided:
            write_back(mine, theirs)
    return said

def write_back(mine, theirs):
    here, there = (mine.untyped_storage(), theirs.untyped_storage())
    with torch.no_grad():
        if here.nbytes() != there.nbytes():
            here.resize_(there.nbytes())
        if not torch.equal(bytes_of(here), bytes_of(there)):
            here.copy_(there)
        if laid_out(mine) != laid_out(theirs):
            mine.set_(here, theirs.storage_offset(), theirs.shape, theirs.stride())

def laid_out(tensor):
    return (tensor.storage_offset(), tensor.shape, tensor.stride())

def bytes_of(storage):
    return torch.empty(0, dtype=torch.uint8).set_(storage)

def serve(channel, function, tell, more):
    while True:
        try:
            order = unpacked(channel.recv_bytes())
        except EOFError:
            return
        args, options = order['given']
        torch.set_rng_state(order['random'])
        said: dict[str, Any] = {'given': (args, options)}
        try:
            said['output'] = function(*args, **options)
        except Exception as error:
            said['raised'] = tell(error)
        said['more'] = more()
        try:
            data = packed(said)
        except Unsent as reason:
            data = packed({'unsent': str(reason)})
        channel.send_bytes(data)

def changed_text(text, name):
    function = next((node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and node.name == name))
    constants = [node for node in ast.walk(function) if isinstance(node, ast.Constant)]
    for kind in (float, int):
        if (found := [node for node in constants if type(node.value) is kind]):
            last: Any = max(found, key=lambda node: (node.lineno, node.col_offset))
            lines = text.splitlines(keepends=True)
            line, number = (lines[last.lineno - 1].encode(), repr(last.value + 1).encode())
            lines[last.lineno - 1] = (line[:last.col_offset] + number + line[last.end_col_offset:]).decode()
            return ''.join(lines)
    return text
if len(sys.argv) > 1:
    torch.set_num_threads(int(sys.argv[2]))
    serve(Connection(int(sys.argv[1])), made(), lambda error: f'{type(error).__name__}: {error}', str)
    sys.exit()

class InProcess:

    def __init__(self, turn):
        ours, theirs = socket.socketpair()
        text, path = (open(__file__).read(), os.path.join(FOLDER, 'source', 'script.py'))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w') as file:
            file.write(changed_text(text, 'program') if turn < 0 and '' == 'another constant' else text)
        threads = torch.get_num_threads() + (turn < 0 and '' == 'other threads')
        command = [sys.executable, path, str(theirs.fileno()), str(threads)]
        hashes = {'PYTHONHASHSEED': str(turn % 2)}
        self.process = subprocess.Popen(command, pass_fds=[theirs.fileno()], env=os.environ | hashes)
        theirs.close()
        self.turn, self.channel = (turn, Connection(ours.detach()))

    def __call__(self, *args, **options):
        try:
            said = asked(self.channel, args, options)
        except EOFError:
            if self.turn >= 0:
                os.kill(os.getpid(), -self.process.wait())
            raise
        if 'raised' in said:
            name, _, text = said['raised'].partition(': ')
            raise type(name, (Exception,), {})(text)
        return said['output']

    def end(self):
        self.channel.close()
        self.process.wait()
implementation = InTurns(InProcess, bool(''))

calls = [
    ((torch.tensor([-1.1258398294448853, -1.152360200881958, -0.2505785822868347, -0.4338788092136383, 0.8487103581428528, 0.6920091509819031, -0.31601276993751526, -2.1152193546295166, 0.32227492332458496, -1.2633347511291504, 0.34998318552970886, 0.30813392996788025, 0.11984150856733322, 1.237657904624939, 1.1167771816253662, -0.2472781538963318, -1.3526537418365479, -1.6959311962127686, 0.5666506290435791, 0.7935083508491516, 0.4396958351135254, 0.11241118609905243, 0.6407923698425293, 0.441156268119812, -0.21586325764656067, -0.7425481677055359, 0.5627213716506958, 0.25962740182876587, 0.5228604674339294, 2.3022053241729736, -1.4688938856124878, -1.586688756942749, 1.203223705291748, 0.08453469723463058, -1.2001394033432007, -0.004785737954080105], dtype=torch.float32).reshape((2, 2, 3, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
