"""Jupyter's debug requests: those of the Debug Adapter Protocol, and its own about cells.

Requests come on the thread of the control channel while a cell runs on the main thread.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from ipykernel.compiler import murmur2_x86

from app.api import Session
from app.api.debug_adapter import (
    STOPS,
    THREAD,
    Body,
    DebugAdapter,
    frame_in,
    path_in,
    variables_of_frame,
)
from app.engine.values import Value
from app.engine.values.display import display
from app.errors import UsageError

_HASH_SEED = 0xC70F6907


class Adapter(DebugAdapter):
    """Answers the requests of one notebook; while it debugs, cells are called by `path_of`."""

    def __init__(self, session: Session, publish: Callable[[Body], None]) -> None:
        super().__init__(session, publish)
        self._folder = f"{tempfile.gettempdir()}/fuselab_cells_{id(self):x}/"
        self._sources: dict[str, str] = {}
        self.requests |= {
            "attach": self._attach,
            "debugInfo": self._info,
            "dumpCell": self._dump_cell,
            "source": self._source,
            "inspectVariables": self._inspect,
            "richInspectVariables": self._rich_inspect,
            "modules": lambda arguments: {"modules": [], "totalModules": 0},
        }

    def path_of(self, code: str) -> str:
        """What a cell is called while it is debugged: front ends compute the same name."""
        return f"{self._folder}{murmur2_x86(code, _HASH_SEED)}.m"  # type: ignore[no-untyped-call]

    def _attach(self, arguments: Body) -> Body:
        self.attach()
        return {}

    def _info(self, arguments: Body) -> Body:
        return {
            "isStarted": self.attached,
            "hashMethod": "Murmur2",
            "hashSeed": _HASH_SEED,
            "tmpFilePrefix": self._folder,
            "tmpFileSuffix": ".m",
            "breakpoints": [
                {"source": path, "breakpoints": [{"line": b.line} for b in held]}
                for path, held in self.breakpoints.items()
            ],
            "stoppedThreads": [] if self.pause is None else [THREAD],
            "richRendering": True,
            "exceptionPaths": list(STOPS),
            "copyToGlobals": False,
        }

    def _dump_cell(self, arguments: Body) -> Body:
        code = str(arguments["code"])
        path = self.path_of(code)
        self._sources[path] = code
        return {"sourcePath": path}

    def _source(self, arguments: Body) -> Body:
        path = path_in(arguments)
        if path in self._sources:
            return {"content": self._sources[path]}
        if not Path(path).is_file():
            raise UsageError(f"there is no source {path}")
        return {"content": Path(path).read_text(encoding="utf-8", errors="replace")}

    async def _inspect(self, arguments: Body) -> Body:
        if self.pause is None:
            return {"variables": self.rows(self.session.values())}
        rows = await self.when_still(lambda pause: self.rows(variables_of_frame(pause, 0)))
        return {"variables": rows}

    async def _rich_inspect(self, arguments: Body) -> Body:
        name, frame = str(arguments.get("variableName")), frame_in(arguments)
        if self.pause is None:
            text = _displayed_variable(self.session.values(), name)
        else:
            text = await self.when_still(
                lambda pause: _displayed_variable(variables_of_frame(pause, frame), name)
            )
        return {"data": {"text/plain": text}, "metadata": {}}


def _displayed_variable(variables: Mapping[str, Value], name: str) -> str:
    if name not in variables:
        raise UsageError(f"there is no variable {name}")
    return display(name, variables[name])
