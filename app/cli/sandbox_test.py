"""``fuselab sandbox-test``: tries to get out of a restricted run, and says what held.

Every attempt has its own file outside that it is to read, change or remove. The attempts of the
language run as a script would, with the calls that are refused by name; the attempts at the system
run as if these refusals had been got round, so that only the system's own protection is left.
"""

from __future__ import annotations

import os
import socket
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import chdir, suppress
from pathlib import Path

from app.cli import sandbox_attempts
from app.cli.command_line import Options
from app.cli.sandbox_attempts import SECRET, Attempt
from app.cli.sandbox_calls import CHANGED, POST
from app.cli.sandbox_surroundings import KEPT, take_a_terminal
from app.records import record

TRIED = "<all tried>"
"""What each of the two processes says at its end."""


@record
class Area:
    """Where the test takes place.

    Attributes:
        inside: the folder of the script, which it may read.
        temporary: where attempts that get out leave what they would run.
        outside: a folder with one folder for each attempt.
        port: where connections are waited for.
    """

    inside: Path
    temporary: Path
    outside: Path
    port: int


def do_sandbox_test(options: Options) -> int:
    """Try everything; 0 when nothing got out."""
    if not hasattr(os, "fork"):
        sys.stdout.write("not protected: this system has no sandbox that we use\n")
        return 1
    with (
        tempfile.TemporaryDirectory(prefix="fuselab-sandbox-test-") as folder,
        _Listener(folder) as ear,
    ):
        inside, temporary, outside = (Path(folder, n) for n in ("inside", "temporary", "outside"))
        area = Area(inside, temporary, outside, ear.port)
        attempts = sandbox_attempts.every(area.outside, area.port)
        _prepare(area, attempts)
        script = [a for a in attempts if a.code]
        output = _in_child(lambda: _run_script(area, script))
        output += _in_child(lambda: _run_calls(area, [a for a in attempts if a.call]))
        escaped = [a for a in attempts if _got_out(area, a, output)]
        ear.count()
        if ear.visits:
            escaped.append(Attempt("network", f"{ear.visits} connections or messages arrived"))
        protected = "<protected>" in output
        if output.count(TRIED) < 2:
            escaped.append(Attempt("system", "an attempt ended the test"))
    _print_report(attempts, escaped, protected, quiet=options.quiet)
    return 0 if protected and not escaped else 1


def _prepare(area: Area, attempts: list[Attempt]) -> None:
    area.inside.mkdir()
    area.temporary.mkdir()
    for attempt in attempts:
        place = area.outside / attempt.label
        place.mkdir(parents=True)
        (place / KEPT).write_text(_secret(attempt), encoding="ascii")
        (place / "empty").mkdir()
        (area.inside / f"link_{attempt.label}").symlink_to(place)


def _secret(attempt: Attempt) -> str:
    """The content of a file outside; none begins another's."""
    return f"{SECRET}{attempt.label}."


def _got_out(area: Area, attempt: Attempt, output: str) -> bool:
    """Whether an attempt has read or changed anything outside."""
    place = area.outside / attempt.label
    wanted = {KEPT, "empty"}
    found = {entry.name for entry in place.iterdir()} if place.is_dir() else set()
    if found != wanted:
        return True
    state = (place / KEPT).stat()
    same = (place / KEPT).read_text(encoding="ascii", errors="replace") == _secret(attempt)
    touched = state.st_mtime == CHANGED or state.st_mode & 0o777 == CHANGED & 0o777
    read = _secret(attempt) in output
    return not same or touched or read or f"<escaped {attempt.label}>" in output


def _in_child(work: Callable[[], None]) -> str:
    """What work prints in a process of its own."""
    source, sink = os.pipe()
    sys.stdout.flush()
    if not os.fork():
        status = 1
        try:
            os.close(source)
            os.dup2(sink, 1)
            os.dup2(sink, 2)
            sys.stdout = os.fdopen(1, "w", closefd=False)  # the old one may know it as a file
            work()
            sys.stdout.write(f"{TRIED}\n")
            status = 0
        finally:
            sys.stdout.flush()
            os._exit(status)
    os.close(sink)
    with os.fdopen(source, "rb") as wire:
        text = wire.read().decode(errors="replace")
    os.wait()
    return text


def _run_script(area: Area, attempts: list[Attempt]) -> None:
    from app.cli import headless

    lines = []
    for attempt in attempts:
        quoted = attempt.code.replace("'", "''")
        lines.append(f"try, t = evalc('{quoted}'); disp(t), catch e, disp(e.message), end")
        lines.append("cd(here); diary off; fclose all;")
        for beginning in ("LANG", "TERM", "VK"):
            os.environ[f"{beginning}_{attempt.label}"] = _secret(attempt)
    path = area.inside / "attempts.m"
    path.write_text("here = pwd;\n" + "\n".join(lines) + "\n", encoding="utf-8")
    os.chdir(area.inside)
    os.environ["TMPDIR"] = tempfile.tempdir = str(area.temporary)
    given = Options("run", (str(path),), (), restricted=True)
    headless.execute(given, lambda session: session.run_file(path, ()), area.inside)


def _run_calls(area: Area, attempts: list[Attempt]) -> None:
    from app import sandbox

    for attempt in attempts:  # as whoever starts us may leave files open
        os.set_inheritable(os.open(area.outside / attempt.label / KEPT, os.O_RDWR), True)
    with suppress(OSError):  # a system without terminals
        take_a_terminal()
    protection = sandbox.enter([area.inside], area.temporary)
    if protection.programs:
        sandbox.forbid_processes()
    sys.stdout.write(f"{protection}\n{'' if protection.missing else '<protected>'}\n")
    for attempt in attempts if not protection.missing else ():
        try:
            found = attempt.call(area.outside / attempt.label) if attempt.call else None
        except (OSError, ValueError) as problem:
            sys.stdout.write(f"{attempt.name}: {problem}\n")
        else:
            sys.stdout.write(f"{found}\n<escaped {attempt.label}>\n")


class _Listener:
    """Counts the connections to a port of this machine, and the messages to a name in a folder."""

    def __init__(self, folder: str) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._post = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        with chdir(folder):  # an address is 108 bytes at most
            self._post.bind(POST)
        self.port: int = self._socket.getsockname()[1]
        self.visits = 0

    def __enter__(self) -> _Listener:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
        self._post.close()

    def count(self) -> None:
        """Take whoever waits, and what has come."""
        self._count_of(self._socket, self._socket.accept)
        self._count_of(self._post, lambda: self._post.recv(9))

    def _count_of(self, waiting: socket.socket, take: Callable[[], object]) -> None:
        waiting.settimeout(0.0)
        with suppress(OSError):
            while True:
                take()
                self.visits += 1


def _print_report(
    attempts: list[Attempt], escaped: list[Attempt], protected: bool, quiet: bool
) -> None:
    tried, out = Counter(a.kind for a in attempts), Counter(a.kind for a in escaped)
    lines = [] if protected else ["not protected: calls are refused by name only"]
    if not quiet:
        lines += [f"{kind:<10} {n:>4} tried, {n - out[kind]:>4} held" for kind, n in tried.items()]
    lines += [f"got out: {attempt.kind}: {attempt.name}" for attempt in escaped]
    lines.append(f"{len(attempts)} attempts, {len(escaped)} got out")
    sys.stdout.write("\n".join(lines) + "\n")
