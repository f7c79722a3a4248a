"""A KV cache manager as other projects write them, small and right, and the same with one fault each."""

from collections import OrderedDict
from collections.abc import Sequence

from eagerdiff.compiled.adapters.kv_cache.manager import Manager, NoRoom, Promises, Reuse, Slots, slots_of
from eagerdiff.compiled.kv_cache.hashing import Key

Name = tuple[tuple[int, ...], tuple[Key, ...]]


class Blocks:
    """Keep references, a queue of idle blocks, and full blocks by what they hold, the newest of a kind."""

    promises = Promises(Reuse.LEFT_FIRST, newest_only=True)

    def __init__(self, num_blocks: int, size: int) -> None:
        self.size = size
        self.references = [0] * num_blocks
        self.queue: OrderedDict[int, None] = OrderedDict.fromkeys(range(num_blocks))
        self.cached: dict[Name, int] = {}
        self.names: dict[int, Name] = {}
        self.tables: dict[int, list[int]] = {}
        self.texts: dict[int, tuple[list[int], tuple[Key, ...]]] = {}

    def admit(self, request: int, tokens: Sequence[int], keys: Sequence[Key]) -> int:
        hits = self.hits([*tokens], tuple(keys))
        fresh = -(-len(tokens) // self.size) - len(hits)
        if len(self.queue) < fresh + sum(not self.references[block] for block in hits):
            raise NoRoom
        for block in hits:
            self.share(block)
        self.tables[request] = [*hits, *(self.hand_out() for _ in range(fresh))]
        self.texts[request] = [*tokens], tuple(keys)
        return len(hits) * self.size

    def hits(self, tokens: list[int], keys: tuple[Key, ...]) -> list[int]:
        found: list[int] = []
        for index in range(self.most(tokens)):
            block = self.cached.get(self.name(tokens, keys, index))
            if block is None:
                break
            found.append(block)
        return found

    def most(self, tokens: list[int]) -> int:
        return (len(tokens) - 1) // self.size

    def name(self, tokens: list[int], keys: tuple[Key, ...], index: int) -> Name:
        return tuple(tokens[: (index + 1) * self.size]), keys

    def share(self, block: int) -> None:
        self.references[block] += 1
        self.queue.pop(block, None)

    def hand_out(self) -> int:
        block, _ = self.queue.popitem(last=False)
        self.forget(block)
        self.references[block] = 1
        return block

    def forget(self, block: int) -> None:
        name = self.names.pop(block, None)
        if name is not None and self.cached.get(name) == block:
            del self.cached[name]

    def extend(self, request: int, tokens: Sequence[int]) -> None:
        table, (text, _) = self.tables[request], self.texts[request]
        fresh = -(-(len(text) + len(tokens)) // self.size) - len(table)
        if len(self.queue) < fresh:
            raise NoRoom
        text.extend(tokens)
        table += [self.hand_out() for _ in range(fresh)]

    def computed(self, request: int, count: int) -> int:
        table, (text, keys) = self.tables[request], self.texts[request]
        for index in range(count // self.size):
            if table[index] not in self.names:
                name = self.name(text, keys, index)
                self.names[table[index]], self.cached[name] = name, table[index]
        return count

    def rewind(self, request: int, count: int) -> bool:
        return False

    def free(self, request: int) -> int:
        del self.texts[request]
        for block in reversed(self.tables.pop(request)):
            self.let_go(block)
        return 0

    def let_go(self, block: int) -> None:
        self.references[block] -= 1
        if not self.references[block]:
            self.queue[block] = None

    def slots(self, request: int) -> Slots:
        return slots_of((*self.tables[request],), self.size)

    def take(self, count: int) -> Sequence[int]:
        taken = [self.hand_out() for _ in range(count)]
        for block in taken:
            self.let_go(block)
        return taken

    def idle(self) -> int:
        return len(self.queue)

    def order(self) -> Sequence[int]:
        return [*self.queue]

    def audit(self) -> None:
        assert all(count >= 0 for count in self.references), "a block is freed more often than it was held"


class FindsTheLast(Blocks):
    """Find the block of the last token, too."""

    def most(self, tokens: list[int]) -> int:
        return len(tokens) // self.size


class FindsOneTooMany(Blocks):
    """Find a block by all of its tokens but one."""

    def name(self, tokens: list[int], keys: tuple[Key, ...], index: int) -> Name:
        return tuple(tokens[: (index + 1) * self.size - 1]), keys


class ForgetsKeys(Blocks):
    """Find blocks that were computed under other keys."""

    def name(self, tokens: list[int], keys: tuple[Key, ...], index: int) -> Name:
        return super().name(tokens, (), index)


class ForgetsParents(Blocks):
    """Find blocks by their own tokens alone."""

    def name(self, tokens: list[int], keys: tuple[Key, ...], index: int) -> Name:
        return tuple(tokens[index * self.size : (index + 1) * self.size]), keys


class CountsNoReference(Blocks):
    """Forget to count the second request of a block."""

    def share(self, block: int) -> None:
        self.references[block] = max(1, self.references[block])
        self.queue.pop(block, None)


class LeavesHitsIdle(Blocks):
    """Leave a block that is found again in the queue."""

    def share(self, block: int) -> None:
        self.references[block] += 1


class KeepsNames(Blocks):
    """Find a block under its old name when it is reused."""

    def forget(self, block: int) -> None:
        self.names.pop(block, None)


class FreesTwice(Blocks):
    """Free the last block of a request twice."""

    def free(self, request: int) -> int:
        last = self.tables[request][-1]
        super().free(request)
        self.let_go(last)
        return 0


class FreesFirstBlocksFirst(Blocks):
    """Reuse the start of a prefix before its end."""

    def free(self, request: int) -> int:
        self.tables[request].reverse()
        return super().free(request)


class ReusesTheNewest(Blocks):
    """Reuse the block first that was left last."""

    def hand_out(self) -> int:
        self.queue = OrderedDict.fromkeys(reversed(self.queue))
        block = super().hand_out()
        self.queue = OrderedDict.fromkeys(reversed(self.queue))
        return block


class Leaks(Blocks):
    """Lose a block of requests with three blocks or more."""

    def free(self, request: int) -> int:
        if len(self.tables[request]) > 2:
            self.tables[request].pop()
        return super().free(request)


class FindsNothingTwice(Blocks):
    """Lose a name when it is found."""

    def share(self, block: int) -> None:
        super().share(block)
        self.cached.pop(self.names.get(block, ((), ())), None)


FAULTY: Sequence[type[Blocks]] = (
    FindsTheLast, FindsOneTooMany, ForgetsKeys, ForgetsParents, CountsNoReference, LeavesHitsIdle, KeepsNames,
    FreesTwice, FreesFirstBlocksFirst, ReusesTheNewest, Leaks, FindsNothingTwice,
)  # fmt: skip


def opened(kind: type[Blocks]) -> Manager:
    """Return one, small: pyright holds it to the protocol."""
    return kind(4, 2)
