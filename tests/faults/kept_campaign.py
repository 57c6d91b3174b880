"""Damaged files of our own: whatever they hold, the next start works and nothing is lost unsaid.

Each of `KEPT` is written whole, damaged (cut, flipped, nested, of other types or encodings, empty, a
folder or a link to itself in its place) and read by what reads it at a start, twice. No exception comes
out; what cannot be read is left where it was or put aside, and said. Frames of the confined engine are
records or a `MalformedError`; caches make a program no different.

``python -m tests.faults.kept_campaign [SECONDS] [SEED]`` goes on for so long.
"""

from __future__ import annotations

import io
import json
import logging
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from app import project, settings
from app.engine.declarations import toolbox_manifest, toolboxes
from app.engine.session import event_encoding
from app.errors import UsageError
from app.ui.editor.snippets import snippets
from app.ui.run_model.command_history import History
from app.ui.shell.session_store import SessionStore
from tests.fuzz.readers import damage
from tests.ui import recorded

MOST_S = 5.0
SESSION = {
    "schema": 2,
    "geometry": [0, 0, 800, 600],
    "layout": "classic",
    "folder": "/",
    "breakpoints": {"a.m": [{"line": 1, "condition": "", "hits": 0, "log": "", "on": True}]},
    "files": [
        {"path": "", "name": "b.m", "text": "x = 1;", "caret": 2, "top": 0, "breakpoints": []}
    ],
    "layouts": {
        "classic": {"areas": {"left": ["files"]}, "front": {}, "sizes": {}, "floating": {}}
    },
    "trust": {"/a": True},
    "recent": ["/a.m"],
    "keys": {"file.new": "Ctrl+N"},
}
_ODD = (
    *("[" * 50_000, "a = " + "[" * 50_000, "a=" + "{a=" * 2_000, '{"a":' * 20_000, "9" * 5000),
    *(
        "x = " + "9" * 5000,
        "[" + ".".join("a" * 20_000) + "]",
        "\0",
        "null",
        "3",
        "[]",
        "{}",
        "a = 1",
    ),
    *("theme = nan", "[theme]\na = 1979-05-27", 'path = ["\\u0000"]', "loop_slice_ms = inf"),
    *(
        '[project]\npath = ["' + "a" * 5000 + '"]',
        '{"schema": 2, "files": 3}',
        "\ufeffx",
        "\x1e\x1e",
    ),
)
PROGRAM = (
    "x = rand(200); y = x * x; s = 0; for k = 1:2e4, s = s + k; end; disp(s), disp(sum(1:1e5))"
)


class Unsaid(logging.Handler):
    """Counts what was told to the log."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        """One more."""
        self.count += 1


def _settings(path: Path) -> int:
    loaded = settings.load({})
    said = len(loaded.problems)
    if path.exists() or not said:
        loaded.set("editor_font_size", 12)
        loaded.save()
        if settings.load({}).editor_font_size != 12:
            raise RuntimeError("what was saved does not come back")
    return said


def _session(path: Path) -> int:
    return bool(SessionStore(path.parent).problem)


def _history(path: Path) -> int:
    history = History(path)
    history.add("x = 1")
    return 1  # its lines are lines, whatever they hold


def _snippets(path: Path) -> int:
    snippets.cache_clear()
    snippets()
    return 0


def _project(path: Path) -> int:
    try:
        project.read(path)
    except UsageError:
        return 1
    return 0


def _manifest(path: Path) -> int:
    return bool(toolbox_manifest.read(path.parent).problem)


def _toolboxes(path: Path) -> int:
    return sum(bool(toolbox_manifest.read(folder).problem) for folder in toolboxes.added_folders())


KEPT: dict[str, tuple[bytes, Callable[[Path], int]]] = {
    "config/settings.toml": (
        b'theme = "dark"\nloop_slice_ms = 100.5\nown = {a = [1]}\n',
        _settings,
    ),
    "config/snippets.toml": (b'[mine]\nabout = "Mine"\nbody = "x = ${1:a}"\n', _snippets),
    "config/toolboxes.txt": (b"/tmp/waves\n/tmp/more\n", _toolboxes),
    "data/session.json": (json.dumps(SESSION).encode(), _session),
    "data/history.txt": (b"x = 1\ny = 2\x1ez = 3\n", _history),
    "work/fuselab.toml": (b'[project]\nname = "a"\npath = ["."]\n[toolboxes]\nw = {}\n', _project),
    "work/toolbox.toml": (b'name = "a"\nversion = "1.2"\npath = ["."]\n', _manifest),
}


class Files:
    """One damaged file after the other, in a home of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def findings(self, choose: random.Random) -> Iterator[str]:
        """What goes wrong with one of them."""
        name = choose.choice(sorted(KEPT))
        whole, read = KEPT[name]
        home = Path(tempfile.mkdtemp(dir=self.folder))
        path = home / name
        path.parent.mkdir(mode=0o700)
        body, form = _damaged(path, whole, choose)
        with _home(home), _told() as told:
            for start in ("first", "second"):
                began = time.monotonic()
                try:
                    said = read(path)
                except Exception as bug:
                    yield f"{name}, {form}, {start} start: {type(bug).__name__}: {bug}"
                    return
                if time.monotonic() - began > MOST_S:
                    yield f"{name}, {form}: took {time.monotonic() - began:.0f} s"
                files = [f.read_bytes() for f in path.parent.iterdir() if f.is_file()]
                left = [f for f in files if body.strip() in f]
                if start == "first" and body and not (said or told.count or left):
                    yield f"{name}, {form}: lost without a word"


