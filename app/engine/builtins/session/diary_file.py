"""What a session prints, kept in a file too: diary."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from app import paths
from app.engine.declarations.device_support import SESSION
from app.engine.declarations.registry import builtin
from app.engine.values import Value, text_of
from app.errors import MatlabError, reason_of

if TYPE_CHECKING:
    from io import FileIO

    from app.engine.interpreter.context import Context
    from app.engine.interpreter.session_host import Host

_FAMILY = "session"
_NAME = "diary.file"


class Diary:
    """A host that also writes what it prints into a file.

    Attributes:
        host: the one that was there before.
        stream: the open file, which keeps nothing back; closed once it could not be written.
    """

    def __init__(self, host: Host, stream: FileIO) -> None:
        self.host = host
        self.stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self.host, name)

    def write(self, text: str) -> None:
        """Print, and note it."""
        self.host.write(text)
        self.note(text)

    def write_error(self, text: str, stream: str = "err") -> None:
        """Print an error or a warning, and note it."""
        self.host.write_error(text, stream)
        self.note(text)

    def read_line(self, prompt: str, *, any_key: bool = False) -> str:
        """Ask for a line, and note the question with its answer."""
        answer = self.host.read_line(prompt, any_key=any_key)
        self.note("" if any_key else f"{prompt}{answer}\n")
        return answer

    def note(self, text: str) -> None:
        """Write it into the file alone; a diary that cannot be written says so, and ends."""
        left = b"" if self.stream.closed else text.encode(errors="replace")  # halves of characters
        try:
            while left:
                left = left[self.stream.write(left) :]
        except OSError as problem:
            self.stream.close()
            why = f"could not be written and ends here: {reason_of(problem)}"
            self.host.write_error(f"The diary '{self.stream.name}' {why}.\n")


def note(host: Host, text: str) -> None:
    """Keep what is seen in the command window and not printed by the host: commands and errors."""
    if isinstance(host, Diary):
        host.note(text)


@builtin(
    "diary",
    category=_FAMILY,
    device=SESSION,
    signatures=("diary(file)", "diary on", "diary off", "diary"),
    cases=("diary('log.txt'); disp('seen'); diary off; contains(fileread('log.txt'), 'seen')",),
    see=("evalc", "fopen"),
)
def diary(ctx: Context, word: Value = "") -> None:
    """Keep in a file what is typed and printed from now on, until ``diary off``; text is added at
    its end."""
    interpreter, text = ctx.interpreter, text_of(word)
    running = interpreter.host
    if isinstance(running, Diary):
        running.stream.close()
        interpreter.host = running.host
    if text == "off" or (not text and isinstance(running, Diary)):
        return
    if text not in ("", "on"):
        ctx.state[_NAME] = text
    path = Path(ctx.state.get(_NAME, "diary")).expanduser()
    try:
        if path.exists():
            paths.check_file(path)
        stream = path.open("ab", buffering=0)
        interpreter.host = cast("Host", Diary(interpreter.host, stream))
    except OSError as problem:
        text = f"The diary '{path}' could not be opened: {reason_of(problem)}."
        raise MatlabError("MATLAB:diary:cannotOpen", text) from problem
