"""Running what the client asks for, and what is remembered of it for its lines.

While a script runs its output goes to the client's log line by line; a failure is shown as a
message, too, and figures as pictures.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from app import project
from app.engine.declarations.toolbox_repositories import with_toolboxes
from app.engine.error_text import error_text
from app.engine.protocol import ErrorRaised, Event, Notice, OutputText
from app.engine.session import explain
from app.engine.session.report import milliseconds
from app.errors import Interrupted, MatlabError
from app.lsp.console import Console
from app.lsp.convert import Text, uri_of
from app.temporary_folders import OwnedFolder

if TYPE_CHECKING:
    from app.api import Session
    from app.api.debug_adapter import Body
    from app.lsp.debugging import EditorAdapter

Answer = dict[str, object]


@dataclass(frozen=True, slots=True)
class _Account:
    """Remarks of a run by line from 0, and the text they are true of."""

    text: str
    remarks: dict[int, tuple[str, str]]


class Runner:
    """One session for all files of the client, made at the first run.

    Args:
        server: hears what scripts print and draw.
    """

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._console = Console(server)
        self._adapter: EditorAdapter | None = None
        self._session: Session | None = None
        self._pictures: OwnedFolder | None = None
        self._accounts: dict[str, _Account] = {}
        self._ended = False

    async def run(self, text: Text, first: int, last: int) -> Answer:
        """Run lines ``first`` to ``last`` (from 1): status, output, error and figures' files.

        Raises:
            UsageError: the project file beside the text says what it may not.
        """
        self._console.begin(asyncio.get_running_loop())
        async with self._shown_at_work(Path(text.source.name).name):
            answer, pictures = await asyncio.to_thread(self._run, text, first, last)
        self._console.flush()
        for file in pictures:
            self._show_picture(file)
        return answer

    def _run(self, text: Text, first: int, last: int) -> tuple[Answer, list[Path]]:
        """The answer and the files of the figures; on a thread of its own."""
        session = self.opened_session(text)
        lines = text.source.text.split("\n")[first - 1 : last]
        answer: Answer = {"status": "ok", "error": None}
        try:
            code = "\n" * (first - 1) + "\n".join(lines)
            if not self._ended:  # else nobody is there to be answered
                session.eval(code, name=text.source.name)
        except Interrupted:
            answer["status"] = "interrupted"
        except MatlabError as problem:
            place = problem.stack[0].line if problem.stack else 0
            error = {"identifier": problem.identifier, "message": problem.message, "line": place}
            answer |= {"status": "error", "error": error}
        answer["output"] = session.output
        pictures = self._drawn(session)
        answer["figures"] = list(map(str, pictures))
        if session.report is not None:
            rows = explain.rows(dict(session.report.document), text.source.text)
            kept = self._accounts.get(text.document.uri)
            remarks = dict(kept.remarks) if kept and kept.text == text.source.text else {}
            remarks |= {row["line"] - 1: _remark(row) for row in rows if row["groups"]}
            self._accounts[text.document.uri] = _Account(text.source.text, remarks)
            taken = milliseconds(session.report.wall_ms)
            which = Path(text.source.name).name
            if (first, last) != (1, len(text.source.line_starts)):
                which += f", lines {first} to {last}"
            self._console.write(f"» {which}: {answer['status']}, {taken}\n", own_line=True)
        return answer, pictures

    def opened_session(self, text: Text) -> Session:
        """The session; the project of the text it is made for is that of all.

        Raises:
            UsageError: the project file says what it may not.
        """
        if self._session is None:
            from app.api import Session  # the engine: an editor that runs nothing never loads it

            known = project.find(Path(text.source.name).parent)
            path, device = (with_toolboxes(known), known.device) if known else ((), "")
            self._session = Session(device or None, path=path, read_line=_refuse_input)
            self._session.listen(self._take)
        return self._session

    def _take(self, event: Event) -> None:
        """Pass on what a run tells; called on its thread."""
        match event:
            case OutputText(text):
                self._console.write(text)
            case Notice(text, "error"):
                self._console.write(f"fuselab: {text}\n", own_line=True)
            case ErrorRaised():
                self._console.write(error_text(event), own_line=True)
                _, file, line, _ = event.frames[0] if event.frames else ("", "", 0, 0)
                place = f"{Path(file).name}:{line}: " if file else ""
                self._console.show_error(f"{place}{event.message}")

    # --- debugging ----------------------------------------------------------------------------

    async def debug(self, text: Text, message: Body, run: Callable[[], Awaitable[object]]) -> Body:
        """The response to a request of the Debug Adapter Protocol about a run of ``text``.

        Raises:
            UsageError: the project file beside the text says what it may not.
        """
        if self._adapter is None or message.get("command") == "initialize":
            from app.lsp.debugging import EditorAdapter  # the engine, which editing does without

            session = await asyncio.to_thread(self.opened_session, text)
            loop, protocol = asyncio.get_running_loop(), self._server.protocol

            def publish(event: Body) -> None:
                loop.call_soon_threadsafe(protocol.notify, "fuselab/debugEvent", event)

            self._adapter = EditorAdapter(session, publish, run)
            self._console.heard_by = self._adapter.print
        answer = await self._adapter.answer(message)
        if message.get("command") == "disconnect":
            self._adapter = self._console.heard_by = None
        return answer

    # --- figures ------------------------------------------------------------------------------

    def _drawn(self, session: Session) -> list[Path]:
        """Files with the pictures of the figures that changed."""
        files = list[Path]()
        for number in session.changed_figures():
            if self._pictures is None:
                self._pictures = OwnedFolder("pictures")
            file = Path(self._pictures.name, f"figure-{number}.png")
            file.write_bytes(session.figure(number))
            self._console.write(f"figure {number}: {file}\n", own_line=True)
            files.append(file)
        return files

    def _show_picture(self, file: Path) -> None:
        window = self._server.client_capabilities.window
        if window is not None and window.show_document and window.show_document.support:
            wish = types.ShowDocumentParams(uri_of(file), external=True, take_focus=False)
            self._server.window_show_document(wish)

    # --- its life -----------------------------------------------------------------------------

    @asynccontextmanager
    async def _shown_at_work(self, name: str) -> AsyncIterator[None]:
        """Where the client shows what is at work, it does; what is cancelled there stops."""
        window = self._server.client_capabilities.window
        if window is None or not window.work_done_progress:
            yield
            return
        token, progress = str(uuid4()), self._server.work_done_progress
        try:
            await progress.create_async(token)
        except JsonRpcException:  # the client wants none of it this time
            yield
            return
        # The future of a token ends by being cancelled only.
        progress.tokens[token].add_done_callback(lambda _: self.interrupt())
        progress.begin(token, types.WorkDoneProgressBegin(f"Running {name}", cancellable=True))
        try:
            yield
        finally:
            progress.end(token, types.WorkDoneProgressEnd())
            del progress.tokens[token]

    def remarks(self, text: Text) -> dict[int, tuple[str, str]]:
        """What the last runs did, by line from 0: a few words and the whole; none once edited."""
        account = self._accounts.get(text.document.uri)
        if account is None or account.text != text.source.text:
            return {}
        return account.remarks

    def interrupt(self) -> None:
        """Stop what runs."""
        if self._session is not None:
            self._session.interrupt()
        if self._adapter is not None:
            self._adapter.stop()

    def end(self) -> None:
        """Stop what runs; nothing is run any more."""
        self._ended = True
        if self._adapter is not None:
            self._adapter.detach()
        self.interrupt()

    def close(self) -> None:
        """Stop what runs and end the session."""
        self.end()
        if self._session is not None:
            self._session.close()
            self._session = None
        if self._pictures is not None:
            self._pictures.cleanup()


def _refuse_input(prompt: str) -> str:
    raise MatlabError(
        "MATLAB:input:noInput",
        "An editor has no place to type an answer: run the file in a terminal (fuselab run FILE).",
    )


def _remark(row: dict[str, Any]) -> tuple[str, str]:
    groups = row["groups"]
    first = groups[0]
    side = "host" if first["provider"] == "host" else "GPU"
    more = f" +{len(groups) - 1}" if len(groups) > 1 else ""
    label = f"{side} {first['kind']}{more}, {milliseconds(first['measured_ms'])}"
    detail = "\n".join(
        f"group {g['id']}: {g['kind']} on {g['provider']} ({g['reason']}), "
        f"{g['executions']} times, {'·'.join(g['ops'])}"
        for g in groups
    )
    return label, detail
