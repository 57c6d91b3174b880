"""The n-th change of a file fails, for n = 1, 2, 3 … until what was asked for is through.

Programs that write files in every way end well or with an error that a script can catch and that
names no bug of ours; a file that is replaced is the old one or the new one; and programs that do
not write at all are not bothered by caches that cannot be kept.

``python -m tests.faults.file_campaign [SECONDS] [SEED]`` goes on for so long.
"""

from __future__ import annotations

import logging
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from app.engine.protocol import ErrorRaised, Event, Notice, OutputText
from app.engine.session.session import Session
from app.settings import Settings
from app.source import SourceText
from tests.faults.file_faults import ERRORS, Faults

WRITERS = (
    "x = 1:9; save('a.mat');",
    "x = 1:9; save('a.mat', '-v7.3');",
    "x = 1:9; save('a.txt', 'x', '-ascii');",
    "x = 1; save('a.mat', 'x'); y = 2; save('a.mat', 'y', '-append');",
    "f = fopen('a.txt', 'w'); if f < 0, error('a:b', 'no'); end; n = fprintf(f, '%d\\n', 1:9); fclose(f);",
    "writematrix(magic(4), 'a.csv');",
    "writetable(table([1; 2]), 'a.csv');",
    "writetable(table([1; 2]), 'a.xlsx');",
    "writecell({1, 'a'}, 'a.txt');",
    'writelines(["a" "b"], \'a.txt\');',
    "writestruct(struct('a', 1), 'a.xml');",
    "dlmwrite('a.txt', magic(3)); csvwrite('a.csv', 1:3);",
    "imwrite(uint8(magic(8)), 'a.png'); imwrite(uint8(magic(8)), 'a.jpg');",
    "imwrite(uint8(magic(8)), 'a.tif'); imwrite(uint8(magic(8)), 'a.gif');",
    "audiowrite('a.wav', zeros(20, 1), 8000);",
    "diary('a.log'); disp(1); diary off",
    "mkdir('d'); copyfile('seed.txt', 'd/b.txt'); movefile('d/b.txt', 'c.txt'); rmdir('d');",
    "zip('a.zip', 'seed.txt'); unzip('a.zip', 'z');",
    "tar('a.tar', 'seed.txt'); untar('a.tar', 't');",
    "gzip('seed.txt'); gunzip('seed.txt.gz', 'g');",
    "h5create('a.h5', '/x', 3); h5write('a.h5', '/x', 1:3);",
    "nccreate('a.nc', 'x', 'Dimensions', {'r', 3}); ncwrite('a.nc', 'x', 1:3);",
    "m = matfile('m.mat', 'Writable', true); m.x = 1:3;",
    "plot(1:3); savefig('a.fig');",
    "delete('seed.txt');",
    "v = VideoWriter('a.avi'); open(v); writeVideo(v, zeros(8)); close(v);",
)
WORKERS = (
    "x = rand(200); y = x * x; s = 0; for k = 1:2e4, s = s + k; end; disp(s)",
    "x = linspace(0, 1, 1e5)'; disp(sum(sin(x) + x.^2) > 0)",
    "f = @(t) t.^2; disp(integral(f, 0, 3))",
)


class FileCampaign:
    """Programs in a folder of their own, with a home of their own.

    Args:
        folder: where all of that lies.
        setenv: sets a variable of the environment.
    """

    def __init__(self, folder: Path, setenv: Callable[[str, str], None]) -> None:
        self.folder, self.setenv, self.faults, self.runs = folder, setenv, Faults(), 0
        self.events: list[Event] = []

    def _run(self, code: str) -> tuple[str, str]:
        """How a run in a fresh session ended, and what it printed."""
        self.runs += 1
        self.events.clear()
        session = Session(Settings(), self.events.append)
        try:
            session.run_source(SourceText("<fault>", code))
            status = session.last_status
        finally:
            session.close()
        errors = [e for e in self.events if isinstance(e, ErrorRaised)]
        said = "".join(e.text for e in self.events if isinstance(e, OutputText | Notice))
        return (errors[0].identifier, errors[0].message) if errors else (status, said)

    def findings(self, code: str, error: int, *, lasting: bool, most: int = 200) -> Iterator[str]:
        """What goes wrong as the first, the second … change fails."""
        what = f"{os.strerror(error)}{', lasting' if lasting else ''}: {code}"
        writes = code in WRITERS
        expected = ("", "")
        for n in range(most + 1):
            place = Path(tempfile.mkdtemp(dir=self.folder))
            (place / "seed.txt").write_text("seed\n", encoding="ascii")
            self.setenv("FUSELAB_HOME", str(place / "home"))
            whole = f"cd('{place}');\n{code}\nclear all; close all; cd('{self.folder}');"
            try:
                with self.faults.installed():
                    self.faults.arm(n, error, lasting=lasting)
                    got = self._run(whole)
            except Exception as bug:
                got = f"exception {type(bug).__name__}", str(bug)
            if n == 0:
                expected = got
                if got[0] != "ok":
                    yield f"{what}: without a fault {got}"
                    return
                continue
            wrong = got[0] in {"Fuselab:internal", ""} or got[0].startswith("exception")
            if wrong or (not writes and got != expected):
                yield f"{what}, call {n}: {got}"
            if not self.faults.happened:
                return


def main(seconds: float, seed: int) -> int:
    """Go on for so long; 1 when something was found."""
    choose, found, end = random.Random(seed), 0, time.monotonic() + seconds
    logging.getLogger("fuselab").setLevel(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        campaign = FileCampaign(Path(folder), os.environ.__setitem__)
        cases = [(c, e) for c in (*WORKERS, *WRITERS) for e in ERRORS]
        choose.shuffle(cases)
        count = 0
        for code, error in cases:
            if time.monotonic() > end:
                break
            count += 1
            for finding in campaign.findings(code, error, lasting=choose.random() < 0.6):
                found += 1
                sys.stdout.write(f"{finding}\n")
                sys.stdout.flush()
    sys.stdout.write(f"file faults: {count} cases, {campaign.runs} runs, {found} findings\n")
    return bool(found)


if __name__ == "__main__":
    given = [*sys.argv[1:], "60", "1"][:2] if len(sys.argv) < 3 else sys.argv[1:3]
    sys.exit(main(float(given[0]), int(given[1])))
