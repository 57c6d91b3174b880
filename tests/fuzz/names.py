"""Every function that takes the name of a file, called with names that no file should have.

Links that lead to themselves, to nothing, to a device or out of the folder; pipes; names too long,
with zeros, halves of characters and patterns in them; folders where files are meant and files where
folders are. What must not happen is said in `tests.fuzz.calls`; besides, nobody waits longer than
`Runs` allows.

``python -m tests.fuzz.names [SECONDS] [SEED]`` goes on for so long.
"""

from __future__ import annotations

import os
import random
import sys
from contextlib import suppress
from pathlib import Path

from app import restricted
from app.engine.declarations import registry
from tests.fuzz.calls import Campaign, campaign

CATEGORIES = frozenset(
    {
        "files",
        "tables",
        "images",
        "sound",
        "programs",
        "text input",
        "text output",
        "session",
        "web",
        "system",
        "windows",
        "graphics",
        "strings",
        "containers",
        "Python",
        "evaluation",
    }
)
LIBRARY = Path(__file__).parents[2] / "resources" / "library"
SKIPPED = frozenset(
    "input keyboard pause quit exit uiwait waitfor waitforbuttonpress uigetfile uiputfile sound "
    "soundsc beep parpool batch parcluster more system dbcont dbquit run_python recycle".split()
)
"""Those that wait for people, or start what takes long."""
ANEW = 60
"""Calls for which the files stay."""
NAMES = (
    *("loop", "loop.m", "dangling.csv", "zero.png", "zero.m", "zero.mat", "pipe.txt", "pipe.m"),
    *("folder", "folder.mat", "folder/", "file.txt/below", "file.txt/", ".", "..", "/", "//", "~"),
    *("~nobody/x", "-", "--help", "%s%n", "*", "?", "[", "[a-", "**/*", "{a,b}", " ", "a b.csv"),
    *(
        "a\\nb.txt",
        "a:b",
        "C:\\\\x.mat",
        "\\\\\\\\server\\\\share",
        "file:///etc/hostname",
        "x.",
        ".x",
    ),
    *("http://127.0.0.1:9/a.csv", "data:text/plain,a", "empty.mat", "empty.xlsx", "empty.png"),
    *("empty.csv", "empty.h5", "empty.json", "empty.xml", "empty.wav", "file.txt", "none.mat"),
    *("/proc/self/mem", "/proc/self/environ", "/dev/tty", "/dev/full", "/dev/fd/0", "/sys/kernel"),
)
ODD = (
    *("repmat('a', 1, 300)", "repmat('a', 1, 5000)", "repmat('a/', 1, 3000)", "['a' 0 'b']"),
    *("char(55357)", "char([55357 47 56832])", "''", '""', "string(missing)", '["a" "b"]', "{}"),
    *("{'file.txt'}", "{'file.txt', 'none'}", "[104 105]", "1e10", "-1", "NaN", "struct('a', 1)"),
    *("dir('folder')", "repmat('../', 1, 50)", "char(8238)", "char(27)", "'file.txt' + 0", "gcf"),
)
FORMS = (
    *("F(#);", "x = F(#);", "F(#, 1);", "F(1, #);", "F(#, #);", "F('x', #);", "x = F(#, 'x');"),
    *("[x, y] = F(#);", "x = F('file.txt', #);", "F(#, 'file.txt');", "F('-append', #);"),
    *("F('x', 'x', #);", "x = F(table(1), #);", "F(zeros(3), #);", "F(gcf, #);", "F(@sin, #);"),
)


def make_files(folder: Path) -> None:
    """The files that names are about."""
    for kind in ("mat", "xlsx", "png", "csv", "h5", "json", "xml", "wav"):
        (folder / f"empty.{kind}").touch()
    (folder / "file.txt").write_text("a,b\n1,2\n", encoding="utf-8")
    for link in ("loop", "loop.m", "loop.mat", "loop.csv"):
        (folder / link).symlink_to(link)
    (folder / "dangling.csv").symlink_to("nothing")
    for link in ("zero.png", "zero.m", "zero.mat", "zero.csv"):
        (folder / link).symlink_to("/dev/zero")
    for made in ("folder", "folder.mat"):
        (folder / made).mkdir()
    for pipe in ("pipe.txt", "pipe.m"):
        os.mkfifo(folder / pipe)
    with suppress(OSError):
        (folder / "a\nb.txt").touch()


class Names(Campaign):
    """A call each, in a folder of such files, which is made anew now and then."""

    def __init__(self) -> None:
        super().__init__()
        made = registry.load_all().values()
        known = [b.name for b in made if b.category in CATEGORIES]
        written = [path.stem for path in LIBRARY.glob("*.m")]
        self.functions = sorted({*known, *written} - SKIPPED)
        self.calls = 0

    def code(self, choose: random.Random) -> str:
        """A function and a name."""
        if self.calls % ANEW == 0:
            place = restricted.temporary_folder() / f"names-{self.calls}"
            place.mkdir()
            make_files(place)
            os.chdir(place)
        self.calls += 1
        name = f"'{choose.choice(NAMES)}'" if choose.randrange(3) else choose.choice(ODD)
        name = f"sprintf({name})" if "\\" in name else name
        form = choose.choice(FORMS).replace("#", name)
        return form.replace("F(", f"{choose.choice(self.functions)}(")


if __name__ == "__main__":
    sys.exit(campaign("names", Names(), sys.argv[1:]))
