"""One engine for as long as wanted, every text a new one: what it keeps must not grow.

Two sessions, one on the host and now and then one on a device (the software adapter where there is
no other), run texts that were never run before: fused expressions, loops, errors, edited functions and
classes, figures, frames, files and stops. Now and then the variables are cleared: what a script keeps
is not ours to bound. Each minute tells how much memory the process has of its own when everything dead
has been collected and variables, spare buffers and the device's kernels were given up, and which objects
became more since the minute before. Kernels are left out as their count is bounded and their sizes
differ: a software adapter has five megabytes of most and gives all of them back, so memory follows how
many there are. Pages of files are told beside it and not judged: they are the code of libraries that
was touched, which the system takes back when it wants them.
What else is kept up to a count is kept up to a lower one, to be full soon (`FULL_SOON`).

``python -m tests.faults.soak [SECONDS] [SEED] [KINDS] [DEVICES]`` goes on for so long, with the
kinds of texts whose name KINDS, a regular expression, matches, on ``cpu,gpu`` or one of them. The first fifth of the time, which fills
caches, is not judged; growth of more than 2 % behind it is a finding.
"""

from __future__ import annotations

import ctypes
import gc
import os
import random
import re
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from app.accel.backends.host import host_provider
from app.accel.backends.wgpu import WgpuProvider, pipelines
from app.accel.planner import cost, plan_cache
from app.accel.runtime import executor, host_pipelines
from app.engine.protocol import Request
from app.engine.session.session import Session
from app.errors import Interrupted
from app.settings import Settings
from app.source import SourceText

PATIENCE_S = 20.0
AGAIN_S = 0.05
FULL_SOON = (
    (cost, "MOST_KNOWN", 500),
    (plan_cache, "STRUCTURES", 32),
    (executor, "PREPARED", 32),
    (host_pipelines, "MOST", 16),
    (host_provider, "MOST_PIPELINES", 16),
    (pipelines, "MOST_KNOWN", 64),
    (pipelines, "MOST_ON_PROCESSOR", 8),
)
"""Counts up to which plans and kernels are kept here; an hour of texts does not fill the usual ones."""
GROWTH = 0.02
"""How much of the resident memory may be new at the end."""
CLEARED = 100
"""So many texts come before the variables go."""
MINUTE_S = 60.0
MOST_TYPES = 12
"""Types told of each minute, those that became more by most."""
_WITHOUT_KERNELS = "x = single(1:60000); disp(sum(x .* 2))"
"""Work for a device, which gives back kernels when it is handed more."""
_FUNCTIONS = ("sin", "cos", "exp", "abs", "sqrt", "tanh", "floor", "atan")
_BROKEN = (
    "nosuch{k}(1)",
    "a{k} = ones(2); a{k}(9, {k})",
    "x = [1 2",
    "ones(2) * ones(3)",
    "{{{k}}} + 1",
)


def fused(choose: random.Random, k: int) -> str:
    """A chain of operations on arrays of a size of its own."""
    count = choose.randrange(10_000, 60_000)
    names = [choose.choice(_FUNCTIONS) for _ in range(choose.randrange(2, 6))]
    chain = "".join(f"{name}({choose.uniform(1, 9):.3f} + " for name in names)
    reduced = choose.choice(("sum", "max", "mean", "cumsum"))
    return (
        f"x{k % 7} = single(1:{count}) / {k};\n"
        f"y = {chain}x{k % 7}{')' * len(names)};\ns = {reduced}(y .* {k}); disp(s(end))"
    )


def loop(choose: random.Random, k: int) -> str:
    """A loop over numbers, another over arrays."""
    passes, name = choose.randrange(1_000, 20_000), choose.choice(_FUNCTIONS)
    return (
        f"s = 0; for i{k} = 1:{passes}, s = s + {name}(i{k} / {k}) * {choose.uniform(0, 1):.4f}; end\n"
        f"v = ones(1, {choose.randrange(2_000, 9_000)}); for j = 1:9, v = v * {k} - v ./ j; end, s"
    )


def function_in_text(choose: random.Random, k: int) -> str:
    """A script with functions of its own, handles and evaluated text."""
    return (
        f"h = @(t) part{k % 50}(t) + {k}; z = arrayfun(h, 1:{choose.randrange(3, 40)});\n"
        f"eval('w{k % 30} = {k} + {choose.randrange(99)};'); q = evalc('disp({k})');\n"
        f"c = cellfun(@(t) t * {k}, {{1, 2, 3}});\n"
        f"function y = part{k % 50}(x)\n  y = x * {k};\nend"
    )


def error(choose: random.Random, k: int) -> str:
    """Something wrong, caught or not."""
    wrong = choose.choice(_BROKEN).replace("{k}", str(k))
    if choose.random() < 0.5 and wrong != "x = [1 2":
        return f"try\n  {wrong};\ncatch e{k % 20}\n  disp(e{k % 20}.message)\nend"
    return f"for n = 1:2\n  {wrong};\nend"


