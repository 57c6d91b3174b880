"""Every builtin asked for arrays that no memory holds: it is refused at once, or answers at once.

Numbers far beyond a limit of memory stand in every place in which a function may take a size, beside
usual values. A call that takes longer than `SLOW_S` of processor time, or that is out of memory
only after it has filled some (`FILLED`), is a finding: what is asked for is known before.

``python -m tests.fuzz.sizes [NAMES]`` goes through the builtins whose name NAMES, a regular
expression, matches; ``python -m tests.fuzz.sizes stores`` through what is stored at such places in
variables of every kind.
"""

from __future__ import annotations

import io
import os
import re
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import redirect_stderr
from itertools import chain, product
from pathlib import Path

from scipy import fft, integrate, interpolate, ndimage, optimize, signal, spatial, stats

from app.engine.declarations.registry import Builtin
from app.engine.protocol import ErrorRaised, Event
from app.engine.session.session import Session
from app.settings import Settings
from app.source import SourceText
from tests.fuzz.calls import computing

LOADED = (fft, integrate, interpolate, ndimage, optimize, signal, spatial, stats)
"""Libraries that take seconds to load: no call is slow for that."""
LIMIT = 1 << 30
"""What a session may use."""
FILLED = 300 << 20
"""Bytes that nothing needs to fill before it says that there are too few."""
SLOW_S = 2.0
"""Seconds of the processor's time from which a call is slow."""
STOPPED_S = 4.0
"""Seconds after which it is stopped."""
SIZES = ("1e5", "1e10", "1e18", "uint32(4e9)")
FORMS = (
    *("#", "1, #", "#, 1", "#, #", "[1 #]", "[# 1]", "[# #]", "2, 3, #", "3, #", "[3 1 2], #"),
    *("'ab', #", "'ab', 1, #", "{1}, 1, #", "{1}, #", '"a", #', '"a", 1, #', "1:3, 1, #"),
    *("[3 1 2], #, 1", "[3 1 2], 2, #", "[3 1 2], 3, #", "magic(4), #", "magic(4), #, #"),
    *("magic(4), [# #]", "struct('a', 1), 1, #", "hours(1), 1, #", "0:3, 0:3, #", "1, 2, 3, #"),
    *("-#, #", "0, 1, #", "single(2), #", "true, 1, #", "speye(3), #", "sparse(2), #, #", "'#'"),
    *("datetime(2020, 1, 1), 1, #", "categorical(1), 1, #", "table(1), 1, #", "@(x) x, #"),
    *("1:#", "'a', 'b', #", "#, 'like', single(1)", "#, 'int8'", "1, #, 'uint8'", "3, 1, #, 'x'"),
)
"""Inputs with places for a size."""
VARIABLES = (
    *("clear x", "x = []", "x = {}", "x = {1, 2}", "x = struct()", "x = struct('a', {1, 2})"),
    *("x = 'ab'", 'x = ["a" "b"]', "x = 1:3", "x = int8(1:3)", "x = sparse([1 0 2])", "x = @sin"),
    *("x = datetime(2020, 1, 1:2)", "x = hours(1:2)", "x = categorical({'a', 'b'})", "x = true"),
    *("x = table([1; 2])", "x = containers.Map()", "x = dictionary(1, {2})", "x = string.empty"),
    *("x = inputParser", "x = digraph([1 2], [2 3])", "x = cell(2)", "x = zeros(2, 2, 2)"),
)
STORES = (
    *("x(I) = 1", "x(I) = x(1)", "x{I} = 1", "x(I).a = 1", "x(I).a.b = 1", "x.f(I) = 1"),
    *("x.f{I} = 1", "x.f(I).g = 1", "x.f(I).g{0} = 1", "x.f{I}.g(I) = 1", "x{I}(I) = 1"),
    *("x{2}{I} = 1", "[x(I).a] = deal(1)", "x(I) = {1}", "x(I) = 'a'", 'x(I) = "a"', "x(I) = []"),
    *(
        "x(I) = struct('a', 1)",
        "x.a(I).b(I).c = 1",
        "x(I) = NaT",
        "x(I) = hours(1)",
        "x(I).a{I} = 1",
    ),
    *("x(I) = missing", "x.Var1(I) = 1", "x(I) = @sin", "x{1}(I) = 1"),
)
PLACES = ("#", "1, #", "#, 1", "1, 1, #", "#, #", "[1 #]", "1:#", "#:# + 3", ":, #")
FAR = ("4e8", "1e10", "1e18")


def peak() -> int:
    """The most resident memory since `forget`, in bytes."""
    text = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.findall(r"VmHWM:\s*(\d+)", text)[0]) << 10


def forget() -> None:
    """Begin to look for the most anew."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


class Sizes:
    """A session in which calls are made."""

    def __init__(self, device: str = "cpu") -> None:
        settings = Settings(restricted=True, device=device)
        settings.memory_limit = LIMIT
        self.events: list[Event] = []
        self.session = Session(settings, self.events.append, read_line=lambda _: "1")
        self.calls = 0

    def problem(self, code: str) -> str:
        """What is wrong about how a line ends; empty where nothing is."""
        self.calls += 1
        self.events.clear()
        forget()
        before, started = peak(), time.process_time()
        stopping = threading.Timer(STOPPED_S, self.session.cancel)
        stopping.start()
        try:
            with redirect_stderr(io.StringIO()):
                self.session.run_source(SourceText("<size>", code))
        finally:
            stopping.cancel()
            stopping.join()
        spent, filled = time.process_time() - started, peak() - before
        identifiers = [e.identifier for e in self.events if isinstance(e, ErrorRaised)]
        refused = bool({"MATLAB:nomem", "MATLAB:array:SizeLimitExceeded"} & set(identifiers))
        if "Fuselab:internal" in identifiers:
            return f"a bug of ours: {self.events}"
        if spent > SLOW_S:
            return f"{spent:.1f} s, {filled >> 20} MB, {self.session.last_status} {identifiers}"
        return f"refused only after {filled >> 20} MB" if refused and filled > FILLED else ""

    def findings(self, builtin: Builtin) -> Iterator[str]:
        """Calls of a builtin that are not refused, nor answered, at once."""
        for form in FORMS:
            for size in SIZES:
                code = f"r = {builtin.name}({form.replace('#', size)});"
                if said := self.problem(code):
                    yield f"{code} {said}"
        self.session.run_source(SourceText("<clean>", "close all force; clear"))

    def stored(self) -> Iterator[str]:
        """Assignments that are not refused, nor done, at once."""
        for variable, store, place, far in product(VARIABLES, STORES, PLACES, FAR):
            code = f"{variable}; {store.replace('I', place.replace('#', far))};"
            if said := self.problem(code):
                yield f"{code} {said}"


def main(names: str) -> int:
    """Go through the builtins; 1 when something was found."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sizes, found = Sizes(), 0
        asked = [] if names == "stores" else computing()
        lists = [sizes.findings(b) for b in asked if re.fullmatch(names, b.name)]
        for said in chain.from_iterable(lists or [sizes.stored()]):
            found += 1
            sys.stdout.write(f"{said}\n")
            sys.stdout.flush()
        sys.stdout.write(f"sizes: {sizes.calls} calls, {found} findings\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main([*sys.argv[1:], ".*"][0]))
