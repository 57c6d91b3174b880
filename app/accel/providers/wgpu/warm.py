"""Kernels of earlier runs, compiled again in the background while the script begins.

The store is a file per adapter and driver with the texts of the shaders last used. Compiling them
early also fills the driver's own cache.
"""

from __future__ import annotations

import json
import logging
import os
from dataclasses import dataclass, field
from hashlib import blake2b
from threading import Condition, Event, Thread
from typing import TYPE_CHECKING, Any

from app import paths
from app.accel.kernels.program import Binding, Program, Role
from app.accel.kernels.text import Words
from app.errors import Unsupported

if TYPE_CHECKING:
    from pathlib import Path

    from app.accel.providers.wgpu.pipelines import Compiler

MOST = 200
NEAR = 12
"""A shader that is needed and so many places ahead is waited for."""
FORMAT = 1

_log = logging.getLogger("fuselab.gpu")


@dataclass(slots=True)
class Warmer:
    """Reads the store at the start and writes it at the end.

    Attributes:
        path: the store's file.
        compiler: what compiles, and what has been compiled.
        restored: shaders compiled ahead of their first use.
    """

    path: Path
    compiler: Compiler
    restored: int = 0
    _stop: Event = field(default_factory=Event)
    _places: dict[tuple[str, str], int] = field(default_factory=dict)
    _at: int = 0
    _moved: Condition = field(default_factory=Condition)
    _thread: Thread | None = None

    def start(self) -> None:
        """Begin to compile what the store holds."""
        entries = self._read()
        if entries:
            self._places = {(e["source"], e["entry"]): k for k, e in enumerate(entries)}
            self.compiler.coming = self._await
            self._thread = Thread(target=self._restore, args=(entries,), daemon=True,
                                  name="fuselab-pool-warm")  # fmt: skip
            self._thread.start()

    def _read(self) -> list[dict[str, Any]]:
        try:
            stored = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return []
        except OSError as problem:
            _log.warning("the kernel store %s cannot be read: %s", self.path, problem)
            return []
        except ValueError as problem:
            kept = paths.set_aside(self.path)
            _log.warning("the kernel store is broken (%s); it is kept as %s", problem, kept.name)
            return []
        known = isinstance(stored, dict) and stored.get("format") == FORMAT
        return list(stored["shaders"]) if known else []

    def _await(self, key: tuple[str, str]) -> None:
        """Wait for a shader that is about to be compiled; others are nobody's yet."""
        place = self._places.get(key, -1)
        with self._moved:
            if place - self._at < NEAR:
                self._moved.wait_for(lambda: self._at > place)

    def _restore(self, entries: list[dict[str, Any]]) -> None:
        try:
            for k, entry in enumerate(entries):
                if self._stop.is_set():
                    return
                self._one(entry)
                self._arrive(k + 1)
        finally:
            self._arrive(len(entries))

    def _one(self, entry: dict[str, Any]) -> None:
        try:
            self.compiler.shader(_program(entry), entry["label"])
        except Unsupported as problem:
            _log.info("a stored kernel no longer compiles: %s", problem)
        else:
            self.restored += 1

    def _arrive(self, place: int) -> None:
        with self._moved:
            self._at = place
            self._moved.notify_all()

    def wait(self) -> None:
        """Wait until everything stored is compiled."""
        if self._thread is not None:
            self._thread.join()

    def close(self) -> None:
        """Stop compiling and write down what was used."""
        self._stop.set()
        self.wait()
        used = [(label, compiled.program) for label, compiled in self.compiler.used.values()]
        if not used:
            return
        kept = [_entry(label, program) for label, program in used[-MOST:]]
        known = {entry["source"] for entry in kept}
        kept += [e for e in self._read() if e["source"] not in known][: MOST - len(kept)]
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps({"format": FORMAT, "shaders": kept})
            fresh = self.path.with_suffix(f".{os.getpid()}")
            fresh.write_text(text, encoding="utf-8")
            fresh.replace(self.path)
        except OSError as problem:
            _log.warning("the kernel store %s cannot be written: %s", self.path, problem)


def store_file(folder: Path, fingerprint: str) -> Path:
    """The store of one adapter."""
    return folder / f"{blake2b(fingerprint.encode(), digest_size=8).hexdigest()}.json"


def _entry(label: str, program: Program) -> dict[str, Any]:
    bindings = [[b.role.value, b.number, b.writable] for b in program.bindings]
    return {"label": label, "source": program.source, "entry": program.entry, "bindings": bindings}


def _program(entry: dict[str, Any]) -> Program:
    """Enough of a program to compile it; whoever uses it brings the rest."""
    bindings = tuple(Binding(Role(role), number, writable)
                     for role, number, writable in entry["bindings"])  # fmt: skip
    return Program(entry["source"], bindings, Words(0, (), (), 0), (1, 1, 1), 1, entry["entry"])
