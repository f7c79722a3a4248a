"""From the numbers of a case to passes of an engine: who is fed how many tokens, and in which blocks they lie."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from eagerdiff.strategies.cases.decoder import DecoderCase, Step

MOST_REQUESTS = 4


@dataclass(frozen=True)
class Pass:
    """Describe one pass of the engine."""

    preempted: tuple[int, ...]
    requests: tuple[int, ...]
    counts: tuple[int, ...]
    """Tokens that each of the requests is fed."""
    blocks: tuple[tuple[int, ...], ...]
    """Blocks of each of them."""
    columns: int
    """Width of the block table."""


@dataclass
class _Live:
    known: int
    """Tokens that it has at least: its prompt, and one a pass that fed them all."""
    fed: int = 0
    """Tokens that the cache may hold: how many drafts were right is not known here."""
    blocks: list[int] = field(default_factory=list[int])


class Trace:
    """Play the steps of a case on lengths alone: they do not depend on what the model answers.

    What a request is fed besides the tokens that it has are drafts, so that any number may be.
    """

    def __init__(self, case: DecoderCase) -> None:
        self.case = case
        self.prompts: list[int] = []
        self.passes: list[Pass] = []
        self._live: dict[int, _Live] = {}
        self._lost: list[int] = []
        self._free = list(range(case.num_blocks))
        self._random = random.Random(case.seed)
        self._random.shuffle(self._free)

    def play(self, step: Step) -> None:
        """Add a pass, but where nobody is fed."""
        arriving, chunk, drafts, victim = step
        if victim and self._live:
            self._take_away(list(self._live)[victim // 2 % len(self._live)], ends=victim % 2 == 1)
        if arriving and len(self._live) < MOST_REQUESTS:
            self._live[len(self.prompts)] = _Live(known=arriving)
            self.prompts.append(arriving)
        fed = {name: count for name in self._order() if (count := self._feed(name, chunk, drafts))}
        if fed:
            blocks = tuple(tuple(self._live[name].blocks) for name in fed)
            columns = self.case.num_blocks if self.case.table == "wide" else max(map(len, blocks))
            self.passes.append(Pass(tuple(self._lost), tuple(fed), tuple(fed.values()), blocks, columns))
            self._lost = []

    def _order(self) -> Sequence[int]:
        """Return the requests in an order that changes, as slots of a batch are given away and taken again."""
        return self._random.sample(list(self._live), len(self._live))

    def _take_away(self, name: int, *, ends: bool) -> None:
        """Free a request's blocks: it ends, or it is preempted and computed anew."""
        request = self._live[name]
        self._free += request.blocks
        self._random.shuffle(self._free)
        if ends:
            del self._live[name]
            return
        if request.fed:
            self._lost.append(name)
        request.fed, request.blocks = 0, []

    def _feed(self, name: int, chunk: int, drafts: int) -> int:
        """Return how many tokens a request is fed; 0 where there is no room."""
        request = self._live[name]
        left = request.known - request.fed
        count = min(max(1, chunk), left) if left > 1 else 1 + drafts
        missing = -(-(request.fed + count) // self.case.block_size) - len(request.blocks)
        if missing > len(self._free):
            return 0
        request.blocks += [self._free.pop() for _ in range(missing)]
        request.fed += count
        if left <= count:
            request.known += 1
        return count


def play(case: DecoderCase) -> Trace:
    """Play all steps of a case."""
    trace = Trace(case)
    for step in case.steps:
        trace.play(step)
    return trace


def passes(case: DecoderCase) -> list[Pass]:
    """Return the passes of a case."""
    return play(case).passes
