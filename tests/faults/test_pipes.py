"""A pipe in the place of a file that is written: nobody waits for its reader."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from app.engine.protocol import ErrorRaised, Event
from app.engine.session.session import Session
from app.settings import Settings
from app.source import SourceText

WRITERS = (
    *("dlmwrite(f, 1)", "dlmwrite(f, 1, '-append')", "csvwrite(f, 1)", 'writelines("x", f)'),
    "writelines(\"x\", f, 'WriteMode', 'append')",
    *("writematrix(1, f)", "writematrix(1, f, 'WriteMode', 'append')", "writecell({1}, f)"),
    *("writetable(table(1), f)", "x = 1; save(f, 'x', '-ascii')", "x = 1; save(f, 'x')"),
    *("x = 1; save(f, 'x', '-ascii', '-append')", "x = 1; save(f, 'x', '-v7.3')"),
    *("x = 1; save('-text', f, 'x')", "imwrite(uint8(1), f, 'png')", "imwrite(uint8(1), f, 'gif')"),
    *("writestruct(struct('a', 1), f, 'FileType', 'json')", "zip(f, f2)", "tar(f, f2)"),
    *("v = VideoWriter(f); open(v)", "dicomwrite(uint8(1), f)", "diary(f)", "nccreate(f, 'x')"),
    "writestruct(struct('a', 1), f, 'FileType', 'xml')",
    *("savefig(figure, f)", "parquetwrite(f, table(1))", "copyfile(f2, f)", "h5create(f, '/x', 1)"),
)
WHY = ("start its reader first", "it is a pipe or a device", "is a named pipe")
ENDINGS = {
    "write": ".txt",
    "v = ": ".avi",
    "audio": ".wav",
    "zip": ".zip",
    "tar": ".tar",
    "savefig": ".fig",
    "parquet": ".parquet",
    "x = 1; save(f, 'x')": ".mat",
    "x = 1; save(f, 'x', '-v7.3')": ".mat",
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
def test_writing_to_a_pipe_that_nobody_reads_says_so(tmp_path: Path) -> None:
    """Every function that writes files says what stands in the way, and leaves the pipe."""
    events: list[Event] = []
    session = Session(Settings(device="cpu"), events.append)
    (tmp_path / "other.txt").write_text("x")
    wrong = []
    for code in WRITERS:
        ending = next((e for k, e in ENDINGS.items() if code.startswith(k)), "")
        pipe = tmp_path / f"pipe{ending}"
        if not pipe.exists():
            os.mkfifo(pipe)
        held: list[int] = []

        def relieve(pipe: Path = pipe, held: list[int] = held) -> None:
            held.append(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK))

        relief = threading.Timer(30, relieve)  # whoever waits would wait for ever
        relief.start()
        events.clear()
        names = f"f = '{pipe}'; f2 = '{tmp_path / 'other.txt'}';"
        session.run_source(SourceText("<pipe>", f"{names} {code};"))
        relief.cancel()
        said = "; ".join(e.message for e in events if isinstance(e, ErrorRaised))
        if held or not pipe.is_fifo() or not any(why in said for why in WHY):
            wrong.append((code, said))
        for number in held:
            os.close(number)
    session.close()
    assert not wrong, "\n".join(map(str, wrong))
