"""Damaged files before every reader: each ends in a value or an error of MATLAB's.

`corpus` has a file of every kind; `damage` cuts, flips, repeats and empties them. What is neither a
value nor an error with an identifier is a finding: a bug of ours ("Fuselab:internal"), an exception,
a warning on the way, a reader that takes too long or too much memory, or the part of a cut file that
is taken for the whole. Every other file is changed in its damaged state, or cut short while it is
open, and read after that.

``python -m tests.fuzz.readers [SECONDS] [SEED]`` goes on for so long.
"""

from __future__ import annotations

import gzip
import io
import random
import re
import resource
import struct
import sys
import tempfile
import time
import warnings
import zipfile
import zlib
from collections import Counter
from collections.abc import Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass
from pathlib import Path

from app.engine.protocol import ErrorRaised, Event
from app.engine.session.session import Session
from app.settings import Settings
from app.source import SourceText
from tests.fuzz import corpus

MOST_S = 10.0
MOST_BYTES = 1 << 30
"""More memory than a damaged file of a few kilobytes may take."""
UNSPECIFIC = (":invalidInput", ":invalidType", ":UndefinedFunction")
"""What identifiers of arguments that nobody foresaw end in."""
ANYHOW_SHARE = 0.15
CUT_SHARE = 0.1


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
        match choose.randrange(9):
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
            case 6:  # a number that says how many or where says something near
                wide, order = choose.choice((2, 4, 8)), choose.choice(("little", "big"))
                field = int.from_bytes(made[at : at + wide], order)
                other = choose.choice(
                    (field + 1, field - 1, field * 2, -field, field >> 1, field ^ 256)
                )
                made[at : at + wide] = (other % (1 << 8 * wide)).to_bytes(wide, order)
            case 7:  # two parts change places
                wide, there = choose.randrange(1, 65), choose.randrange(len(made) + 1)
                one, two = made[at : at + wide], made[there : there + wide]
                made[at : at + wide], made[there : there + wide] = two, one
            case 5:
                made[at : at + 4] = choose.choice((b"\xff" * 4, b"\0" * 4, b"\x7f\xff\xff\xff"))
            case _:
                made[at:at] = made[max(0, at - 30) : at]
    return bytes(made)


_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0", b"\0\0\xfe\xff")
_STRANGE = (
    b"\0",
    b"\r",
    b"\n\r",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\x1a",
    b"\x0c",
    b"\xe2\x80\xa8",
)
_NUMBERS = (b"1e999", b"-1", b"99999999999999999999", b"0x", b"1e", b"NaN", b"", b"4294967295")
_NESTED = (b"[", b"{", b"(", b"<a>", b'{"a":', b"[[1],", b"'", b'"', b"(((", b"\n#")


def other_damage(data: bytes, others: Sequence[bytes], choose: random.Random) -> bytes:
    """The bytes as another program, system or encoding may have left them."""
    at = choose.randrange(len(data) + 1)
    match choose.randrange(11):
        case 0:  # a mark of an encoding before what has another
            made = choose.choice(_MARKS) + data
        case 1:
            text = data.decode("latin-1")
            made = choose.choice(_MARKS) + text.encode(choose.choice(("utf-16-le", "utf-32-be")))
        case 2:  # line ends of several systems
            ends = (b"\n", b"\r\n", b"\r", b"\n\n", b"")
            made = b"".join(line + choose.choice(ends) for line in data.splitlines())
        case 3:
            places = sorted(choose.choices(range(len(data) + 1), k=choose.randrange(1, 20)))
            parts = [data[a:b] for a, b in zip((0, *places), (*places, len(data)), strict=True)]
            made = b"".join(part + choose.choice(_STRANGE) for part in parts)
        case 4:  # numbers at their limits
            made = re.sub(
                rb"[0-9]+", lambda m: choose.choice((m[0], m[0], *_NUMBERS)), data, count=60
            )
        case 5:
            made = (
                data[:at] + choose.choice(_NESTED) * choose.choice((50, 3000, 100_000)) + data[at:]
            )
        case 6:
            made = data + (data if choose.randrange(2) else data[at:])
        case 7:  # a stretch that was never written
            end = at + choose.choice((4, 64, 512, 4096))
            made = data[:at] + bytes(len(data[at:end])) + data[end:]
        case 8:
            wide = choose.choice((8, 100, 600))
            made = (
                data[:at] + data[at : at + wide] * choose.choice((2, 20, 1000)) + data[at + wide :]
            )
        case 9:  # the end of another file
            other = choose.choice(others)
            made = data[:at] + other[choose.randrange(len(other) + 1) :]
        case _:
            made = choose.choice(
                (b"", b"\0", data[:1], data[:8], bytes(5000), choose.choice(others))
            )
    return made


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


