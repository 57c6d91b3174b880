"""Every builtin called directly, with strange values in every place: thousands of calls a second.

`tests.fuzz.calls` runs code of the language, a session for each call; here the values are made once
and the builtins of `registry` are called with them: one value, the same one in all places, and others
in one to four places, for no output to three. A Python exception that leaves a builtin is a bug of
ours; one that `unusual_arguments` had to answer lacks a check in its declaration ("unchecked", which
is no finding); a call that takes longer than `SLOW_S` is one, too.

``python -m tests.fuzz.strange [CALLS PER BUILTIN] [SEED] [NAMES]`` goes through the builtins whose
name NAMES, a regular expression, matches.
"""

from __future__ import annotations

import io
import logging
import os
import random
import re
import signal as alarm
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr
from pathlib import Path
from types import TracebackType

from numpy.exceptions import ComplexWarning
from scipy import fft, integrate, interpolate, ndimage, optimize, signal, spatial, stats

from app import restricted
from app.engine.declarations import registry, unusual_arguments
from app.engine.declarations.registry import Builtin
from app.engine.session.session import Session
from app.engine.values import Value
from app.errors import FuselabError, Interrupted
from app.settings import Settings
from app.source import SourceText
from tests.fuzz.arguments import MORE
from tests.fuzz.calls import KINDS

_LONG_WORK = ("1:3000", "speye(1000)", "repmat('a', 1, 5000)", "repmat({1}, 50, 50)", "1e9", "-1e9")
VALUES = (
    *(value for kind in (*KINDS, MORE) for value in kind if value not in _LONG_WORK),
    *("2", "int32(5)", "single(NaN)", "true(2, 3)", "magic(4)", "[3 1 2]", "ones(0, 0, 3)", "1:0"),
    *("false(1, 0)", "NaN(3)", "[1 NaN; 2 Inf]", "-1:1", "1:200", "cell(0, 3)", "{[1 2], [3 4]}"),
    *(
        "struct('a', {})",
        "string(missing)",
        "timetable(seconds([1; 2]), [1; 2])",
        "dictionary(1, 2)",
    ),
    *("char([104 55357 56832])", "sparse([1i 0; 0 2])", "zeros(5, 0, 3)", "{struct('a', {{}})}"),
    *("table(table(1), [1 2])", "repmat(struct('a', 1), 2, 2)", "intmax('int64')", "-0"),
    *("datetime(2020, 1, 1, 'TimeZone', 'UTC')", "uint8(200)", '["a" missing]', "1e-320"),
    *("single(1:200)", "sparse(30, 30)", "@nosuchfunction", "tf([1 2], [1 2 3])", "{{}, []}"),
)
LOADED = (fft, integrate, interpolate, ndimage, optimize, signal, spatial, stats)
"""Libraries that take seconds to load: no call is to be ended for that."""
SLOW_S, HANGS_S = 10.0, 60.0
"""How much of the processor's time a call may take, and how long it may wait."""
_LEFT_OUT = re.compile(
    r"input|keyboard|pause|quit|exit|ui\w*|\w*dlg|web\w*|doc\w*|system|dos|unix|\w*wait\w*|ginput"
    r"|parpool|batch|beep|sound\w*|audio\w+|edit|open|winopen|db\w+|error|rethrow|throw|assert|mlock"
    r"|print\w*|saveas|export\w+|clear\w*|timeit|gputimeit|drawnow|delete|close\w*|cd|chdir|\w*path"
    r"|profile|publish|reset|record|fork|exec|par\w+|spmd\w*|run\w*|evalin|assignin|eval\w*|builtin"
    r"|feval|finish|mex|ftp|sftp|timer|start\w*|figure|rng|warning|tall|distributed|gcp|submit|stop"
)
"""Functions that wait, end, run what they are given, or change what the campaign stands on."""


