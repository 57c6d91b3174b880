"""A kernel for Jupyter: each notebook has a session of its own.

A line ``%device NAME``, ``%figures svg``, ``%explain`` or ``%report`` at the head of a cell is an
order to the kernel (elsewhere it is a comment, as in MATLAB): compute elsewhere from here on; show
figures as SVG (or ``png``, or ``interactive``: to be panned and zoomed) from here on; say after the
cell what ran where; show the cell's account as JSON. Cells in other languages (``%%python``) are
refused. Tables that a cell displays are HTML.
"""

from __future__ import annotations

import base64
import re
from html import escape
from pathlib import Path
from typing import Any

from ipykernel.kernelbase import Kernel

from app import __version__
from app.api import Interrupted, MatlabError, Session, UsageError
from app.engine.builtins.containers.table_class import Table
from app.engine.error_text import error_text
from app.engine.protocol import ErrorRaised, Event, Notice, OutputText
from app.engine.session import explain
from app.engine.session import language_service as service
from app.engine.values import Value
from app.engine.values.display import display
from app.jupyter.debugging import Adapter
from app.jupyter.interactive import movable_html
from app.jupyter.tables import table_html
from app.source import SourceText

_ORDER = re.compile(r"[ \t]*%(device|figures|explain|report)\b[ \t]*([^\n]*)(?:\n|$)")
_OF_OTHERS = re.compile(r"%%(python|bash|shell|sh|html|javascript|latex|file|kx?|px?)\b")
"""Cells for another language, as Jupyter's other kernels begin them: no title of a section."""
_DOTS_PER_INCH = 96.0
_KINDS = ("png", "svg", "interactive")


