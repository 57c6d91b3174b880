"""A sample of the campaigns for every run of the tests; see the modules for the rest."""

from __future__ import annotations

import errno
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app import cachefile, paths
from app.engine.session.session import Session
from app.settings import Settings
from app.source import SourceText
from tests.faults.device_campaign import BODIES, Case, DeviceCampaign
from tests.faults.device_campaign import cases as device_cases
from tests.faults.file_campaign import WORKERS, WRITERS, FileCampaign
from tests.faults.file_faults import FULL, READ_ONLY, Faults

KILLED = """
import os, sys
from pathlib import Path
from app import cachefile, paths
from app.textfile import TextFile
from app.ui.editor import file_writing
from tests.faults.file_faults import KILL, Faults

folder = Path(sys.argv[1])
WAYS = {
    "text": lambda path, body: file_writing.write(path, TextFile(body, "utf-8", "\\n")),
    "private": lambda path, body: paths.write_private(path, body.encode()),
    "cache": lambda path, body: cachefile.write(path, body.encode()),
}
for name, write in WAYS.items():
    path, faults, deaths = folder / name, Faults(), 0
    write(path, "old" * 99)
    before = path.read_bytes()
    write(path, "new" * 99)
    after = path.read_bytes()
    for n in range(1, 50):
        path.write_bytes(before)
        child = os.fork()
        if not child:
            with faults.installed():
                faults.arm(n, KILL)
                write(path, "new" * 99)
            os._exit(0)
        killed = os.waitpid(child, 0)[1] == 9
        deaths += killed
        assert path.read_bytes() in ({before, after} if killed else {after}), (name, n)
        if not killed:
            break
    assert deaths > 2, name
"""


@pytest.fixture
def warned(caplog: pytest.LogCaptureFixture) -> None:
    """Faults are told in the log."""
    caplog.expected = True  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def devices() -> Iterator[DeviceCampaign]:
    campaign = DeviceCampaign()
    yield campaign
    campaign.close()


@pytest.mark.parametrize("kind", ["allocation", "mapping", "submission", "compilation", "loss"])
@pytest.mark.usefixtures("warned")
def test_a_device_that_fails_changes_no_answer(devices: DeviceCampaign, kind: str) -> None:
    case = Case(BODIES.index("y = sum(sin(v) + v.^2);"), 2000, kind, lasting=False)
    found = list(devices.findings(case, most=4))
    assert not found, "\n".join(found)
    assert devices.runs > 2, "nothing was tried"


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.usefixtures("warned")
def test_programs_on_a_device_that_fails(devices: DeviceCampaign, seed: int) -> None:
    some = device_cases(seed)
    found = [finding for _ in range(40) for finding in devices.findings(next(some))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("code", [WORKERS[1], *WRITERS[:5], WRITERS[7]])
@pytest.mark.parametrize("error", [FULL, READ_ONLY])
@pytest.mark.usefixtures("warned")
def test_a_disk_that_fails_is_an_error_and_no_bug(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, error: int
) -> None:
    monkeypatch.chdir(tmp_path)
    found = list(FileCampaign(tmp_path, monkeypatch.setenv).findings(code, error, lasting=True))
    assert not found, "\n".join(found)


REPLACED = {
    "a.csv": "writematrix(magic(4), 'a.csv');",
    "a.txt": "dlmwrite('a.txt', magic(3));",
    "b.txt": 'writelines(["a" "b"], \'b.txt\');',
    "a.xml": "writestruct(struct('a', 1), 'a.xml');",
    "a.json": "writestruct(struct('a', 1), 'a.json');",
    "a.png": "imwrite(uint8(magic(8)), 'a.png');",
    "a.gif": "imwrite(uint8(magic(8)), 'a.gif');",
    "a.wav": "audiowrite('a.wav', zeros(20, 1), 8000);",
    "a.zip": "zip('a.zip', 'seed');",
    "a.tar": "tar('a.tar', 'seed');",
    "seed.gz": "gzip('seed');",
    "b.html": "websave('b.html', ['file://' pwd '/seed']);",
    "a.fig": "plot(1:3); savefig('a.fig');",
    "a.mat": "x = 1; save('a.mat', 'x');",
}
"""Files that a program replaces."""


@pytest.fixture(scope="module")
def faults() -> Faults:
    """One for all: modules that are imported while it counts keep its way to open files."""
    return Faults()


@pytest.mark.parametrize("name", REPLACED)
@pytest.mark.usefixtures("warned")
def test_a_writer_that_fails_leaves_the_file_there_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, faults: Faults, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    failures = 0
    session = Session(Settings(), lambda _event: None)
    Path("seed").write_bytes(b"seed" * 40)
    for n in range(1, 60):
        Path(name).write_bytes(b"old")
        with faults.installed():
            faults.arm(n, errno.ENOSPC, lasting=False)
            session.run_source(SourceText("<fault>", REPLACED[name]))
        if not faults.happened:
            break
        if session.last_status == "error":
            failures += 1
            assert Path(name).read_bytes() == b"old", f"call {n}"
        assert not list(tmp_path.glob(".*.part*")), f"call {n}"
    session.close()
    faults.arm(0, errno.ENOSPC)
    assert failures, "nothing was tried"
    assert Path(name).read_bytes() != b"old"


def test_a_file_is_the_old_one_or_the_new_one_whenever_the_program_is_killed(
    tmp_path: Path,
) -> None:
    if sys.platform == "win32":
        pytest.skip("a process is killed otherwise there")
    top = str(Path(__file__).resolve().parents[2])
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=top,
    )
    assert done.returncode == 0, done.stderr


def test_settings_that_cannot_be_written_leave_the_old_ones_and_nothing_else() -> None:
    settings, faults = Settings(), Faults()
    settings.set("theme", "light")
    place = settings.save()
    before = place.read_bytes()
    settings.set("theme", "dark")
    with faults.installed():
        for n in range(1, 20):
            faults.arm(0, errno.ENOSPC)
            place.write_bytes(before)
            faults.arm(n, errno.ENOSPC, lasting=False)
            try:
                settings.save()
            except OSError:
                assert place.read_bytes() == before
                assert [p.name for p in place.parent.iterdir()] == [place.name]
            if not faults.happened:
                break
    assert b"dark" in place.read_bytes()


@pytest.mark.usefixtures("warned")
def test_a_cache_that_cannot_be_written_is_told_and_not_there(
    caplog: pytest.LogCaptureFixture,
) -> None:
    faults, place = Faults(), paths.cache_dir() / "plans" / "one"
    with faults.installed():
        for n in range(1, 20):
            faults.arm(n, errno.EIO)
            cachefile.write(place, b"body")
            if not faults.happened:
                break
            assert cachefile.read(place) is None
    assert cachefile.read(place) == b"body"
    assert "cannot be written" in caplog.text
