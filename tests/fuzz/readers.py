"""Damaged files before every reader: each ends in a value or an error of MATLAB's.

`corpus` has the program write one file of every kind it knows; `damage` cuts, flips, repeats and
empties them. What is neither a value nor an error with an identifier is a finding: a bug of ours
("Fuselab:internal"), an exception, a warning on the way, or a reader that takes too long.

``python -m tests.fuzz.readers [SECONDS] [SEED]`` goes on for so long.
"""

from __future__ import annotations

import io
import random
import sys
import tempfile
import time
import warnings
from collections import Counter
from contextlib import redirect_stderr
from dataclasses import dataclass
from pathlib import Path

from app.engine.protocol import ErrorRaised, Event
from app.engine.session.session import Session
from app.settings import Settings
from app.source import SourceText

WRITERS = r"""
x = reshape(1:24, 4, 6); y = {1, 'two', [3 4]}; s = struct('a', 1, 'b', {{'c', 2}}); t = "text";
z = int8([1 -2]); w = single(pi); v = true; u = 1:0; q = complex(1, 2);
save('a.mat'); save('b.mat', '-v6'); save('c.mat', '-v7.3'); save('d.txt', 'x', '-ascii');
p = uint8(randi(255, 20, 30, 3));
imwrite(p, 'a.png'); imwrite(p, 'a.jpg'); imwrite(p, 'a.bmp'); imwrite(p, 'a.tif');
imwrite(p(:, :, 1), 'a.gif');
audiowrite('a.wav', sin((1:400)') / 2, 8000);
T = table([1; 2], ["a"; "b"]); writetable(T, 'a.csv'); writetable(T, 'a.xlsx');
writematrix(x, 'b.csv'); writecell(y(1:2), 'c.csv'); writelines(["{""a"": [1, 2]}"], 'a.json');
writestruct(s, 'a.xml'); writelines(["a 1"; "b 2"], 'a.txt');
gzip('a.txt'); zip('a.zip', {'a.txt', 'a.csv'}); tar('a.tar', {'a.txt'});
h5create('a.h5', '/x', [4 6]); h5write('a.h5', '/x', x);
nccreate('a.nc', 'x', 'Dimensions', {'r', 4}); ncwrite('a.nc', 'x', 1:4);
"""
READERS: dict[str, tuple[str, ...]] = {
    ".mat": ("s = load(f);", "m = matfile(f); w = who(m);", "w = whos('-file', f);"),
    ".png": ("p = imread(f);", "i = imfinfo(f);", "[p, m] = imread(f);"),
    ".jpg": ("p = imread(f);", "i = imfinfo(f);"),
    ".bmp": ("p = imread(f);",),
    ".tif": ("p = imread(f);", "p = imread(f, 2);", "i = imfinfo(f);"),
    ".gif": ("p = imread(f);", "[p, m] = imread(f, 1);"),
    ".wav": ("[y, r] = audioread(f);", "i = audioinfo(f);", "y = audioread(f, [1 10]);"),
    ".csv": ("t = readtable(f);", "m = readmatrix(f);", "c = readcell(f);", "m = csvread(f);"),
    ".xlsx": ("t = readtable(f);", "c = readcell(f);", "n = xlsread(f);", "s = sheetnames(f);"),
    ".json": ("j = jsondecode(fileread(f));", "s = readstruct(f);"),
    ".xml": ("s = readstruct(f);", "d = xmlread(f);"),
    ".txt": ("c = importdata(f);", "t = readtable(f);", "s = load(f);", "l = readlines(f);"),
    ".gz": ("n = gunzip(f, tempname);",),
    ".zip": ("n = unzip(f, tempname);",),
    ".tar": ("n = untar(f, tempname);",),
    ".h5": ("x = h5read(f, '/x');", "i = h5info(f);"),
    ".nc": ("x = ncread(f, 'x');", "i = ncinfo(f);"),
}
MOST_S = 10.0


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that must not happen.

    Attributes:
        what: the identifier or exception, and what it said.
        code: the statement.
        seed: makes the same damage again.
    """

    what: str
    code: str
    file: str
    seed: int

    def __str__(self) -> str:
        return f"{self.what}: {self.code} of {self.file} (seed {self.seed})"


def damage(data: bytes, choose: random.Random) -> bytes:
    """The bytes with one to four things wrong."""
    made = bytearray(data)
    for _ in range(choose.randrange(1, 5)):
        at = choose.randrange(len(made) + 1)
        match choose.randrange(7):
            case 0:
                del made[at:]
            case 1 if made:
                made[at % len(made)] ^= 1 << choose.randrange(8)
            case 2 if made:
                made[at % len(made)] = choose.choice((0, 255, 127, 128))
            case 3:
                end = at + choose.randrange(1, 40)
                del made[at:end]
            case 4:
                made[at:at] = choose.randbytes(choose.randrange(1, 20))
            case 5:
                made[at : at + 4] = choose.choice((b"\xff" * 4, b"\0" * 4, b"\x7f\xff\xff\xff"))
            case _:
                made[at:at] = made[max(0, at - 30) : at]
    return bytes(made)


class Campaign:
    """One session that reads one damaged file after the other below a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.events: list[Event] = []
        self.session = Session(Settings(), self.events.append)
        self.tried = Counter[str]()
        status, said = self._run(f"cd('{folder}');\n{WRITERS}")
        if status != "ok":
            raise RuntimeError(f"the corpus could not be written: {said}")
        self.corpus = {p.name: p.read_bytes() for p in sorted(folder.iterdir()) if p.is_file()}

    def close(self) -> None:
        """End the session."""
        self.session.close()

    def _run(self, code: str) -> tuple[str, str]:
        self.events.clear()
        with redirect_stderr(io.StringIO()):
            self.session.run_source(SourceText("<fuzz>", code))
        errors = [e for e in self.events if isinstance(e, ErrorRaised)]
        if errors:
            return errors[0].identifier, errors[0].message
        return self.session.last_status, ""

    def one(self, seed: int) -> Finding | None:
        """Read one damaged file in one way."""
        choose = random.Random(seed)
        name = choose.choice(sorted(self.corpus))
        code = choose.choice(READERS[Path(name).suffix])
        self.tried[name] += 1
        place = self.folder / f"damaged{Path(name).suffix}"
        place.write_bytes(damage(self.corpus[name], choose))
        started = time.monotonic()
        with warnings.catch_warnings(record=True) as said:
            try:
                status, message = self._run(f"f = '{place}';\n{code}\nclear")
            except Exception as bug:
                status, message = f"exception {type(bug).__name__}", str(bug)
        spent = time.monotonic() - started
        if status == "Fuselab:internal" or status.startswith("exception") or status == "":
            return Finding(f"{status}: {message[:200]}", code, name, seed)
        if said:
            return Finding(f"warning: {said[0].message}", code, name, seed)
        return Finding(f"took {spent:.0f} s", code, name, seed) if spent > MOST_S else None


def main(seconds: float, seed: int) -> int:
    """Go on for so long; 1 when something was found."""
    found: dict[str, Finding] = {}
    with tempfile.TemporaryDirectory() as folder:
        campaign, count, end = Campaign(Path(folder)), 0, time.monotonic() + seconds
        while time.monotonic() < end:
            finding = campaign.one(seed + count)
            count += 1
            if finding is not None:
                key = f"{finding.code} {finding.what[:60]}"
                if key not in found:
                    sys.stdout.write(f"{finding}\n")
                found.setdefault(key, finding)
        campaign.close()
    sys.stdout.write(f"readers: {count} damaged files, {len(found)} different findings\n")
    return bool(found)


if __name__ == "__main__":
    given = [*sys.argv[1:], "60", "1"][:2] if len(sys.argv) < 3 else sys.argv[1:3]
    sys.exit(main(float(given[0]), int(given[1])))