class FuselabKernel(Kernel):
    """Answers one notebook."""

    implementation = "fuselab"
    implementation_version = __version__
    language = "matlab"
    language_version = "R2025a"
    banner = f"Fuselab {__version__}: MATLAB code, fused and placed on the GPU"
    language_info = {  # noqa: RUF012 - a trait of the base class
        "name": "matlab",
        "mimetype": "text/x-octave",
        "file_extension": ".m",
        "codemirror_mode": "octave",
        "pygments_lexer": "matlab",
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)  # type: ignore[no-untyped-call]
        self.matlab = Session(read_line=self._answer_of_user)
        self.matlab.listen(self._publish_event)
        self.matlab.show_with(self._show_table)
        self._adapter = Adapter(self.matlab, self._publish_debug_event)
        self._silent = False
        self._figure_kind = "png"

    # --- running ------------------------------------------------------------------------------

    async def do_execute(
        self,
        code: str,
        silent: bool,
        store_history: bool = True,
        user_expressions: dict[str, Any] | None = None,
        allow_stdin: bool = False,
        *,
        cell_meta: object = None,
        cell_id: object = None,
    ) -> dict[str, Any]:
        """Run a cell; figures it drew follow its output."""
        self._silent, self._allow_stdin = silent, allow_stdin
        name = f"<cell {self.execution_count}>"
        if self._adapter.attached:
            name = self._adapter.path_of(code)
        try:
            orders, code = self._orders(code)
            self.matlab.eval(code, name=name)
        except MatlabError as problem:
            return self._failure_answer(problem.identifier or "error", problem.message)
        except UsageError as problem:
            return self._failure_answer("fuselab", str(problem), shown=True)
        except Interrupted:
            return self._failure_answer("Interrupted", "the cell was stopped", shown=True)
        self._show_figures()
        self._show_accounts(orders, code)
        return {
            "status": "ok",
            "execution_count": self.execution_count,
            "payload": [],
            "user_expressions": {},
        }

    def _failure_answer(self, name: str, text: str, *, shown: bool = False) -> dict[str, Any]:
        """The answer about a cell that failed; ``shown`` where no event tells of it."""
        self._show_figures()
        if shown:
            self._send("error", ename=name, evalue=text, traceback=[f"{name}: {text}"])
        answer = {"status": "error", "ename": name, "evalue": text, "traceback": []}
        return {**answer, "execution_count": self.execution_count}

    def _orders(self, code: str) -> tuple[set[str], str]:
        """The orders at the head of a cell, and the cell with its lines where they were."""
        orders: set[str] = set()
        start = 0
        while found := _ORDER.match(code, start):
            order, argument = found[1], found[2].strip()
            if order == "device" and argument:
                self.matlab.choose_device(argument)
            elif order == "device":
                self._send("stream", name="stdout", text=f"{self.matlab.device}\n")
            if order == "figures":
                if argument not in _KINDS:
                    raise UsageError(f"%figures takes {' or '.join(_KINDS)}, not '{argument}'")
                self._figure_kind = argument
            orders.add(order)
            start = found.end()
        if other := _OF_OTHERS.match(code, start):
            text = f"this kernel has no cells of {other[0]}: Python code runs by pyrun and py."
            raise UsageError(f"{text}, commands by system, files are written by writelines")
        return orders, "\n" * code.count("\n", 0, start) + code[start:]

    def _show_accounts(self, orders: set[str], code: str) -> None:
        report = self.matlab.report
        if report is None:
            return
        if "explain" in orders:
            self._send("stream", name="stdout", text=explain.table(dict(report.document), code))
        if "report" in orders:
            self._display({"application/json": dict(report.document)}, "the account of the cell")

    def _show_figures(self) -> None:
        for number in self.matlab.changed_figures():
            if self._figure_kind == "png":
                picture = self.matlab.figure(number, "png", dpi=_DOTS_PER_INCH)
                shown = {"image/png": base64.b64encode(picture).decode()}
            else:
                drawing = self.matlab.figure(number, "svg", dpi=_DOTS_PER_INCH).decode()
                movable = self._figure_kind == "interactive"
                shown = (
                    {"text/html": movable_html(drawing)} if movable else {"image/svg+xml": drawing}
                )
            self._display(shown, f"<Figure {number}>")

    def _show_table(self, name: str, value: Value) -> bool:
        """Whether a value was shown as HTML."""
        if self._silent or not isinstance(value, Table):
            return False
        html = f"<p>{escape(name)} =</p>{table_html(value)}"
        self._display({"text/html": html}, display(name, value))
        return True

    def _display(self, data: dict[str, Any], plain: str) -> None:
        self._send("display_data", data={"text/plain": plain, **data}, metadata={})

    def _send(self, kind: str, **content: Any) -> None:
        if not self._silent:
            self.send_response(self.iopub_socket, kind, content)  # type: ignore[no-untyped-call]

    def _publish_event(self, event: Event) -> None:
        match event:
            case OutputText(text, stream):
                self._send("stream", name="stdout" if stream == "out" else "stderr", text=text)
            case Notice(text, "error"):
                self._send("stream", name="stderr", text=f"fuselab: {text}\n")
            case ErrorRaised():
                lines = error_text(event).rstrip("\n").split("\n")
                name = event.identifier or "error"
                self._send("error", ename=name, evalue=event.message, traceback=lines)

    def _answer_of_user(self, prompt: str) -> str:
        if not self._allow_stdin:
            raise MatlabError("MATLAB:input:noInput", "This front end takes no input.")
        return str(self.raw_input(prompt))  # type: ignore[no-untyped-call]

    async def interrupt_request(self, stream: Any, ident: Any, parent: Any) -> None:
        """Stop the cell: asked on the control channel, whose thread is never busy."""
        self.matlab.interrupt()
        self._adapter.stop()
        if self.session is not None:
            self.session.send(stream, "interrupt_reply", {"status": "ok"}, parent, ident=ident)

    async def do_debug_request(self, msg: dict[str, object]) -> dict[str, object]:
        """Breakpoints, stepping, variables: asked on the control channel while a cell runs."""
        return await self._adapter.answer(msg)

    async def do_shutdown(self, restart: bool) -> dict[str, Any]:
        """Release the session."""
        self._adapter.stop()
        self.matlab.close()
        return {"status": "ok", "restart": restart}

    # --- typing -------------------------------------------------------------------------------

    async def do_complete(self, code: str, cursor_pos: int) -> dict[str, Any]:
        """Candidates at the caret, best first."""
        around = service.look_around([Path.cwd()], self.matlab)
        document = service.open_document(SourceText("<cell>", code))
        span, found = service.best_completions(document, cursor_pos, around)
        return {
            "status": "ok",
            "matches": [candidate.label for candidate in found],
            "cursor_start": span.start,
            "cursor_end": span.end,
            "metadata": {},
        }

    async def do_inspect(
        self, code: str, cursor_pos: int, detail_level: int = 0, omit_sections: Any = ()
    ) -> dict[str, Any]:
        """Help on the name at the caret."""
        around = service.look_around([Path.cwd()], self.matlab)
        document = service.open_document(SourceText("<cell>", code))
        found = service.hover(document, cursor_pos, around)
        if found is None or found.kind == "unknown":
            return {"status": "ok", "found": False, "data": {}, "metadata": {}}
        text = "\n".join((*(found.signatures or (found.name,)), "", found.text or found.kind))
        return {"status": "ok", "found": True, "data": {"text/plain": text}, "metadata": {}}

    async def do_is_complete(self, code: str) -> dict[str, Any]:
        """Whether a console should run what was typed or ask for more."""
        if service.is_complete(code):
            return {"status": "complete"}
        return {"status": "incomplete", "indent": "    "}


def main() -> None:
    """Serve one notebook; the front end passes the connection file."""
    from ipykernel.kernelapp import IPKernelApp

    IPKernelApp.launch_instance(kernel_class=FuselabKernel)


if __name__ == "__main__":
    main()
