"""Damaged files before every reader: each ends in a value or an error of MATLAB's.

`corpus` has the program write one file of every kind it knows; `damage` cuts, flips, repeats and
empties them. What is neither a value nor an error with an identifier is a finding: a bug of ours
("Fuselab:internal"), an exception, a warning on the way, or a reader that takes too long.

``python -m tests.fuzz.readers [SECONDS] [SEED]`` goes on for so long.
"""

from __future__ import annotations

import gzip
import io
import random
import struct
import sys
import tempfile
import time
import warnings
import zipfile
import zlib
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
MORE_WRITERS = r"""
clear; a = sparse([1 0; 0 2]); b = table([1; 2], ["a"; "b"]); c = datetime(2020, 1, 1:2); d = @sin;
e = int64([1 2; 3 4]); f = sparse([true false]); g = struct('a', {1, 2}); h = ["a" "b"]; k = hours(1:2);
l = categorical({'a', 'b'}); m = {}; n = struct([]); o = single(1 + 2i); q = containers.Map('a', 1);
save('e.mat', '-v7'); save('f.mat', '-v7.3'); save('g.mat', '-v6');
p = uint8(randi(255, 20, 30, 3));
imwrite(uint16(magic(8)) * 100, 'b.png'); imwrite(p, 'c.png', 'Alpha', p(:, :, 1));
imwrite(p(:, :, 1), hot(256), 'd.png'); imwrite(p(:, :, 1) > 100, 'e.png');
imwrite(p(:, :, 1), hot(256), 'b.gif', 'DelayTime', 0.1); imwrite(p(:, :, 2), hot(256), 'b.gif', 'WriteMode', 'append');
imwrite(p(:, :, 1), hot(256), 'b.bmp'); imwrite(p, 'a.ppm'); imwrite(p(:, :, 1), 'a.pgm');
audiowrite('b.wav', [sin((1:400)') cos((1:400)')] / 2, 44100, 'BitsPerSample', 32);
v = VideoWriter('a.avi'); open(v); for k = 1:3, writeVideo(v, p); end, close(v)
v = VideoWriter('b.avi', 'Uncompressed AVI'); open(v); writeVideo(v, p); close(v)
z = plot(1:3); title('t'); legend('a'); savefig(gcf, 'a.fig'); close all
T = table([1; 2], datetime(2020, 1, [1; 2]), [true; false], {'x'; 'y,"z"'});
writetable(T, 'b.xlsx'); writetable(T, 'b.xlsx', 'Sheet', 'two', 'Range', 'C3'); writetable(T, 'd.csv');
writetimetable(timetable(datetime(2020, 1, [1; 2]), [1; 2]), 'e.csv');
writelines(["a;b"; "1,5;2"; ""; "3;x"], 'b.txt'); writelines(["% h"; "1 2"; "3 4"], 'c.txt');
writestruct(struct('a', struct('b', {{1, 'x'}})), 'b.xml'); writestruct(struct('a', [1 2]), 'b.json');
h5create('b.h5', '/g/x', [4 6]); h5write('b.h5', '/g/x', reshape(1:24, 4, 6));
h5create('b.h5', '/y', 3, 'Datatype', 'int8'); h5writeatt('b.h5', '/g', 'u', 'text'); h5writeatt('b.h5', '/y', 'v', 1:3);
nccreate('b.nc', 'c', 'Dimensions', {'s', 3, 't', Inf}, 'Datatype', 'char'); ncwrite('b.nc', 'c', ['abc'; 'def'; 'ghi']);
ncwriteatt('b.nc', '/', 'title', 'text'); nccreate('b.nc', 'i', 'Dimensions', {'t'}, 'Datatype', 'int16');
gzip('a.csv'); f = fopen('a.bin', 'w'); fwrite(f, 1:100, 'double'); fclose(f); tar('b.tgz', {'a.txt', 'a.csv'});
q = {1, 'x', {2; int8(3)}}; w.a = [1.5 2i]; w.b = struct('c', {1, 'd'}); o = sparse([1 0; 0 2]); l = true;
save('-text', 'b.octave', 'q', 'w', 'o', 'l');
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
    ".nc": (
        *("x = ncread(f, 'x');", "i = ncinfo(f);", "c = ncread(f, 'c'); i = ncread(f, 'i');"),
        *("ncdisp(f)", "a = ncreadatt(f, '/', 'title');"),
    ),
    ".ppm": ("p = imread(f);", "i = imfinfo(f);"),
    ".pgm": ("p = imread(f);",),
    ".avi": (
        "v = VideoReader(f); while hasFrame(v), p = readFrame(v); end",
        "v = VideoReader(f); p = read(v, 2); v.NumFrames",
    ),
    ".fig": ("openfig(f); drawnow", "h = hgload(f);", "s = load(f, '-mat');"),
    ".bin": (
        "m = memmapfile(f, 'Format', {'double', [10 10], 'x'}); y = m.Data.x;",
        "h = fopen(f); x = fread(h, [10 Inf], 'int32=>single', 3); y = fscanf(h, '%d'); fclose(h);",
        "h = fopen(f); x = textscan(h, '%f %s'); fclose(h);",
    ),
    ".tgz": ("n = untar(f, tempname);", "n = gunzip(f, tempname);"),
    ".octave": ("s = load(f);",),
}
"""How files of a kind are read."""
MORE_READERS: dict[str, tuple[str, ...]] = {
    ".mat": ("s = load(f, '-regexp', '.'); struct2cell(s)", "load(f); whos; disp(who)"),
    ".gif": ("[p, m] = imread(f, 'Frames', 'all');", "i = imfinfo(f);"),
    ".tif": ("for k = 1:2, p = imread(f, 'Index', k); end",),
    ".wav": ("[y, r] = audioread(f, 'native');", "[y, r] = audioread(f, [300 400], 'double');"),
    ".csv": (
        *("o = detectImportOptions(f); t = readtable(f, o);", "t = readtimetable(f);"),
        *("c = textscan(fopen(f), '%s %f', 'Delimiter', ','); fclose all;", "m = dlmread(f);"),
        "d = tabularTextDatastore(f); t = read(d); p = preview(d);",
        "t = readtable(f, 'Range', 'B2:C9', 'TextType', 'string'); [a, b] = readvars(f);",
    ),
    ".xlsx": (
        "t = readtable(f, 'Sheet', 2);",
        "o = detectImportOptions(f); t = readtable(f, o);",
        "m = readmatrix(f, 'Range', 'A1:D4'); [n, t, r] = xlsread(f, 1);",
    ),
    ".json": ("j = jsondecode(fileread(f)); jsonencode(j)",),
    ".xml": ("d = xmlread(f); r = d.getDocumentElement; xmlwrite(d)",),
    ".txt": (
        *("[a, b] = textread(f, '%s %f');", "x = dlmread(f, ' ');", "s = readcell(f);"),
        "h = fopen(f); while true, l = fgetl(h); if ~ischar(l), break, end, end, fclose(h);",
    ),
    ".h5": ("x = h5read(f, '/g/x', [1 1], [2 2], [2 2]);", "x = h5readatt(f, '/g', 'u');"),
    ".png": ("[p, m, a] = imread(f);", "image(imread(f)); drawnow; close all"),
}
READERS = {
    kind: READERS.get(kind, ()) + MORE_READERS.get(kind, ()) for kind in {**READERS, **MORE_READERS}
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


def inner_damage(name: str, data: bytes, choose: random.Random) -> bytes:
    """A file that is well packed, with damage within what is packed; as it is where nothing is."""
    try:
        match Path(name).suffix:
            case ".gz" | ".tgz":
                return gzip.compress(damage(gzip.decompress(data), choose))
            case ".xlsx" | ".zip" | ".mlx":
                return _repacked(data, choose)
            case ".png":
                return _with_checksums(data, choose)
            case ".mat":
                return _recompressed(data, choose)
    except (OSError, zlib.error, struct.error):
        pass
    return damage(data, choose)


def _repacked(data: bytes, choose: random.Random) -> bytes:
    """An archive with one member damaged."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(made, "w", 8) as new:
        chosen = choose.choice(old.namelist())
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, damage(content, choose) if name == chosen else content)
    return made.getvalue()


