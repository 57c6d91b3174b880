"""Mutated programs before the parser, the linter and a restricted session.

The corpus is every .m file of the repository that lies in the folders of `CORPUS`; `mutation` takes
lines and tokens out, repeats, exchanges and borrows them. What is read must end in a tree and
diagnostics, what is run in a status or an error with an identifier. Anything else is a finding: a
bug of ours ("Fuselab:internal"), an exception, or something that takes too long.

``python -m tests.fuzz.programs parse|run [SECONDS] [SEED]`` goes on for so long.
"""

from __future__ import annotations

import io
import os
import random
import re
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import redirect_stderr
from pathlib import Path

from app.engine.analysis import check_text
from app.engine.language import MATLAB, OCTAVE, parse
from app.engine.protocol import ErrorRaised, Event
from app.engine.session.session import Session
from app.settings import Settings
from app.source import SourceText

TOP = Path(__file__).parents[2]
CORPUS = ("resources/examples", "resources/library", "app/toolboxes", "tests/conformance")
PARSE_S, RUN_S = 2.0, 5.0
"""How long one text may be read, and how long it runs before it is stopped."""
HEED_S = 5.0
"""How long a stop may go unheeded."""
_AROUND = (
    *(("if true\n", "\nend\n"), ("try\n", "\ncatch e\nend\n"), ("while true\n", "\nbreak\nend\n")),
    *(
        ("for k = 1:2\n", "\nend\n"),
        ("switch 1\ncase 1\n", "\nend\n"),
        ("parfor k = 1:2\n", "\nend\n"),
    ),
    *(("cellfun(@(t) ", ", {1})"), ("@(x) (", ")"), ("eval('", "');\n"), ("feval(@() ", ")")),
    *(
        ("{", "}"),
        ("[", "]"),
        ("(", ")"),
        ("x(", ")"),
        ("s.(", ")"),
        ("function f\n", "\nend\n"),
        ("%{\n", "\n%}\n"),
    ),
    *(("methods\n", "\nend\n"), ("-", "'"), ("~", ""), ("", ".a"), ("", "...\n")),
)
"""What stands before and behind a part that is put into something else."""
MOST_AROUND = 40
_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
_ODD = (
    *"'\"%\\{}[]()@;,.=~!:&|^\n\t\0\u00e9\U0001f600",
    *"NaN Inf [] {} '' 1e400 0x -0 int8( .' == 1i struct() @() end(1)".split(),
    *("...\n", "%{\n", "end\n", "function ", "classdef "),
)


def corpus() -> list[str]:
    """The texts that mutations start from, in an order that is always the same."""
    paths = sorted(path for folder in CORPUS for path in (TOP / folder).rglob("*.m"))
    return [path.read_text(encoding="utf-8") for path in paths]


def mutation(texts: list[str], choose: random.Random) -> str:
    """A text with one to six things wrong."""
    parts: list[str] = _TOKEN.findall(choose.choice(texts))
    for _ in range(choose.randrange(1, 7)):
        at = choose.randrange(len(parts) + 1)
        other = choose.randrange(len(parts) + 1)
        match choose.randrange(10):
            case 0:
                del parts[at : at + choose.randrange(1, 12)]
            case 1:
                parts.insert(at, choose.choice(_ODD))
            case 2:
                parts[at : at + 1] = [choose.choice(_ODD)]
            case 3:
                parts[at:at] = parts[other : other + choose.randrange(1, 30)]
            case 4 if at < len(parts) > other:
                parts[at], parts[other] = parts[other], parts[at]
            case 5:
                lent = _TOKEN.findall(choose.choice(texts))
                start = choose.randrange(len(lent) + 1)
                parts[at:at] = lent[start : start + choose.randrange(1, 20)]
            case 6:
                parts[at : at + 1] = [str(choose.choice((0, -1, 1.5, 3, 1e10, 2**53)))]
            case 7:
                first, last = sorted((at, min(other, at + 60)))
                before, behind = choose.choice(_AROUND)
                often = choose.choice((1, 1, 1, 2, 3, MOST_AROUND))
                parts[first:last] = [before * often, *parts[first:last], behind * often]
            case 8:  # the beginning of one program and the end of another
                lent = _TOKEN.findall(choose.choice(texts))
                parts[at:] = lent[choose.randrange(len(lent) + 1) :]
            case _:
                words = [k for k, part in enumerate(parts) if part[:1].isalpha()]
                if words:
                    parts[choose.choice(words)] = parts[choose.choice(words)]
    return "".join(parts)


def read(text: str) -> str:
    """What goes wrong as a text is parsed in both dialects and linted; empty where nothing does."""
    started = time.process_time()  # of ours alone: the machine may be busy
    try:
        source = SourceText("<fuzz>", text)
        parse(source, OCTAVE)
        check_text(source, MATLAB)
    except Exception as bug:
        return f"exception {type(bug).__name__}: {bug}"
    spent = time.process_time() - started
    return f"took {spent:.1f} s" if spent > PARSE_S else ""


class Runs:
    """Restricted sessions that run one mutated program each."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.statuses: dict[str, int] = {}

    def __call__(self, text: str) -> str:
        """What goes wrong as a text runs; empty where nothing does."""
        self.events.clear()
        session = Session(Settings(restricted=True), self.events.append, read_line=lambda _: "1")
        stopping = threading.Timer(RUN_S, session.cancel)
        started = time.monotonic()
        stopping.start()
        try:
            with redirect_stderr(io.StringIO()):
                session.run_source(SourceText("<fuzz>", text))
            status = session.last_status
        except Exception as bug:
            return f"exception {type(bug).__name__}: {bug}"
        finally:
            stopping.cancel()
            session.close()
        spent = time.monotonic() - started
        self.statuses[status] = self.statuses.get(status, 0) + 1
        errors = [e for e in self.events if isinstance(e, ErrorRaised)]
        if errors and errors[0].identifier == "Fuselab:internal":
            return f"bug: {errors[0].message}"
        return f"took {spent:.0f} s" if spent > RUN_S + HEED_S else ""


def main(what: str, seconds: float, seed: int) -> int:
    """Go on for so long; 1 when something was found. Texts of findings are kept in a folder."""
    texts, found, count = corpus(), set[str](), 0
    kept = Path(tempfile.mkdtemp(prefix="fuselab-fuzz-"))
    runs = Runs()
    one: Callable[[str], str] = read
    if what == "run":
        from app.engine.session.confinement import confine

        (kept / "work").mkdir()
        os.chdir(kept / "work")
        confine((TOP / "resources", TOP / "tests"), [str(kept / f"{k}.m") for k in range(40)])
        one = runs
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        text = mutation(texts, random.Random(seed + count))
        said = one(text)
        if said and said[:60] not in found:
            (kept / f"{len(found)}.m").write_text(text, encoding="utf-8", newline="")
            sys.stdout.write(f"{said[:300]} (seed {seed + count}, {kept / f'{len(found)}.m'})\n")
            sys.stdout.flush()
            found.add(said[:60])
        count += 1
    sys.stdout.write(f"programs: {what}, {count} texts {runs.statuses}, {len(found)} findings\n")
    return bool(found)


if __name__ == "__main__":
    given = [*sys.argv[1:], *("parse", "60", "1")[len(sys.argv) - 1 :]]
    sys.exit(main(given[0], float(given[1]), int(given[2])))
