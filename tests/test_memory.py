"""The limit of memory: asked before large values are made, with sizes in the error."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from app import memory
from app.engine.protocol import ErrorRaised, Event
from app.engine.session.session import Session
from app.errors import MatlabError
from app.settings import Settings
from app.source import SourceText

HEAPS = """
import ctypes, re, sys, tempfile, threading
from app import memory
if sys.argv[1:]:
    memory.share_heaps()
library = ctypes.CDLL(None)
library.malloc.restype = library.fopen.restype = ctypes.c_void_p
library.malloc.argtypes = [ctypes.c_size_t]
library.fopen.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
library.malloc_info.argtypes = [ctypes.c_int, ctypes.c_void_p]
library.fclose.argtypes = [ctypes.c_void_p]
together = threading.Barrier(20)
def work():
    together.wait()
    library.malloc(1000)
    together.wait()
threads = [threading.Thread(target=work) for _ in range(20)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
with tempfile.NamedTemporaryFile() as told:
    file = library.fopen(told.name.encode(), b"w")
    library.malloc_info(0, file)
    library.fclose(file)
    print(len(re.findall(b"<heap nr", told.read())))
"""
"""Tells how many heaps the C library has after threads that all lived at a time."""


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's heaps")
def test_threads_share_the_heaps_of_the_c_library() -> None:
    """Each compiler's thread had one, which it left large and nearly empty: 300 MB of 100 shaders."""
    counts = [
        int(
            subprocess.run(
                [sys.executable, "-c", HEAPS, *given], capture_output=True, check=True
            ).stdout
        )
        for given in ([], ["shared"])
    ]
    assert counts[1] <= memory.HEAPS < counts[0]


@pytest.fixture
def run() -> Iterator[object]:
    events: list[Event] = []
    settings = Settings()
    settings.memory_limit = memory.resident() + (400 << 20)
    session = Session(settings, events.append)

    def code(text: str) -> ErrorRaised | None:
        events.clear()
        session.run_source(SourceText("<test>", text))
        return next((e for e in events if isinstance(e, ErrorRaised)), None)

    yield code
    session.close()
    memory.use(0)


def test_a_full_memory_behind_a_run_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Speeds are measured then, which looks up as scripts do: it ended the program."""
    session = Session(Settings(), lambda _event: None)
    session.run_source(SourceText("<test>", "x = 1;"))
    monkeypatch.setattr(memory, "resident", lambda: 1 << 60)
    monkeypatch.setattr(session.acceleration, "due", lambda: True)
    session.poll()
    session.running = True
    with pytest.raises(MatlabError, match="Out of memory"):
        session.poll()
    session.running = False
    session.close()


@pytest.mark.parametrize(
    "text",
    [
        "s = 'a'; while true, s = [s s]; end",
        "s = 'a'; while true, s = horzcat(s, s); end",
        "x = 1; while true, x = [x; x]; end",
        "x = ones(1e5, 1e4); x(1, 1) = 2; disp(x(5))",
        "c = {}; while true, c{end + 1} = repmat('a', 1, 1e7); end",
        "x = []; x(1e5, 1e5) = 1;",
        "x = {}; x{1e10} = 1;",
        "x = cell(1e5, 1e5);",
        "x = repmat('a', 1, 1e10);",
        "x = sprintf('%10000000000d', 1);",
        'x = pad("a", 1e10);',
        "f = fopen('/dev/zero'); x = fread(f);",
        "x = sprintf('%1000000d', 1:1e5);",
        "x = rand(1e10, 2); disp(x(3))",
        "x = datetime(2020, 1, 1):seconds(1):datetime(2220, 1, 1);",
    ],
)
def test_growth_ends_in_an_error_with_its_line(run: object, text: str) -> None:
    error = run(text)  # type: ignore[operator]
    assert error is not None
    assert error.identifier in {"MATLAB:nomem", "MATLAB:array:SizeLimitExceeded"}
    assert "GB" in error.message
    assert error.frames
    assert run("clear; x = zeros(1000); y = sum(x(:));") is None  # type: ignore[operator]


def test_small_requests_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "resident", lambda: pytest.fail("it looked"))
    memory.require(memory.LARGE - 1, "a small thing")


def test_the_share_leaves_room_for_others() -> None:
    memory.use(0)
    memory.require(memory.LARGE, "a large thing")
    with pytest.raises(MatlabError, match=r"a huge thing needs \d+\.\d+ GB"):
        memory.require(memory.total(), "a huge thing")


@pytest.mark.parametrize(
    "text",
    [
        "x = strings(1, 1e8);",
        "x = cell(1, 1e8);",
        "x = repmat({1}, 1, 1e8);",
        'x = repmat("a", 1e4, 1e4);',
        "x = strings(1, 1e10);",
        "x = cell(1e5);",
        "x = string(nan(1, 1)); x(1e8) = 'a';",
    ],
)
def test_lists_of_objects_are_refused_before_any_of_their_memory_is_touched(
    run: object, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They were filled up to the limit first: three minutes on a busy machine."""
    filled: list[int] = []
    resident = memory.resident

    def seen() -> int:
        filled.append(resident())
        return filled[-1]

    monkeypatch.setattr(memory, "resident", seen)
    before = resident()
    error = run(text)  # type: ignore[operator]
    assert error.identifier in {"MATLAB:nomem", "MATLAB:array:SizeLimitExceeded"}
    assert max(filled, default=0) - before < 100 << 20


@pytest.mark.parametrize(
    "text",
    [
        "x = repmat('a', 1, 2e3);",
        "x = sprintf('%2000d', 1);",
        "x = sprintf('%*d', 2000, 1);",
        "x = pad('a', 2e3);",
        "x = [s s];",
        "x = strcat(s, s);",
        "x = strjoin({s, s}, '');",
        "x = strjoin({s, s}, {'-'});",
        "x = strjoin({'a', 'b'}, [s s]);",
        "x = strrep(s, 'a', 'bc');",
        "x = regexprep(s, 'a', 'bc');",
    ],
)
def test_no_text_is_longer_than_what_the_window_can_wait_for(
    run: object, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(memory, "MOST_LETTERS", 1000)
    monkeypatch.setattr(memory, "LARGE", 100)
    error = run(f"s = repmat('a', 1, 600); {text}")  # type: ignore[operator]
    assert error is not None
    assert error.identifier == "MATLAB:array:SizeLimitExceeded"


@pytest.mark.parametrize(
    "text",
    ["x = NaT(2e4);", "x = exprnd(1, 2e4);", "x = random(makedist('Normal'), 2e4);"],
)
def test_sizes_of_creators_are_looked_at(run: object, text: str) -> None:
    error = run(text)  # type: ignore[operator]
    assert error is not None
    assert error.identifier == "MATLAB:nomem"


def test_a_small_workbook_with_a_far_cell_is_refused(run: object, tmp_path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    book.active["XFD1048576"] = 1
    book.save(tmp_path / "a.xlsx")
    error = run(f"c = readcell('{tmp_path / 'a.xlsx'}');")  # type: ignore[operator]
    assert error is not None
    assert error.identifier == "MATLAB:nomem"
    assert "1048576x16384" in error.message


@pytest.mark.parametrize("tag", ["mergeCell", "hyperlink"])
def test_a_workbook_with_huge_ranges_is_not_filled_with_cells(
    run: object, tmp_path: Path, tag: str
) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    book.active["A1"] = 1
    book.save(tmp_path / "a.xlsx")
    ranges = f"<{tag}s><{tag} ref='A1:XFD1048576'/></{tag}s>"
    _rewrite(tmp_path / "a.xlsx", "xl/worksheets/sheet1.xml", "</sheetData>", ranges)
    error = run(f"writematrix(1, '{tmp_path / 'a.xlsx'}', 'Sheet', 2);")  # type: ignore[operator]
    assert error is not None
    assert error.identifier == "MATLAB:nomem"
    assert run(f"x = readmatrix('{tmp_path / 'a.xlsx'}'); assert(x == 1)") is None  # type: ignore[operator]


def test_a_format_of_numbers_is_not_searched_for_minutes(run: object, tmp_path: Path) -> None:
    """The library took the square of its length, and nobody else ran."""
    import openpyxl

    book = openpyxl.Workbook()
    book.active["A1"] = 1
    book.active["A1"].number_format = "[" * 500_000
    book.save(tmp_path / "a.xlsx")
    for code in ("readmatrix('{}');", "writematrix(1, '{}', 'Sheet', 2);", "sheetnames('{}');"):
        error = run(code.format(tmp_path / "a.xlsx"))  # type: ignore[operator]
        assert error is not None
        assert "formats of numbers" in error.message


def _rewrite(path: Path, part: str, behind: str, added: str) -> None:
    """Put a text into a part of a workbook."""
    with ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts[part] = parts[part].decode().replace(behind, behind + added).encode()
    with ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def test_copies_of_files_count_as_free_in_a_container(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "memory.max").write_text(f"{1 << 30}\n")
    (tmp_path / "memory.current").write_text(f"{1 << 30}\n")
    (tmp_path / "memory.stat").write_text(f"anon 5\ninactive_file {3 << 28}\nactive_file 7\n")
    monkeypatch.setattr(memory, "_GROUP", tmp_path)
    assert memory._free() == 3 << 28