class Frames:
    """Frames of the confined engine with something wrong."""

    def __init__(self, _: Path) -> None:
        self.frames = []
        for event in recorded.events():
            stream = io.BytesIO()
            event_encoding.write(stream, event)
            self.frames.append(stream.getvalue())

    def findings(self, choose: random.Random) -> Iterator[str]:
        """What comes of one of them but a record or a refusal."""
        frame = choose.choice(self.frames)
        made = damage(frame, choose) if choose.random() < 0.3 else _other_tree(frame, choose)
        try:
            event_encoding.read(io.BytesIO(made))
        except event_encoding.MalformedError:
            return
        except Exception as bug:
            yield f"a frame: {type(bug).__name__}: {bug}: {made[:300]!r}"


class Caches:
    """A program with damaged caches."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "cached"
        self.expected = self._run()

    def _run(self) -> tuple[int, str]:
        command = [sys.executable, "-m", "app", "eval", PROGRAM]
        variables = {**os.environ, "FUSELAB_HOME": str(self.home)}
        ran = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
        return ran.returncode, ran.stdout

    def findings(self, choose: random.Random) -> Iterator[str]:
        """What is different with each file of the caches damaged, and once more."""
        places = [self.home / "cache", self.home / "data"]
        files = sorted(f for place in places for f in place.rglob("*") if f.is_file())
        forms = {str(f): _damaged(f, f.read_bytes(), choose)[1] for f in files}
        for start in ("first", "second"):
            if (got := self._run()) != self.expected:
                yield f"caches {forms}, {start} start: {got}, not {self.expected}"


WAYS = (Files, Frames, Caches)


def _damaged(path: Path, whole: bytes, choose: random.Random) -> tuple[bytes, str]:
    """Put something else in place of a file: its bytes, and what it is called."""
    path.unlink(missing_ok=True)
    match choose.randrange(12):
        case 0:
            path.mkdir()
            return b"", "a folder"
        case 1:
            path.symlink_to(path)
            return b"", "a link to itself"
        case 2:
            body, form = whole.decode("latin-1").encode("utf-16"), "UTF-16"
        case 3 | 4 | 5:
            odd = choose.choice(_ODD)
            body, form = odd.encode(), f"{odd[:20]!r}"
        case 6 | 7 if whole.startswith(b"{"):
            body, form = _other_value(whole, choose), "another value"
        case 8:
            body, form = b"", "empty"
        case _:
            body, form = damage(whole, choose), "damage"
    path.write_bytes(body)
    return body, form


_VALUES = (None, True, 0, -1, 2**70, 1e300, 1.5, "", "x", "\0", "\ud800", [], [[]], {}, {"a": {}})


def _other_value(whole: bytes, choose: random.Random) -> bytes:
    """JSON with one value somewhere put in place of another."""
    made = json.loads(whole)
    here = made
    while True:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        key = choose.choice(keys)
        if isinstance(here[key], dict | list) and here[key] and choose.random() < 0.7:
            here = here[key]
            continue
        here[key] = choose.choice(_VALUES)
        return json.dumps(made).encode()


def _other_tree(frame: bytes, choose: random.Random) -> bytes:
    length, size = event_encoding._LENGTHS.unpack_from(frame)
    start = event_encoding._LENGTHS.size
    tree = _other_value(frame[start : start + length], choose)
    return event_encoding._LENGTHS.pack(len(tree), size) + tree + frame[start + length :]


@contextmanager
def _home(folder: Path) -> Iterator[None]:
    before = os.environ.get("FUSELAB_HOME")
    os.environ["FUSELAB_HOME"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["FUSELAB_HOME"]
        else:
            os.environ["FUSELAB_HOME"] = before


@contextmanager
def _told() -> Iterator[Unsaid]:
    told, logger = Unsaid(), logging.getLogger("fuselab")
    logger.addHandler(told)
    try:
        yield told
    finally:
        logger.removeHandler(told)


def main(seconds: float, seed: int) -> int:
    """Go on for so long; 1 when something was found."""
    from PySide6.QtWidgets import QApplication

    app = QApplication([])
    choose, found, tried = random.Random(seed), set[str](), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        for way in WAYS:
            one, end = way(Path(folder)), time.monotonic() + seconds / len(WAYS)
            while time.monotonic() < end:
                tried[way.__name__] += 1
                for finding in one.findings(choose):
                    if finding[:60] not in found:
                        sys.stdout.write(f"{finding[:400]}\n")
                        sys.stdout.flush()
                    found.add(finding[:60])
    app.quit()
    sys.stdout.write(f"kept files: {dict(tried)}, {len(found)} findings\n")
    return bool(found)


if __name__ == "__main__":
    given = [*sys.argv[1:], "60", "1"][:2] if len(sys.argv) < 3 else sys.argv[1:3]
    sys.exit(main(float(given[0]), int(given[1])))
