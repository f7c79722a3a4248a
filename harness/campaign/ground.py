"""The ground that a campaign stands on: the folders in which compilers and workers write."""

import os
import tempfile
from pathlib import Path

from eagerdiff.harness.devices import cache_folder


class Ground:
    """Watch the folders of temporary files and of caches: once one gives way, compilers would be blamed for it."""

    def __init__(self) -> None:
        given = (Path(tempfile.gettempdir()), cache_folder())
        self._folders = [folder for folder in given if folder.is_dir()]
        self._roomy = [folder for folder in self._folders if _room(folder)]
        """Those whose disk says how much room there is: some of a network say 0 at all times."""

    def lost(self) -> str:
        """Say in one line what has given way; empty while all stands."""
        gone = next((folder for folder in self._folders if not folder.is_dir()), None)
        full = next((folder for folder in self._roomy if folder != gone and not _room(folder)), None)
        if gone is None and full is None:
            return ""
        return f"the folder {gone} has gone" if gone is not None else f"no space is left for {full}"


def _room(folder: Path) -> int:
    """Return the free blocks that this process may use; 0 where that is not known."""
    try:
        return os.statvfs(folder).f_bavail
    except OSError:
        return 0
