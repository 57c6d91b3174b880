"""Running what the client asks for, and what is remembered of it for its lines."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from app import project
from app.api import Interrupted, MatlabError, Session
from app.engine.session import explain
from app.engine.session.report import milliseconds
from app.lsp.convert import Text


@dataclass(frozen=True, slots=True)
class _Account:
    """Remarks of a run by line from 0, and the text they are true of."""

    text: str
    remarks: dict[int, tuple[str, str]]


class Runner:
    """One session for all files of the client, made at the first run.

    Args:
        server: hears what scripts print.
    """

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._session: Session | None = None
        self._accounts: dict[str, _Account] = {}

    def run(self, text: Text, first: int, last: int) -> dict[str, Any]:
        """Run lines ``first`` to ``last`` (from 1); the answer has status, output and error.

        Raises:
            UsageError: the project file beside the text says what it may not.
        """
        if self._session is None:
            known = project.find(Path(text.source.name).parent)
            path, device = (known.path, known.device) if known else ((), "")
            self._session = Session(device or None, path=path)
        session = self._session
        lines = text.source.text.split("\n")[first - 1 : last]
        answer: dict[str, Any] = {"status": "ok", "output": "", "error": None}
        try:
            code = "\n" * (first - 1) + "\n".join(lines)
            answer["output"] = session.eval(code, name=text.source.name).output
        except Interrupted:
            answer["status"] = "interrupted"
        except MatlabError as problem:
            place = problem.stack[0].line if problem.stack else 0
            error = {"identifier": problem.identifier, "message": problem.message, "line": place}
            answer |= {"status": "error", "error": error}
        if session.report is not None:
            rows = explain.rows(dict(session.report.document), text.source.text)
            kept = self._accounts.get(text.document.uri)
            remarks = dict(kept.remarks) if kept and kept.text == text.source.text else {}
            remarks |= {row["line"] - 1: _remark(row) for row in rows if row["groups"]}
            self._accounts[text.document.uri] = _Account(text.source.text, remarks)
        if answer["output"]:
            log = types.LogMessageParams(types.MessageType.Log, answer["output"])
            self._server.window_log_message(log)
        return answer

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

    def close(self) -> None:
        """End the session."""
        if self._session is not None:
            self._session.close()
            self._session = None


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
