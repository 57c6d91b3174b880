"""Runs pieces of MATLAB here and in GNU Octave, in turns, and gives processor times and results.

Times are processor time (what other work on the machine does is not counted), the least of several
rounds; the rounds of both sides alternate. Results are digests of values that both sides print.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]
OURS, OCTAVE = "ours", "octave"
COMMANDS = {
    OURS: [sys.executable, "-m", "app", "run", "--octave", "--device", "cpu", "--quiet"],
    OCTAVE: ["octave-cli", "-f", "--no-history"],
}
DIGEST = """function d = bench_digest(v)
if iscell(v)
    d = sprintf('{%d', numel(v));
    for k = 1:min(numel(v), 50), d = [d ' ' bench_digest(v{k})]; end
    d = [d '}'];
elseif isstruct(v)
    d = bench_digest(struct2cell(v));
elseif ischar(v)
    d = ['''' strrep(v(:).', sprintf('\\n'), '|') ''''];
elseif isa(v, 'function_handle')
    d = func2str(v);
elseif isempty(v)
    d = sprintf('%dx%d', size(v, 1), size(v, 2));
else
    w = full(double(v(:)));
    n = sqrt(sum(abs(w(isfinite(w))) .^ 2));
    d = sprintf('%dx%d %.8g %.8g', size(v, 1), size(v, 2), n, abs(real(w(1))));
end
end
"""
MEASURED = """{setup}
bench_n = 1; bench_e = 0;
for bench_k = 1:2
    {code}
end
while bench_e < {least}
    bench_t = cputime;
    for bench_k = 1:bench_n
        {code}
    end
    bench_e = cputime - bench_t;
    if bench_e < {least}
        bench_n = ceil(bench_n * min(100, max(2, 1.3 * {least} / max(bench_e, 1e-5))));
    end
end
bench_best = bench_e / bench_n;
for bench_round = 1:{rounds}
    bench_t = cputime;
    for bench_k = 1:bench_n
        {code}
    end
    bench_best = min(bench_best, (cputime - bench_t) / bench_n);
end
fprintf('\\n@@ {number} %.9g %s\\n', bench_best, bench_digest({result}));
"""


@dataclass(frozen=True, slots=True)
class Case:
    """A piece of code to time.

    Attributes:
        name: how the table calls it.
        code: statements, repeated.
        setup: statements before.
        result: an expression of what both sides must agree on.
    """

    name: str
    code: str
    setup: str = ""
    result: str = "y"


@dataclass(slots=True)
class Timing:
    """What a side took for a case, in seconds, and what it found."""

    seconds: float = float("inf")
    result: str = ""


def environment(home: str) -> dict[str, str]:
    """Both sides run with their folders in ``home``, so that nothing of the user's counts.

    Python keeps its compiled modules, as it does unless it is told not to.
    """
    kept = {n: v for n, v in os.environ.items() if n != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "FUSELAB_HOME": home, "OMP_NUM_THREADS": "2"}


def warm(
    cases: list[Case],
    turns: int = 2,
    least: float = 0.01,
    rounds: int = 2,
    folders: tuple[Path, ...] = (),
) -> dict[str, list[Timing]]:
    """Both sides' best times of every case, each side in processes of its own, in turns."""
    found = {side: [Timing() for _ in cases] for side in COMMANDS}
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "bench_digest.m").write_text(DIGEST, encoding="utf-8")
        paths = "".join(f"addpath('{p}');\n" for p in (folder, *folders))
        for _ in range(turns):
            for side in COMMANDS:
                todo = list(range(len(cases)))
                while todo:
                    parts = [
                        MEASURED.format(
                            number=k,
                            setup=cases[k].setup,
                            code=cases[k].code,
                            result=cases[k].result,
                            least=least,
                            rounds=rounds,
                        )
                        for k in todo
                    ]
                    done = _run(side, paths + "".join(parts), folder, found[side])
                    ended = max(done, default=todo[0] - 1)
                    missing = [k for k in todo if k > ended]
                    if missing:
                        found[side][missing[0]].result = f"failed: {_LAST[side]}"
                    todo = missing[1:]
    return found


_LAST: dict[str, str] = {}


def _run(side: str, text: str, folder: str, found: list[Timing]) -> list[int]:
    """Run one script; the numbers of the cases that came through."""
    script = Path(folder, f"bench_{side}.m")
    script.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [*COMMANDS[side], str(script)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=environment(folder),
        timeout=3000,
    )
    _LAST[side] = next((x for x in done.stderr.splitlines() if "error" in x), "")[:120]
    numbers = []
    for line in done.stdout.splitlines():
        if line.startswith("@@ "):
            _, number, seconds, result = line.split(" ", 3)
            timing = found[int(number)]
            timing.seconds = min(timing.seconds, float(seconds))
            timing.result = result
            numbers.append(int(number))
    return numbers


def cold(text: str, side: str, home: str) -> tuple[float, float, str]:
    """Processor and wall seconds of a fresh process that runs ``text``, and what it printed."""
    script = Path(home, f"cold_{side}.m")
    script.write_text(text, encoding="utf-8")
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [*COMMANDS[side], str(script)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=environment(home),
        timeout=600,
    )
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, wall, done.stdout.strip()
