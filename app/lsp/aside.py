"""Work on whole texts, in a thread of its own: typing and pointing never wait for it."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from pygls.exceptions import JsonRpcContentModified

from app.engine.session import language_service as service
from app.lsp.convert import Text

_T = TypeVar("_T")
PAUSE_S = 0.4
"""In a long text so long after the last change nobody types."""


class Aside:
    """One piece of work after the other; what is asked of a text that has changed since is not
    begun."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "understanding")

    async def run(self, text: Text, work: Callable[[], _T]) -> _T:
        """What ``work`` finds in ``text``.

        Raises:
            JsonRpcContentModified: the client has changed the text meanwhile.
        """
        version = text.document.version
        if not service.is_quick(text.source):
            await asyncio.sleep(PAUSE_S)
            _refuse_older(text, version)

        def latest() -> _T:
            _refuse_older(text, version)
            gc.disable()  # a syntax tree is large, and has no cycles
            try:
                return work()
            finally:
                gc.enable()

        found = await asyncio.get_running_loop().run_in_executor(self._thread, latest)
        _refuse_older(text, version)
        return found

    def close(self) -> None:
        """Begin nothing more."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def _refuse_older(text: Text, version: int | None) -> None:
    if text.document.version != version:
        raise JsonRpcContentModified("The document has changed since.")
