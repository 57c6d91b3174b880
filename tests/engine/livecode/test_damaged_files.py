"""Damaged documents of every format: a clear error or a document, and nothing of it is lost."""

from __future__ import annotations

import io
import random
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from app import paths
from app.engine.livecode.document import LiveDocument
from app.engine.livecode.document_export import write_document
from app.engine.livecode.notebook import to_notebook
from app.engine.livecode.reading import read_script
from app.engine.livecode.running import section_code, spanned_sections
from app.engine.livecode.segments import segments
from app.engine.livecode.stored_results import stored_results
from app.errors import UsageError
from tests.engine.livecode import mlx_files
from tests.engine.livecode.mlx_files import paragraph

PIECES = (
    '{ } " \\ [ ] $ < > %[ %% ``` %[text] %[text:table] %[output: "position":[99,1] {"data":'
    ' %[appendix]{"version":"1.0"} %--- %[control:slider:1]{"position":[1,2]} \0 \u2028'
).split(" ")
MARK = re.compile(r"[ \t]*%\[output:[\w:]+\]")


def damaged_text(text: str, by: random.Random) -> str:
    """A text with something cut, doubled, moved, reversed or put in."""
    at = by.randrange(len(text))
    to = min(len(text), at + by.choice([1, 3, 20, 200]))
    lines = text.split("\n")
    one, other = by.randrange(len(lines)), by.randrange(len(lines))
    match by.randrange(7):
        case 0:
            return text[:at]
        case 1:
            return text[:at] + text[to:]
        case 2:
            return text[:to] + text[at:]
        case 3:
            return text[:at] + by.choice(PIECES) + text[at:]
        case 4:
            lines[one], lines[other] = lines[other], lines[one]
        case 5:
            lines.insert(one, lines[other])
        case _:
            lines[one] = lines[one][::-1]
    return "\n".join(lines)


def damaged_bytes(data: bytes, by: random.Random) -> bytes:
    """Bytes with some changed, cut or put in."""
    made = bytearray(data)
    for _ in range(by.choice([1, 2, 20])):
        at = by.randrange(len(made) or 1)
        made[at : at + by.choice([0, 1, 1, 10, 300])] = by.randbytes(by.choice([0, 1, 5]))
    return bytes(made) or b"x"


def live_text(by: random.Random) -> str:
    shipped = sorted(paths.resource("live").glob("*.m"))
    return by.choice(shipped).read_text("utf-8")


def archive(by: random.Random, folder: Path, change: Callable[[str], str] = str) -> bytes:
    """A packed ``.mlx`` file, one of whose members was changed."""
    body = paragraph("title", mlx_files.run("Title")) + paragraph(
        "text", mlx_files.run("words " * 40)
    )
    body += paragraph("code", mlx_files.run("x = 1;\ny = x\n" * 9)) + paragraph("text", "")
    mlx_files.write(folder / "plain.mlx", body)
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(folder / "plain.mlx") as found,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made,
    ):
        victim = by.choice(found.namelist())
        for name in found.namelist():
            text = found.read(name).decode()
            made.writestr(name, change(text) if name == victim else text)
    return packed.getvalue()


def damaged_file(kind: str, by: random.Random, folder: Path) -> Path:
    """A file of a kind that was damaged."""
    made = folder / f"hurt.{kind.split(maxsplit=1)[0]}"
    match kind:
        case "mlx":
            made.write_bytes(damaged_bytes(archive(by, folder), by))
        case "mlx member":
            made.write_bytes(archive(by, folder, lambda text: damaged_text(text, by)))
        case "ipynb":
            text = to_notebook(LiveDocument(live_text(by)), ())
            made.write_text(damaged_text(text, by), "utf-8", newline="")
        case _:
            text = damaged_text(damaged_text(live_text(by) + "\n", by) + "\n", by)
            made.write_text(text, "utf-8", newline="")
    return made


@pytest.mark.parametrize("kind", ["mlx", "mlx member", "ipynb", "m"])
def test_what_is_damaged_is_refused_by_name_or_read_whole(kind: str, tmp_path: Path) -> None:
    refused = unnamed = 0
    for seed in range(60):
        by = random.Random(f"{kind} {seed}")
        file = damaged_file(kind, by, tmp_path)
        try:
            text = read_script(file).text
        except UsageError as problem:
            refused += file.name in str(problem)
            unnamed += file.name not in str(problem)
            continue
        document = LiveDocument(text)
        assert "\n".join(document.lines) == document.text == text
        spanned = spanned_sections(text, document.sections())
        assert [n for a, b in spanned for n in range(a, b + 1)] == [
            n for a, b in document.sections() for n in range(a, b + 1)
        ]
        for first, last in spanned:
            section_code(text, first, last)
        assert all(part.first - 1 <= part.last for part in segments(document))
        assert stored_results(document) is not None
        body = document.lines[: document.appendix_line - 1]
        bare = document.without_outputs().lines[: len(body)]
        assert [line.rstrip() for line in bare] == [MARK.sub("", line).rstrip() for line in body]
        write_document(document, None, tmp_path / "out.html", "hurt")
    least, most = {"mlx": (20, 60), "mlx member": (5, 50), "ipynb": (5, 59), "m": (0, 0)}[kind]
    assert least <= refused <= most
    assert unnamed == 0
