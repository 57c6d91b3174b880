"""Kernels of earlier runs of a script, compiled again in the background while it begins.

The store is a file per adapter and driver with the texts of the shaders last used and the scripts
that used them. Compiling them early also fills the driver's own cache.
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

MOST = 300
SCRIPTS = 8
"""Scripts remembered for a shader."""
FORMAT = 2

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
    _stored: list[dict[str, Any]] | None = None
    _queue: list[dict[str, Any]] = field(default_factory=list)
    _coming: set[tuple[str, str]] = field(default_factory=set)
    _moved: Condition = field(default_factory=Condition)
    _thread: Thread | None = None

    def expect(self, script: str) -> None:
        """A script begins: compile what it used the last time."""
        self.compiler.script = script
        self.compiler.coming = self._await
        if self._stored is None:
            self._stored = self._read()
        with self._moved:
            for entry in self._stored:
                key = entry["source"], entry["entry"]
                known = key in self._coming or key in self.compiler.shaders
                if script in entry["scripts"] and not known:
                    self._coming.add(key)
                    self._queue.append(entry)
            if self._queue and self._thread is None:
                self._thread = Thread(target=self._restore, daemon=True, name="fuselab-pool-warm")
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
        with self._moved:
            self._moved.wait_for(lambda: key not in self._coming)

    def _restore(self) -> None:
        while True:
            with self._moved:
                if self._stop.is_set():
                    self._queue.clear()
                    self._coming.clear()
                if not self._queue:
                    self._thread = None
                    self._moved.notify_all()
                    return
                entry = self._queue.pop(0)
            try:
                self._one(entry)
            finally:
                with self._moved:
                    self._coming.discard((entry["source"], entry["entry"]))
                    self._moved.notify_all()

    def _one(self, entry: dict[str, Any]) -> None:
        try:
            self.compiler.shader(_program(entry), entry["label"])
        except Unsupported as problem:
            _log.info("a stored kernel no longer compiles: %s", problem)
        else:
            self.restored += 1

    def wait(self) -> None:
        """Wait until everything expected is compiled."""
        thread = self._thread
        if thread is not None:
            thread.join()

    def close(self) -> None:
        """Stop compiling and write down what was used."""
        self._stop.set()
        self.wait()
        used = self.compiler.used
        if not used:
            return
        stored = {(e["source"], e["entry"]): e for e in self._read()}
        kept = []
        for key, (label, compiled) in list(used.items())[-MOST:]:
            earlier = stored.pop(key, {"scripts": []})["scripts"]
            scripts = dict.fromkeys([*self.compiler.scripts.get(key, ()), *earlier])
            kept.append(_entry(label, compiled.program) | {"scripts": list(scripts)[:SCRIPTS]})
        kept += list(stored.values())[: MOST - len(kept)]
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