def _with_checksums(data: bytes, choose: random.Random) -> bytes:
    """A PNG picture with the content of one chunk damaged and all sums right."""
    chunks, at = [], 8
    while at < len(data):
        (size,) = struct.unpack_from(">I", data, at)
        chunks.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + size]))
        at += size + 12
    chosen = choose.randrange(len(chunks))
    made = [data[:8]]
    kind, content = chunks[chosen]
    if kind == b"IDAT" and choose.randrange(2):
        chunks[chosen] = kind, zlib.compress(damage(zlib.decompress(content), choose))
    else:
        chunks[chosen] = kind, damage(content, choose)
    for kind, content in chunks:
        sum_of_it = zlib.crc32(kind + content)
        made += [struct.pack(">I", len(content)), kind, content, struct.pack(">I", sum_of_it)]
    return b"".join(made)


def _recompressed(data: bytes, choose: random.Random) -> bytes:
    """A MAT-file with the content of one compressed element damaged."""
    elements, at = [], 128
    while at + 8 <= len(data):
        kind, size = struct.unpack_from("<II", data, at)
        elements.append((kind, data[at + 8 : at + 8 + size]))
        at += 8 + size
    packed = [k for k, (kind, _) in enumerate(elements) if kind == 15]
    if not packed or data[:10] != b"MATLAB 5.0":
        return damage(data, choose)
    chosen = choose.choice(packed)
    inner = damage(zlib.decompress(elements[chosen][1]), choose)
    elements[chosen] = 15, zlib.compress(inner)
    made = [data[:128]]
    for kind, content in elements:
        made += [struct.pack("<II", kind, len(content)), content]
    return b"".join(made)


def _write_pages(folder: Path) -> None:
    """Pictures that no function of the language writes: pages, bits, other compressions."""
    import h5py
    from PIL import Image

    page = Image.effect_noise((30, 20), 40)
    page.save(folder / "b.tif", save_all=True, append_images=[page, page])
    page.convert("1").save(folder / "c.tif", compression="group4")
    page.save(folder / "d.tif", compression="tiff_lzw")
    page.convert("1").save(folder / "c.bmp")
    page.convert("CMYK").save(folder / "b.jpg")
    with h5py.File(folder / "c.h5", "w") as file:
        file.create_dataset("x", data=range(100), chunks=(10,), compression="gzip", shuffle=True)
        file.create_dataset("g/x", data=[["a", "b"], ["c", "d"]], dtype=h5py.string_dtype())
        file["l"] = h5py.SoftLink("/g/x")
        file["e"] = h5py.ExternalLink("a.h5", "/x")
        file["g"].attrs["u"] = [1.5, 2.5]


class Campaign:
    """One session that reads one damaged file after the other below a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.events: list[Event] = []
        self.session = Session(Settings(), self.events.append)
        self.tried = Counter[str]()
        status, said = self._run(f"cd('{folder}');\n{WRITERS}\n{MORE_WRITERS}")
        if status != "ok":
            raise RuntimeError(f"the corpus could not be written: {said}")
        _write_pages(folder)
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
        spoil = choose.choice((damage, lambda data, chance: inner_damage(name, data, chance)))
        place.write_bytes(spoil(self.corpus[name], choose))
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
