"""One window per user: a second start hands its files over and ends."""

from __future__ import annotations

import getpass
import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from app import paths

WAIT_MS = 500


def server_name() -> str:
    """Different for every user and every home folder of Fuselab."""
    place = hashlib.sha256(str(paths.data_dir()).encode()).hexdigest()[:12]
    return f"fuselab-{getpass.getuser()}-{place}"


def hand_over(files: Sequence[Path]) -> bool:
    """Give ``files`` to a running window; False when there is none."""
    socket = QLocalSocket()
    socket.connectToServer(server_name())
    if not socket.waitForConnected(WAIT_MS):
        return False
    data = json.dumps([str(file.resolve()) for file in files]).encode()
    socket.write(data + b"\n")
    sent = bool(socket.waitForBytesWritten(WAIT_MS))
    socket.disconnectFromServer()
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
        if self._server.listen(name):
            return True
        QLocalServer.removeServer(name)
        return self._server.listen(name)

    def close(self) -> None:
        """Take no more."""
        self._server.close()

    def _on_connection(self) -> None:
        socket = self._server.nextPendingConnection()
        while socket is not None:
            socket.readyRead.connect(self._on_ready)
            socket.disconnected.connect(socket.deleteLater)
            if socket.canReadLine():
                self._take(socket)
            socket = self._server.nextPendingConnection()

    def _on_ready(self) -> None:
        for socket in self._server.findChildren(QLocalSocket):
            if socket.canReadLine():
                self._take(socket)

    def _take(self, socket: QLocalSocket) -> None:
        names = json.loads(bytes(socket.readLine().data()).decode())
        self._open_files([Path(name) for name in names])
