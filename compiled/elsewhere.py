"""Elsewhere: calls that processes answer in turns, each of which has compiled nothing when its turn begins.

It imports torch alone: its source stands in repro scripts.
"""

import ast
import contextlib
import copy
import io
import itertools
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, Protocol

import torch
from torch.utils._pytree import tree_leaves

Function = Callable[..., Any]
NAMED: list[Any] = [kind for kind in vars(torch.return_types).values() if isinstance(kind, type)]
"""What some operations of torch return: tuples with names."""


class Unsent(Exception):
    """Say why a value cannot be handed from one process to another."""


def packed(thing: Any) -> bytes:
    """Write tensors, numbers, texts and what holds them; raise Unsent for anything else.

    Tensors keep strides and what they share. What is written is read as data, and runs nothing.
    """
    file = io.BytesIO()
    try:
        torch.save(thing, file)
    except Exception as error:
        raise Unsent(f"torch.save takes no such value: {error}") from error
    unpacked(file.getvalue())
    return file.getvalue()


def unpacked(data: bytes) -> Any:
    """Read what `packed` wrote; raise Unsent where it is more than data."""
    with torch.serialization.safe_globals(NAMED):
        try:
            return torch.load(io.BytesIO(data), weights_only=True)
        except Exception as error:
            raise Unsent(f"no plain data: {str(error).partition(chr(10))[0]}") from error


class Turn(Protocol):
    """Answer calls in one process."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Make a call there."""
        ...

    def end(self) -> None:
        """Be done with the process."""
        ...


class InTurns:
    """Call compiled code in one process after another: the first has one call, each later one two."""

    def __init__(self, begin: Callable[[int], Turn], prior: bool) -> None:
        """Take what begins a turn, by number, and whether turn -1 comes before the first: whatever it gives."""
        self.begin = begin
        self.prior = prior
        self.number = itertools.count(1)
        self.turn: Turn | None = None

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call where the turn is."""
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


def asked(channel: Connection, args: tuple[Any, ...], options: dict[str, Any]) -> dict[str, Any]:
    """Have the process at the other end of a channel make a call, and return what it says; raise EOFError if it ends.

    Raise Unsent where arguments or output are more than data. It draws the random numbers that this process would, and
    what it writes into its arguments is written here.
    """
    channel.send_bytes(packed({"given": (args, options), "random": torch.get_rng_state()}))
    said: dict[str, Any] = unpacked(channel.recv_bytes())
    if "unsent" in said:
        raise Unsent(said["unsent"])
    for mine, theirs in zip(tree_leaves((args, options)), tree_leaves(said["given"]), strict=True):
        if isinstance(mine, torch.Tensor) and mine.layout is torch.strided:
            write_back(mine, theirs)
    return said


def write_back(mine: torch.Tensor, theirs: torch.Tensor) -> None:
    """Make an argument [...] what it has become elsewhere, [...] of any shape and strides."""
    here, there = mine.untyped_storage(), theirs.untyped_storage()
    with torch.no_grad():
        if here.nbytes() != there.nbytes():
            here.resize_(there.nbytes())
        if not torch.equal(bytes_of(here), bytes_of(there)):
            here.copy_(there)
        if laid_out(mine) != laid_out(theirs):
            mine.set_(here, theirs.storage_offset(), theirs.shape, theirs.stride())


def laid_out(tensor: torch.Tensor) -> Any:
    """Return where in its storage a tensor [...] lies."""
    return tensor.storage_offset(), tensor.shape, tensor.stride()


def bytes_of(storage: torch.UntypedStorage) -> torch.Tensor:
    """Return what a storage holds, uint8 [bytes]."""
    return torch.empty(0, dtype=torch.uint8).set_(storage)


def serve(
    channel: Connection, function: Function, tell: Callable[[BaseException], str], more: Callable[[], str]
) -> None:
    """Make the calls that come in, until no more come.

    `tell` says what a call raised, and `more` what else is to be said of it.
    """
    while True:
        try:
            order = unpacked(channel.recv_bytes())
        except EOFError:
            return
        args, options = order["given"]
        torch.set_rng_state(order["random"])
        said: dict[str, Any] = {"given": (args, options)}
        try:
            said["output"] = function(*args, **options)
        except Exception as error:  # noqa: BLE001 - is told
            said["raised"] = tell(error)
        said["more"] = more()
        try:
            data = packed(said)
        except Unsent as reason:
            data = packed({"unsent": str(reason)})
        channel.send_bytes(data)


def changed_text(text: str, name: str) -> str:
    """Return source with another constant in a function, in the same place: the last float, else the last integer."""
    function = next(node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and node.name == name)
    constants = [node for node in ast.walk(function) if isinstance(node, ast.Constant)]
    for kind in (float, int):
        if found := [node for node in constants if type(node.value) is kind]:
            last: Any = max(found, key=lambda node: (node.lineno, node.col_offset))
            lines = text.splitlines(keepends=True)
            line, number = lines[last.lineno - 1].encode(), repr(last.value + 1).encode()
            lines[last.lineno - 1] = (line[: last.col_offset] + number + line[last.end_col_offset :]).decode()
            return "".join(lines)
    return text