class Strange:
    """A restricted session whose builtins are called."""

    def __init__(self) -> None:
        settings = Settings(restricted=True)
        settings.memory_limit = 1 << 30
        self.session = Session(settings, lambda event: None, read_line=lambda prompt: "1")
        self.values = {text: self._value(text) for text in VALUES}
        self.calls = 0
        self.unchecked: set[str] = set()
        self._log = _Unchecked(self.unchecked)
        logger = logging.getLogger(unusual_arguments.LOG)
        logger.setLevel(logging.INFO)
        logger.addHandler(self._log)
        logger.propagate = False

    def _value(self, text: str) -> Value:
        self.session.run_source(SourceText("<value>", f"v = {text};"))
        made = self.session.value_of("v")
        assert made is not None, text
        return made

    def findings(self, builtin: Builtin, count: int, choose: random.Random) -> Iterator[str]:
        """What is wrong about so many calls of a builtin, each cause once."""
        seen = set()
        with restricted.restriction_applied(True):
            for inputs in _inputs(builtin, count, choose):
                outputs = min(choose.randrange(4), builtin.max_outputs)
                said = self.problem(builtin, inputs, outputs)
                if said and said not in seen:
                    seen.add(said)
                    yield f"[{outputs}] = {builtin.name}({', '.join(inputs)}): {said}"
        self.session.run_source(SourceText("<clean>", "close all force; clear"))

    def problem(self, builtin: Builtin, inputs: Sequence[str], outputs: int) -> str:
        """What is wrong about how a call ends; empty where nothing is."""
        self.calls += 1
        alarm.setitimer(alarm.ITIMER_PROF, SLOW_S)
        alarm.setitimer(alarm.ITIMER_REAL, HANGS_S)
        try:
            with redirect_stderr(io.StringIO()):
                given = tuple(self.values[text] for text in inputs)
                builtin.call(self.session.interpreter.context, given, outputs)
        except (FuselabError, Interrupted, ComplexWarning, MemoryError, RecursionError):
            pass
        except Exception as bug:
            if "maximum supported dimension" in str(bug):  # scripts are told of the limit
                return ""
            return f"{type(bug).__name__}: {bug} in {place_of(bug.__traceback__)}"
        finally:
            alarm.setitimer(alarm.ITIMER_REAL, 0)
            alarm.setitimer(alarm.ITIMER_PROF, 0)
        return ""


class _Unchecked(logging.Handler):
    """Keeps where a check is missing."""

    def __init__(self, places: set[str]) -> None:
        super().__init__()
        self.places = places

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the place at which the function failed."""
        if record.msg == unusual_arguments.UNCHECKED and record.exc_info:
            self.places.add(f"{record.getMessage()} in {place_of(record.exc_info[2])}")


def _too_slow(number: int, frame: object) -> None:
    raise TimeoutError("takes long")


def place_of(trace: TracebackType | None) -> str:
    """The innermost place of ours at which something failed."""
    frames = [f for f in traceback.extract_tb(trace) if "/app/" in Path(f.filename).as_posix()]
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "a library"


def _inputs(builtin: Builtin, count: int, choose: random.Random) -> Iterator[tuple[str, ...]]:
    least, most = builtin.min_args, max(builtin.min_args, min(builtin.max_args, 4))
    for _ in range(count):
        size = choose.randint(least, most)
        if size and choose.random() < 0.3:
            yield (choose.choice(VALUES),) * size
        else:
            yield tuple(choose.choice(VALUES) for _ in range(size))


def builtins(pattern: str) -> Iterator[Builtin]:
    """The builtins whose names match, less those of `_LEFT_OUT`."""
    for name in registry.names():
        if re.fullmatch(pattern, name) and not _LEFT_OUT.fullmatch(name):
            found = registry.lookup(name)
            if found is not None:
                yield found


def main(count: int, seed: int, pattern: str) -> int:
    """Call each builtin so often; 1 when something was found."""
    campaign, found = Strange(), 0
    for number in (alarm.SIGALRM, alarm.SIGPROF):
        alarm.signal(number, _too_slow)
    for builtin in builtins(pattern):
        for said in campaign.findings(builtin, count, random.Random(f"{seed}{builtin.name}")):
            found += 1
            sys.stdout.write(f"{said}\n")
            sys.stdout.flush()
    for place in sorted(campaign.unchecked):
        sys.stdout.write(f"unchecked: {place}\n")
    sys.stdout.write(f"strange: {campaign.calls} calls, {found} findings\n")
    return bool(found)


if __name__ == "__main__":
    given = [*sys.argv[1:], *("50", "1", ".*")[len(sys.argv) - 1 :]]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sys.exit(main(int(given[0]), int(given[1]), given[2]))