def text(choose: random.Random, k: int) -> str:
    """Words, patterns, containers."""
    return (
        f"t = regexprep('word{k} and {k}', '(\\w+){k % 10}', '$1{k}'); m = containers.Map; m('{k}') = {k};\n"
        f"s{k % 9}.f{k} = sprintf('%{choose.randrange(3, 30)}.{k % 9}f|{k}', pi); s = struct('a{k}', {k});\n"
        f"d = datestr({choose.randrange(730_000, 740_000)}, 'yyyy-mm-dd'); u = strsplit(\"{k},b\", ',');\n"
        f"T = table((1:3)', 'VariableNames', {{'v{k}'}}); T.w = T.v{k} * 2; T, j = jsonencode(s);"
    )


def edited_function(choose: random.Random, k: int) -> str:
    """A function on the path that is another one each time."""
    Path(f"edited{k % 5}.m").write_text(
        f"function y = edited{k % 5}(x)\n%EDITED{k % 5} Form {k}.\npersistent n\n"
        f"n = {k}; y = x + n + other(x);\nend\nfunction z = other(x)\nz = x * {choose.random()};\nend\n",
        encoding="ascii",
    )
    return f"r = edited{k % 5}({k}); disp(r)"


def edited_class(choose: random.Random, k: int) -> str:
    """A class on the path that is another one each time, and objects of it."""
    kind = choose.choice(("", " < handle"))
    Path(f"Edited{k % 5}.m").write_text(
        f"classdef Edited{k % 5}{kind}\n  properties\n    a = {k}\n    b{k}\n  end\n  methods\n"
        f"    function o = Edited{k % 5}(a)\n      o.a = a;\n    end\n"
        f"    function r = twice{k}(o)\n      r = o.a * 2 + {k};\n    end\n  end\nend\n",
        encoding="ascii",
    )
    return f"clear classes\no = Edited{k % 5}({k}); r = o.twice{k}(); o, p = [o o];"


def figure(choose: random.Random, k: int) -> str:
    """A figure that is drawn on and closed, or written to a file."""
    what = choose.choice(
        (
            f"plot(1:{k % 50 + 2}, rand(1, {k % 50 + 2}), 'DisplayName', 'l{k}'); legend",
            f"surf(peaks({k % 20 + 5})); colorbar",
            f"histogram(randn(1, {k + 10})); title('h{k}')",
            f"subplot(2, 1, 1); bar(rand(1, {k % 9 + 1})); subplot(2, 1, 2); imagesc(rand({k % 30 + 2}))",
        )
    )
    kept = "print('shown.png', '-dpng');" if choose.random() < 0.03 else "drawnow;"
    return f"f = figure; {what}; xlabel('x{k}'); {kept} {choose.choice(('close(f)', 'close all'))}"


def frames(choose: random.Random, k: int) -> str:
    """An animated line."""
    return (
        f"f = figure; h = plot(1:{k % 90 + 9}); for i = 1:{choose.randrange(2, 9)}, "
        f"h.YData = h.YData * {k % 7} + i; title(sprintf('%d of {k}', i)); drawnow; end, close(f)"
    )


def files(choose: random.Random, k: int) -> str:
    """Data written and read."""
    return choose.choice(
        (
            f"a{k} = rand(3, {k % 20 + 1}); save('kept.mat', 'a{k}'); clear a{k}; load('kept.mat'); clear a{k}",
            f"i = fopen('kept.txt', 'w'); fprintf(i, '%d {k}\\n', 1:9); fclose(i); t = fileread('kept.txt');",
            f"writematrix(rand({k % 9 + 1}, 3), 'kept.csv'); m = readmatrix('kept.csv'); t = readtable('kept.csv');",
            f"fid = fopen('kept.m', 'w'); fprintf(fid, 'kept{k % 9} = {k};'); fclose(fid); kept; run('kept.m')",
        )
    )


def stop(choose: random.Random, k: int) -> str:
    """Something without end."""
    return choose.choice(
        (
            f"n{k} = 0; while true, n{k} = n{k} + {k}; end",
            f"while true, x = rand({k % 50 + 5}) * rand({k % 50 + 5}); end",
            f"f = @(t) t + {k}; while true, y = cellfun(f, {{1, 2, 3}}); end",
            "pause(600)",
        )
    )


KINDS: tuple[Callable[[random.Random, int], str], ...] = (
    *(fused, fused, loop, function_in_text, error, text, edited_function, edited_class),
    *(figure, frames, files, stop),
)
"""What the texts are made by: those that stand twice are as common."""


def _no_answer(kinds: object) -> Request:
    """The window of the sessions answers nothing."""
    raise Interrupted(f"{kinds} wanted")


@contextmanager
def _stopped_after(seconds: float, session: Session) -> Iterator[None]:
    """Stop what runs after so long, again and again: a stop before it begins stops nothing."""
    ended = threading.Event()

    def watch() -> None:
        pause = seconds
        while not ended.wait(pause):
            session.cancel()
            pause = AGAIN_S

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        yield
    finally:
        ended.set()
        watching.join()


