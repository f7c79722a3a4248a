"""Continuous batching over a cache: requests are admitted while there is room, and each gets a token a step."""

from collections import deque
from collections.abc import Generator, Sequence

from torch import Tensor

from eagerdiff.compiled.kv_cache.cache import KVCache
from eagerdiff.compiled.kv_cache.pool import OutOfBlocks

Request = tuple[float, Sequence[int], Sequence[int]]
"""The step at which it comes, its prompt, and what the model will answer."""


class Server:
    """Serve requests to their end; where blocks run out, the request that was admitted last is preempted."""

    def __init__(self, cache: KVCache, requests: Sequence[Request], *, spare: float = 0.01, copies: int = 64) -> None:
        """`spare`: share of the pool that no new request may take; `copies`: those in flight that end in a step."""
        self.cache, self.requests = cache, requests
        self.running: dict[int, int] = {}
        """Requests in the order of admission, and the tokens that each has answered."""
        self.preemptions = 0
        self._spare, self._copies = int(spare * len(cache.pool.blocks)), copies
        self._waiting = deque(range(len(requests)))
        self._answered: dict[int, int] = {}
        """Of those that were preempted."""

    def steps(self, like: Tensor) -> Generator[None]:
        """Serve, and stop after each step; keys and values are zeros like `like` [2, 0, num_kv_heads, D]."""
        longest = max((len(prompt) + len(output) for _, prompt, output in self.requests), default=0)
        zeros = like.new_zeros(like.shape[0], longest, *like.shape[2:])
        clock = 0
        while self._waiting or self.running:
            self._admit(clock)
            for request in list(self.running):
                if request in self.running:
                    self._advance(request, zeros)
            self.cache.transfers.end(self._copies)
            clock += 1
            yield

    def _admit(self, clock: int) -> None:
        """Let requests in, in the order in which they came, while there are blocks for the next one."""
        while self._waiting and self.requests[self._waiting[0]][0] <= clock and self.cache.pool.idle > self._spare:
            request = self._waiting[0]
            try:
                if request in self._answered:
                    self.cache.resume(request)
                else:
                    self.cache.admit(request, self.requests[request][1])
            except OutOfBlocks:
                return
            self._waiting.popleft()
            self.running[request] = self._answered.pop(request, 0)

    def _advance(self, request: int, zeros: Tensor) -> None:
        """Compute what is missing of a request, and its next token; end it after the last."""
        if self.cache.requests[request].loading:
            return
        if missing := self.cache.missing(request):
            self.cache.write(request, zeros[:, : len(missing)])
        output = self.requests[request][2]
        if self.running[request] == len(output):
            del self.running[request]
            self.cache.free(request)
        elif self._extend(request, output[self.running[request]]):
            self.running[request] += 1
            self.cache.write(request, zeros[:, :1])

    def _extend(self, request: int, token: int) -> bool:
        """Make room for a token; return False where the request itself had to go."""
        while request in self.running:
            try:
                self.cache.extend(request, [token])
            except OutOfBlocks:
                self._make_room()
            else:
                return True
        return False

    def _make_room(self) -> None:
        """Wait for copies where there are any, else preempt the request that was admitted last."""
        if len(self.cache.transfers):
            self.cache.transfers.end()
            return
        last, answered = self.running.popitem()
        self.cache.preempt(last)
        self._answered[last] = answered
        self._waiting.appendleft(last)
        self.preemptions += 1
