"""A tier of files: on disk, or as objects in a store, wherever fsspec reaches."""

import contextlib
import io
import re
from collections import OrderedDict
from collections.abc import Generator
from typing import Any

import fsspec
import torch
from torch import Tensor

_UNFINISHED = ".part"
_NAME = re.compile(r"([0-9a-f]{16})-((?:[0-9a-f]{2})+)")
"""A file's name: its place in the order in which files were stored, and the digest of its block."""


class NoStore(OSError):
    """Say in one line why a tier's store cannot be opened."""


class FileTier:
    """Keep blocks as files of any file system that fsspec knows: `file:///cache`, `memory://cache`, `s3://bucket/kv`.

    What another tier left in the folder is there, in the order in which it was stored; writes that broke off are not.
    """

    def __init__(self, url: str, capacity: int, name: str = "", **options: Any) -> None:
        """Open the folder of a URL, or make it; `options` are fsspec's: credentials, an endpoint.

        Raises NoStore where a package is missing, or the store is out of reach or refuses.
        """
        self.name, self.capacity = name or url.split(":")[0], capacity
        self._known: OrderedDict[bytes, str] = OrderedDict()
        """The file of each block, the least recently used one first."""
        self._stores = 0
        try:
            self.files, self._root = fsspec.core.url_to_fs(url, **options)
            self.files.makedirs(self._root, exist_ok=True)
            self._reopen()
        except ImportError as error:
            package = f"{self.name}fs" if self.name == "s3" else "another package"
            raise NoStore(f"{url} needs {package}: {_line(error)} (pip install 'eagerdiff[s3]' for S3)") from error
        except Exception as error:
            raise NoStore(f"{url} cannot be opened: {_line(error)}") from error

    def __contains__(self, digest: bytes) -> bool:
        return digest in self._known

    def touch(self, digest: bytes) -> None:
        """Make a block the last to be dropped."""
        self._known.move_to_end(digest)

    def load(self, digest: bytes) -> Tensor:
        """Return the block [2, P, K, D]; raise OSError where it is gone or broken, and forget it."""
        if digest not in self._known:
            raise FileNotFoundError(f"{self.name}: no block {digest.hex()}")
        path = self._known.pop(digest)
        try:
            with _failing_as_os_error(f"{self.name}: loading {digest.hex()}"):
                kv = torch.load(io.BytesIO(self.files.cat_file(path)), weights_only=True)
        except OSError:
            self._discard(path)
            raise
        self._known[digest] = path
        return kv

    def store(self, digest: bytes, kv: Tensor) -> None:
        """Keep a block [2, P, K, D]: whole, or not at all; raise OSError where the store does not take it."""
        data = io.BytesIO()
        torch.save(kv.to("cpu", copy=True), data)
        self._stores += 1
        path = f"{self._root}/{self._stores:016x}-{digest.hex()}"
        with _failing_as_os_error(f"{self.name}: storing {digest.hex()}"):
            self.files.pipe_file(path + _UNFINISHED, data.getvalue())
            self.files.mv(path + _UNFINISHED, path)
        self._known[digest] = path

    def excess(self) -> bytes | None:
        """Return the least recently used block where there are more than the capacity, else None."""
        return next(iter(self._known)) if len(self._known) > self.capacity else None

    def remove(self, digest: bytes) -> None:
        """Forget a block, there or not; a file that cannot be removed is found by nobody."""
        path = self._known.pop(digest, None)
        if path is not None:
            self._discard(path)

    def _discard(self, path: str) -> None:
        with contextlib.suppress(OSError), _failing_as_os_error(f"{self.name}: removing {path}"):
            self.files.rm_file(path)

    def _reopen(self) -> None:
        """Find the blocks that were stored before, and remove what broke off."""
        found: dict[str, str] = {}
        with contextlib.suppress(FileNotFoundError):  # a folder without a file, in a store of objects
            found = {path.rsplit("/", 1)[-1]: path for path in self.files.ls(self._root, detail=False, refresh=True)}
        for name, path in sorted(found.items()):
            if name.endswith(_UNFINISHED):
                self.files.rm_file(path)
            elif stored := _NAME.fullmatch(name):
                self._stores = int(stored[1], 16)
                self._known[bytes.fromhex(stored[2])] = path


@contextlib.contextmanager
def _failing_as_os_error(what: str) -> Generator[None]:
    """Turn whatever a store raises into OSError: botocore's errors of connection, for one, are none."""
    try:
        yield
    except OSError:
        raise
    except Exception as error:
        raise OSError(f"{what}: {_line(error)}") from error


def _line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]
