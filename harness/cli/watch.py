"""`eagerdiff watch`: the page of a campaign that runs, served read-only."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from eagerdiff.harness.cli.failure import BadInput

if TYPE_CHECKING:
    from eagerdiff.harness.following.follower import Source

LOCAL = ("127.0.0.1", "::1", "localhost")


def watch(
    journal: Annotated[
        str, typer.Argument(help="A journal, the folder of its report, or the URL to which it is copied.")
    ] = "report",
    host: Annotated[
        str, typer.Option(help="Address to serve at; one that other machines see needs --certificate.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0: any that is free.")] = 8765,
    certificate: Annotated[
        Path | None, typer.Option(help="PEM file of a certificate and its key: the page is served by TLS.")
    ] = None,
    token: Annotated[
        str | None, typer.Option(envvar="EAGERDIFF_WATCH_TOKEN", help="What callers must know. Default: a new one.")
    ] = None,
) -> None:
    """Serve the page of a campaign that runs, until Ctrl-C: how far it is, what it found, which machines work on it.

    Nothing can be changed there, and who has not the token gets nothing. Exit code 2: it could not be served.
    """
    import signal
    import ssl
    import threading

    from eagerdiff.harness.cli.console import console
    from eagerdiff.harness.following.follower import Follower
    from eagerdiff.harness.following.serving import Watch

    if host not in LOCAL and certificate is None:
        raise BadInput(f"{host} is open to others: give --certificate, or watch at 127.0.0.1 through an SSH tunnel")
    if token is not None and len(token) < 16:
        raise BadInput("the token is shorter than 16 characters: leave it out, and a new one is made")
    follower = Follower(_source(journal))
    try:
        serving = Watch(follower, host, port, token=token or "", certificate=certificate)
    except ssl.SSLError as error:
        raise BadInput(f"{certificate} cannot be used: {error.reason or error}") from error
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise BadInput(f"cannot serve at {host}:{port}: {why}") from error
    ended = threading.Event()
    before = {name: signal.signal(name, lambda *_: ended.set()) for name in (signal.SIGINT, signal.SIGTERM)}
    try:
        console().print(serving.address, soft_wrap=True, markup=False)
        ended.wait()
    finally:
        serving.close()
        for name, handler in before.items():
            signal.signal(name, handler)


def _source(journal: str) -> "Source":
    from eagerdiff.harness.cli.folder import JOURNAL
    from eagerdiff.harness.following.follower import LocalSource, StoredSource
    from eagerdiff.harness.following.segments import Store, StoreError

    if "://" in journal:
        try:
            return StoredSource(Store(journal))
        except StoreError as error:
            raise BadInput(str(error)) from error
    path = Path(journal)
    path = path / JOURNAL if path.is_dir() else path
    if not path.is_file():
        raise BadInput(f"{path} is no journal: name that of a campaign, or its report's folder")
    return LocalSource(path)
