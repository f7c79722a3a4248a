"""A shard: the part of a campaign that one of several machines draws."""

import re
import zlib
from dataclasses import dataclass
from typing import Self

_SHARD = re.compile(r"([1-9]\d{0,5})/([1-9]\d{0,5})")


@dataclass(frozen=True)
class Shard:
    """Deal batches out, so that each is drawn by one machine, and every machine has all targets.

    The same on every machine and in every release: it rests on the target's name and the batch's number alone.
    """

    index: int = 0
    """From 0 on."""
    count: int = 1

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return what `2/4`, the second of four, stands for; raise ValueError for what stands for none."""
        match = _SHARD.fullmatch(text)
        if match is None or int(match[1]) > int(match[2]):
            raise ValueError(f"{text!r} is no shard: write 2/4 for the second of four")
        return cls(int(match[1]) - 1, int(match[2]))

    def holds(self, target: str, batch: int) -> bool:
        """Whether a batch of a target, `operator/implementation on device`, is drawn in this part."""
        return (zlib.crc32(target.encode()) + batch) % self.count == self.index

    def __str__(self) -> str:
        """Write it as it is given: `2/4`; the whole is `1/1`."""
        return f"{self.index + 1}/{self.count}"


WHOLE = Shard()