class Campaign:
    """One session that reads one damaged file after the other below a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.events: list[Event] = []
        self.session = Session(Settings(), self.events.append)
        self.tried = Counter[str]()
        self.corpus = corpus.written_corpus(folder, self._run)

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
        self.tried[name] += 1
        whole = corpus.WHOLE.get(Path(name).suffix)
        if whole is not None and choose.random() < CUT_SHARE:
            return self._cut(name, whole, choose, seed)
        ways = corpus.READERS[Path(name).suffix]
        code = choose.choice(corpus.ANYHOW if choose.random() < ANYHOW_SHARE else ways)
        spoil = choose.choice((damage, lambda data, chance: inner_damage(name, data, chance)))
        place = self._put(name, spoil(self.corpus[name], choose))
        return self._way(code, place, name, seed)

    def left_by_another(self, seed: int) -> Finding | None:
        """Read one file in one way that another program may have left."""
        choose = random.Random(seed)
        name = choose.choice(sorted(self.corpus))
        self.tried[name] += 1
        code = choose.choice(corpus.READERS[Path(name).suffix])
        data = other_damage(self.corpus[name], sorted(self.corpus.values()), choose)
        return self._way(code, self._put(name, data), name, seed)

    def added_to(self, seed: int) -> Finding | None:
        """Change one damaged file in one way, and read what that leaves in two."""
        choose = random.Random(seed)
        name = choose.choice([n for n in sorted(self.corpus) if Path(n).suffix in corpus.ADDED])
        self.tried[name] += 1
        kind = Path(name).suffix
        place = self._put(name, damage(self.corpus[name], choose))
        readers = choose.choices(corpus.READERS[kind], k=2)
        found = (
            self._way(way, place, name, seed)
            for way in (choose.choice(corpus.ADDED[kind]), *readers)
        )
        return next(filter(None, found), None)

    def _way(self, code: str, place: Path, name: str, seed: int) -> Finding | None:
        """What is wrong about how a file is read or changed."""
        most, started = _most_memory(), time.process_time()  # the machine may be busy with others
        with warnings.catch_warnings(record=True) as said:
            try:
                unpacked = self.folder / "unpacked"
                status, message = self._run(f"f = '{place}'; u = '{unpacked}';\n{code}\nclear")
            except Exception as bug:
                status, message = f"exception {type(bug).__name__}", str(bug)
        spent = time.process_time() - started
        if status == "Fuselab:internal" or status.startswith("exception") or status == "":
            return Finding(f"{status}: {message[:200]}", code, name, seed)
        if status.endswith(UNSPECIFIC) and place.name not in message:
            return Finding(f"{status} does not name the file: {message[:200]}", code, name, seed)
        if said:
            return Finding(f"warning: {said[0].message}", code, name, seed)
        if _most_memory() - most > MOST_BYTES:
            return Finding(f"took {_most_memory() - most >> 20} MB", code, name, seed)
        return Finding(f"took {spent:.0f} s", code, name, seed) if spent > MOST_S else None

    def _put(self, name: str, data: bytes) -> Path:
        place = self.folder / f"damaged{Path(name).suffix}"
        place.write_bytes(data)
        return place

    def _cut(self, name: str, whole: str, choose: random.Random, seed: int) -> Finding | None:
        """Read the beginning of a file, which is an error unless nothing of what it holds is gone.

        Cuts between two elements that nothing counts are not seen: MAT-files before 7.3 and texts of
        Octave are a row of variables; a DICOM file without its last element has no picture.
        """
        data = self.corpus[name]
        place = self._put(name, data[: choose.randrange(len(data))])
        code = f"f = '{self.folder / name}'; a = {whole};\nf = '{place}'; b = {whole};\n"
        missing = "~isequaln(a, b) && (~isstruct(b) || ~cut_between(a, b))"
        if place.suffix == ".dcm":
            missing += " && ~isempty(b)"
        status, message = self._run(
            f"{code}if {missing}, error('fuzz:part', 'a part'), end\n"
            "function t = cut_between(a, b), n = fieldnames(b); t = true;\n"
            "for k = 1:numel(n), t = t && isfield(a, n{k}) && isequaln(a.(n{k}), b.(n{k})); end\nend"
        )
        if status in ("Fuselab:internal", "fuzz:part", ""):
            return Finding(f"{status}: {message[:200]}", f"cut: {whole}", name, seed)
        return None


def _most_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def main(seconds: float, seed: int) -> int:
    """Go on for so long; 1 when something was found."""
    found: dict[str, Finding] = {}
    with tempfile.TemporaryDirectory() as folder:
        campaign, count, end = Campaign(Path(folder)), 0, time.monotonic() + seconds
        choose = (campaign.one, campaign.added_to, campaign.left_by_another)
        while time.monotonic() < end:
            finding = choose[count % 3](seed + count)
            count += 1
            if finding is not None:
                key = f"{finding.code} {finding.what[:60]}"
                if key not in found:
                    sys.stdout.write(f"{finding}\n")
                    sys.stdout.flush()
                found.setdefault(key, finding)
        campaign.close()
    sys.stdout.write(f"readers: {count} damaged files, {len(found)} different findings\n")
    return bool(found)


if __name__ == "__main__":
    given = [*sys.argv[1:], "60", "1"][:2] if len(sys.argv) < 3 else sys.argv[1:3]
    sys.exit(main(float(given[0]), int(given[1])))
