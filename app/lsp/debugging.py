"""The Debug Adapter Protocol of editors, in the language server: one session runs and debugs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from app.api import Session
from app.api.debug_adapter import Body, DebugAdapter
from app.errors import UsageError


class EditorAdapter(DebugAdapter):
    """Answers the debug requests about one run.

    Args:
        session: runs the file.
        publish: sends an event of the protocol to the client, from any thread.
        run: runs the file to its end; begun when the client has told its breakpoints.
    """

    def __init__(
        self,
        session: Session,
        publish: Callable[[Body], None],
        run: Callable[[], Awaitable[object]],
    ) -> None:
        super().__init__(session, publish)
        self._run = run
        self._running: asyncio.Task[None] | None = None
        self.requests |= {"launch": self._launch, "configurationDone": self._begin}

    def print(self, text: str) -> None:
        """Show in the client's debug console what the run printed."""
        self.send_event("output", {"category": "stdout", "output": text})

    def _launch(self, arguments: Body) -> Body:
        if not arguments.get("noDebug"):
            self.attach()
        return {}

    def _begin(self, arguments: Body) -> Body:
        self._running = asyncio.create_task(self._run_to_end())
        return {}

    async def _run_to_end(self) -> None:
        try:
            await self._run()
        except UsageError as problem:
            self.send_event("output", {"category": "stderr", "output": f"{problem}\n"})
        finally:
            self.send_event("terminated")

    def _terminate(self, arguments: Body) -> Body:
        self.session.interrupt()
        self.stop()
        return {}
