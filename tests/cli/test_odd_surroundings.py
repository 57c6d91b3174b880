"""Streams that are closed or full, a current folder that has gone: no bug of ours."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from app.main import main

ROOT = str(Path(__file__).resolve().parents[2])
SHELL = "exec {python} -m app eval 'disp(42)' {streams}"


@pytest.mark.skipif(os.name != "posix", reason="a POSIX shell")
@pytest.mark.parametrize(
    ("streams", "codes"),
    [(">/dev/full", {1}), (">&-", {0}), ("2>&-", {0}), (">&- 2>&- <&-", {0}), ("</dev/null", {0})],
)
def test_streams_may_be_closed_or_full(streams: str, codes: set[int]) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", SHELL.format(python=sys.executable, streams=streams)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": ROOT},
    )
    assert done.returncode in codes, done.stderr
    assert "internal error" not in done.stderr
    assert "Traceback" not in done.stderr


def test_inside_an_archive_it_says_so(tmp_path: Path) -> None:
    archive = tmp_path / "fuselab.zip"
    with zipfile.ZipFile(archive, "w") as made:
        for module in (Path(ROOT) / "app").glob("*.py"):
            made.write(module, f"app/{module.name}")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "app", "eval", "disp(42)"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(archive)},
    )
    assert done.returncode == 2
    assert "is inside an archive, whose files cannot be read: install it" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a current folder cannot be removed")
def test_a_current_folder_may_have_gone(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = f"cd '{gone}' && rmdir '{gone}' && exec '{sys.executable}' -m app eval 'disp(42)'"
    done = subprocess.run(
        ["/bin/sh", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": ROOT},
    )
    assert done.returncode == 0, done.stderr
    assert "42" in done.stdout
    assert "the current folder has gone" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_file_left_open_that_cannot_be_written_is_told() -> None:
    code = "f = fopen('/dev/full', 'w'); try, fprintf(f, 'lost'), catch e, disp(e.message), end; "
    code += "g = fopen('/dev/full', 'W'); fprintf(g, 'lost'); disp(42)"
    done = subprocess.run(
        [sys.executable, "-m", "app", "eval", code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": ROOT},
    )
    assert "'/dev/full' could not be written: No space left" in done.stdout
    assert "42" in done.stdout
    assert "'/dev/full' could not be written whole: No space left" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="pipes and links of POSIX")
def test_pipes_devices_and_links_in_a_circle_are_no_scripts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "pipe.mlx")
    (tmp_path / "endless.mlx").symlink_to("/dev/zero")
    (tmp_path / "circle.m").symlink_to("circle.m")
    for name, said in (
        ("pipe.mlx", "it is a pipe or a device, no file"),
        ("endless.mlx", "it is a pipe or a device, no file"),
        ("circle.m", "there is no file"),
    ):
        file = str(tmp_path / name)
        for command in (["run", file], ["check", file], ["export", file, f"{tmp_path}/a.html"]):
            assert main(command) in {1, 2}, command
            told = "".join(capsys.readouterr())
            assert said in told, command
            assert "output could not be written" not in told


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_a_link_in_a_circle_is_no_program_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "circle.m").symlink_to("circle.m")
    monkeypatch.chdir(tmp_path)
    for code in ("circle", "x = circle(1);", "feval('circle')", "f = @circle; f()"):
        assert main(["eval", code]) == 1, code
        told = capsys.readouterr().err
        assert "Too many levels of symbolic links" in told or "its links go in circles" in told
