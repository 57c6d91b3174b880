"""One window per user: a second start hands its files over and ends."""

from __future__ import annotations

import getpass
import hashlib
import json
import os
import socket
import stat
import struct
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from app import paths

WAIT_MS = 500
MOST_BYTES = 1 << 20
"""Of the names that a start hands over."""
LONGEST_NAME = 100
"""Bytes of a socket's path, with some to spare: systems take 104 to 108."""


def server_name() -> str:
    """Different for every user and every home folder of Fuselab.

    On POSIX the path of a socket in a folder that only this user may enter: the one for such things
    where the system has one, else our own. Empty where there is no such folder.
    """
    place = hashlib.sha256(str(paths.data_dir()).encode()).hexdigest()[:12]
    if os.name != "posix":
        return f"fuselab-{getpass.getuser()}-{place}"
    folders = [os.environ.get("XDG_RUNTIME_DIR", ""), str(paths.data_dir())]
    for folder in filter(None, folders):
        name = str(Path(folder) / f"fuselab-{place}.sock")
        if len(name.encode()) < LONGEST_NAME and _is_private(Path(folder)):
            return name
    return ""


def _is_private(folder: Path) -> bool:
    """Whether nobody else may put anything into a folder."""
    try:
        state = folder.lstat()
    except OSError:
        return False
    mine = stat.S_ISDIR(state.st_mode) and state.st_uid == os.geteuid()
    return mine and not state.st_mode & 0o077


def _is_same_user(connection: QLocalSocket) -> bool:
    """Whether the process at the other end is this user's, where the system tells."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True  # the folder of the socket is private
    descriptor = int(connection.socketDescriptor())
    with socket.socket(fileno=os.dup(descriptor)) as other:
        found = other.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return bool(struct.unpack("3i", found)[1] == os.geteuid())


def hand_over(files: Sequence[Path]) -> bool:
    """Give ``files`` to a running window; False when there is none."""
    name = server_name()
    if not name:
        return False
    connection = QLocalSocket()
    connection.connectToServer(name)
    if not connection.waitForConnected(WAIT_MS) or not _is_same_user(connection):
        return False
    data = json.dumps([str(file.resolve()) for file in files]).encode()
    connection.write(data + b"\n")
    sent = bool(connection.waitForBytesWritten(WAIT_MS))
    connection.disconnectFromServer()
    return sent


class SingleInstance(QObject):
    """Takes the files of later starts; ``open_files`` shows them."""

    def __init__(self, parent: QObject, open_files: Callable[[list[Path]], None]) -> None:
        super().__init__(parent)
        self._open_files = open_files
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_connection)

    def listen(self) -> bool:
        """Begin; what a killed process left behind is cleared away."""
        name = server_name()
        if not name:
            return False
        if self._server.listen(name):
            return True
        QLocalServer.removeServer(name)
        return self._server.listen(name)

    def close(self) -> None:
        """Take no more."""
        self._server.close()

    def _on_connection(self) -> None:
        connection = self._server.nextPendingConnection()
        while connection is not None:
            connection.disconnected.connect(connection.deleteLater)
            if _is_same_user(connection):
                connection.readyRead.connect(self._on_ready)
                self._hear(connection)
            else:
                connection.abort()
            connection = self._server.nextPendingConnection()

    def _on_ready(self) -> None:
        for connection in self._server.findChildren(QLocalSocket):
            self._hear(connection)

    def _hear(self, connection: QLocalSocket) -> None:
        """Take all lines that have come; whoever says more without an end of it is cut off."""
        while connection.canReadLine():
            self._take(connection)
        if connection.bytesAvailable() > MOST_BYTES:
            connection.abort()

    def _take(self, connection: QLocalSocket) -> None:
        try:
            names = json.loads(bytes(connection.readLine().data()).decode())
        except (ValueError, RecursionError):
            return  # not from a start of ours
        if isinstance(names, list) and all(isinstance(name, str) for name in names):
            self._open_files([Path(name) for name in names if "\0" not in name])
