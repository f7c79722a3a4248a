"""What LMCache's tiers must hold by what they were asked: which chunks, in which order, in which memory."""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from eagerdiff.compiled.adapters.kv_cache.held import Name


@dataclass
class Page:
    """Stand for one chunk's room in host memory."""

    references: int = 1
    pins: int = 0


@dataclass(frozen=True)
class Room:
    """Say how many chunks each tier has room for, and whether host memory is a tier or a buffer alone."""

    host: int
    disk: int
    keeps: bool


@dataclass
class Stored:
    """Follow both tiers as their source has it.

    Host memory (`LocalCPUBackend`) and disk (`LocalDiskBackend`) are dropped from the least recently used on
    (`LRUCachePolicy`), never what is pinned or in use. A pinned lookup makes the chunks that it finds the most recently
    used, the first of them last (`touch_cache`); storing a chunk that is there does so on disk, not in memory. Each
    chunk is written through to both (`StorageManager.batched_put`); what is read from disk is kept in memory
    (`StorageManager.batched_get`).
    """

    room: Room
    host: OrderedDict[Name, Page] = field(default_factory=OrderedDict[Name, Page])
    disk: OrderedDict[Name, int] = field(default_factory=OrderedDict[Name, int])
    """Names on disk, with their pins."""
    writing: list[tuple[Name, Page]] = field(default_factory=list[tuple[Name, Page]])
    """Writes to disk that have not ended."""
    used: int = 0
    """Pages of memory that somebody refers to."""

    def find(self, names: Sequence[Name]) -> tuple[int, int]:
        """Return how many leading chunks memory has, and how many after those the disk has."""
        host = _leading(names, self.host) if self.room.keeps else 0
        return host, _leading(names[host:], self.disk)

    def pin(self, host: Sequence[Name], disk: Sequence[Name]) -> None:
        """Hear of a lookup that pins what it finds."""
        for name in host:
            self.host[name].pins += 1
        for name in disk:
            self.disk[name] += 1
        for held, names in ((self.host, host), (self.disk, disk)):
            for name in reversed(names):
                held.move_to_end(name)

    def unpin(self, host: Sequence[Name], disk: Sequence[Name]) -> None:
        """Hear that a lookup's pins are released; what is gone has none."""
        for name in host:
            self.host[name].pins -= 1
        for name in disk:
            if name in self.disk:
                self.disk[name] -= 1

    def load(self, names: Sequence[Name], broken: Iterable[Name]) -> int:
        """Hear that chunks are read from disk; return how many of them can be given.

        All of them are read into memory at once; where one cannot be, none is kept there, and those after it are not
        given.
        """
        pages = [self._take() for _ in names]
        lost = {*broken} & {*names}
        given = [name not in lost and page is not None for name, page in zip(names, pages, strict=True)]
        for name, page in zip(names, pages, strict=True):
            if page is not None and name in lost:
                del self.disk[name]
            elif page is not None:
                self.disk.move_to_end(name)
        for name, page in zip(names, pages, strict=True):
            if page is not None:
                if all(given):
                    self._keep(name, page)
                self._let_go(page)
        return given.index(False) if False in given else len(given)

    def store(self, names: Sequence[Name]) -> int:
        """Hear that chunks are stored; return how many of them there was memory for, the leading ones."""
        pages: list[Page] = []
        for _ in names:
            page = self._take()
            if page is None:
                break
            pages.append(page)
        taken = [*zip(names, pages, strict=False)]
        for name, page in taken:
            self._keep(name, page)
        for name, page in taken if self.room.disk else ():
            self._write(name, page)
        for page in pages:
            self._let_go(page)
        return len(pages)

    def written(self, done: bool) -> None:
        """Hear that the first write that has not ended did, well or not."""
        name, page = self.writing.pop(0)
        self._let_go(page)
        if done:
            self.disk[name] = 0

    def close(self) -> None:
        """Hear that the process ended: the index of the disk is kept in memory alone, too."""
        self.host.clear()
        self.disk.clear()
        self.writing.clear()
        self.used = 0

    def _write(self, name: Name, page: Page) -> None:
        if name in self.disk:
            self.disk.move_to_end(name)
            return
        if any(name == other for other, _ in self.writing):
            return
        if len(self.disk) + len(self.writing) == self.room.disk:
            oldest = next((one for one, pins in self.disk.items() if not pins), None)
            if oldest is None:
                return
            del self.disk[oldest]
        page.references += 1
        self.writing.append((name, page))

    def _keep(self, name: Name, page: Page) -> None:
        if self.room.keeps and name not in self.host:
            page.references += 1
            self.host[name] = page

    def _take(self) -> Page | None:
        """Return a page, or None where nothing may be dropped for it."""
        if self.used == self.room.host:
            oldest = next((name for name, page in self.host.items() if page.references == 1 and not page.pins), None)
            if oldest is None:
                return None
            self._let_go(self.host.pop(oldest))
        self.used += 1
        return Page()

    def _let_go(self, page: Page) -> None:
        page.references -= 1
        self.used -= not page.references


def _leading(names: Sequence[Name], held: OrderedDict[Name, Page] | OrderedDict[Name, int]) -> int:
    return next((index for index, name in enumerate(names) if name not in held), len(names))