class Soak:
    """Sessions that run new texts, one after the other."""

    def __init__(
        self, seed: int, kinds: str = ".*", devices: tuple[str, ...] = ("cpu", "gpu")
    ) -> None:
        self.choose = random.Random(seed)
        self.kinds = [kind for kind in KINDS if re.fullmatch(kinds, kind.__name__)]
        self.sessions = [
            Session(Settings(device=d), lambda _event: None, wait=_no_answer) for d in devices
        ]
        self.count = 0
        self.statuses: Counter[str] = Counter()

    def run(self) -> None:
        """Run the next text."""
        self.count += 1
        kind = self.choose.choice(self.kinds)
        session = self.choose.choices(self.sessions, (9, 1)[: len(self.sessions)])[0]
        code = kind(self.choose, self.count) if self.count % CLEARED else "clear all"
        patience = self.choose.uniform(0, 0.1) if kind is stop else PATIENCE_S
        session.acceleration.activate()
        with _stopped_after(patience, session):
            name = self.choose.choice(("<command>", "<stdin>"))
            session.run_source(SourceText(name, code))
        self.statuses[f"{kind.__name__} {session.last_status}"] += 1
        if session.exit_code == 3:
            sys.stdout.write(f"a bug of ours:\n{code}\n")

    def give_up(self) -> None:
        """Leave no variables, no spare memory, and of kernels only what the shortest text needs."""
        for session in self.sessions:
            session.acceleration.activate()
            session.run_source(SourceText("<command>", "clear all"))
            runtime = session.acceleration._runtime
            device = runtime.executor.device if runtime is not None else None
            if isinstance(device, WgpuProvider):
                compiler = device._compiler
                compiler.ahead.wait()  # what a stop left is compiled to its end
                compiler.most, most, compiler._due = 0, compiler.most, 0
                session.acceleration.activate()
                for name in ("<command>", "<stdin>"):
                    session.run_source(SourceText(name, _WITHOUT_KERNELS))
                compiler.most = most
            if runtime is not None:
                runtime.executor.host.trim()
                if device is not None:
                    device.trim()

    def held(self) -> str:
        """What the sessions hold on purpose: plans, and kernels of the device."""
        opened = [session.acceleration._runtime for session in self.sessions]
        runtimes = [runtime for runtime in opened if runtime is not None]
        plans = [len(list(runtime.planner.plans.values())) for runtime in runtimes]
        devices = [runtime.executor.device for runtime in runtimes]
        kernels = [device.statistics().pipelines if device else 0 for device in devices]
        return f"plans {plans}, kernels {kernels}"

    def close(self) -> None:
        """End the sessions."""
        for session in self.sessions:
            session.close()


def resident_mb() -> float:
    """Resident memory of our own, MB, after what is dead has been collected and given back."""
    gc.collect()
    with suppress(AttributeError, OSError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)
    resident, of_files = _resident()
    return resident - of_files


def _resident() -> tuple[float, float]:
    """All resident memory, and what of it is pages of files, MB."""
    counts = Path("/proc/self/statm").read_text(encoding="ascii").split()
    page = os.sysconf("SC_PAGESIZE") / 2**20
    return int(counts[1]) * page, int(counts[2]) * page


def live() -> Counter[str]:
    """Objects that the collector knows, by type."""
    return Counter(f"{type(o).__module__}.{type(o).__qualname__}" for o in gc.get_objects())


def told(before: Counter[str], now: Counter[str]) -> Iterator[str]:
    """The types of which there are most more than before."""
    for name, more in (now - before).most_common(MOST_TYPES):
        yield f"{name} +{more} ({now[name]})"


def main(seconds: float, seed: int, kinds: str, devices: str) -> int:
    """Go on for so long; 1 when the memory grew."""
    for module, name, most in FULL_SOON:
        setattr(module, name, most)
    soak = Soak(seed, kinds, tuple(devices.split(",")))
    began, known, settled, now = time.monotonic(), Counter[str](), 0.0, 0.0
    due = began + min(MINUTE_S, seconds / 6)
    while (spent := time.monotonic() - began) < seconds:
        soak.run()
        if time.monotonic() < due:
            continue
        due += min(MINUTE_S, seconds / 6)
        held = soak.held()
        soak.give_up()
        now, there = resident_mb(), live()
        settled = settled or (now if spent > seconds / 5 else 0.0)
        sys.stdout.write(
            f"{spent:6.0f} s {soak.count:7d} texts {now:8.1f} MB and {_resident()[1]:.1f} of files, {held}; {'; '.join(told(known, there))}\n"
        )
        sys.stdout.flush()
        known = there
    soak.close()
    sys.stdout.write(
        f"soak: {soak.count} texts {dict(soak.statuses)}, {settled:.1f} to {now:.1f} MB\n"
    )
    return now > settled * (1 + GROWTH)


if __name__ == "__main__":
    given = [*sys.argv[1:], *("3600", "1", ".*", "cpu,gpu")[len(sys.argv) - 1 :]]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sys.exit(main(float(given[0]), int(given[1]), given[2], given[3]))
