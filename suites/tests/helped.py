"""A worker that asks for a helper as often as it is told to, and what the helper does."""

import json
import os
import socket
from multiprocessing.connection import Connection
from typing import Any

from eagerdiff.harness.processes.serving import settle
from eagerdiff.harness.processes.spare import helper


def prepare() -> None:
    """Have nothing to prepare."""


def help_out(channel: socket.socket) -> None:
    """Say who forked it and what a text's hash is, and stay until nobody asks."""
    channel.send(json.dumps({"spare": os.getppid(), "helper": os.getpid(), "hash": hash("text")}).encode())
    channel.recv(1)


def serve(descriptors: list[int], limits: dict[str, Any], device: str, fork_server: int) -> None:
    """Answer each message with what a new helper says."""
    channel, output = descriptors
    settle(output, fork_server)
    connection = Connection(channel)
    helpers: list[socket.socket] = []
    while True:
        try:
            connection.recv_bytes()
        except EOFError:
            return
        helpers.append(helper(__name__))
        connection.send_bytes(helpers[-1].recv(1 << 16))
