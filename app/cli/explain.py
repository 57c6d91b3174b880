"""``fuselab explain FILE``: per source line, what ran where and why."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app import textfile
from app.cli import headless
from app.cli.command_line import Options, existing_file

if TYPE_CHECKING:
    from app.engine.session.session import Session


def do_explain(options: Options) -> int:
    """Run the file (its own output goes to standard error) and print the account."""
    path = existing_file(options.operands[0])
    account = sys.stdout
    sys.stdout = sys.stderr
    try:
        reports: list[dict[str, Any]] = []

        def action(session: Session) -> None:
            session.run_file(path, options.script_arguments)
            reports.append(session.last_report)

        code = headless.execute(options, action, path.resolve().parent)
    finally:
        sys.stdout = account
    sys.stdout.write(_account(reports[0], path, options.format))
    return code


def _account(report: dict[str, Any], path: Path, form: str) -> str:
    from app.engine.session import explain

    text = textfile.read(path).text
    if form == "json":
        rows = explain.rows(report, text)
        answer = {"file": str(path), "status": report["status"], "lines": rows}
        return json.dumps(answer, indent=1, ensure_ascii=False) + "\n"
    return explain.table(report, text)
