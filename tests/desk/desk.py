"""A screen with a window manager, the product on it, and hands: keys and clicks of the X server."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
TOOLS = ("Xvfb", "openbox", "xdotool", "xclip")
SHIFTED = '~!@#$%^&*()_+{}|:"<>?'
PATIENCE_S = 60.0
"""A loaded machine takes its time; what never comes fails after this."""


def missing_tools() -> list[str]:
    """What of the desk's programs is not installed."""
    return [tool for tool in TOOLS if shutil.which(tool) is None]


class Screen:
    """An X server with a window manager."""

    def __init__(self, width: int = 1600, height: int = 1000) -> None:
        self.size = width, height
        read, write = os.pipe()
        shape = f"{width}x{height}x24"
        self._server = subprocess.Popen(  # where a key never repeats: each press is one of xdotool
            ["Xvfb", "-displayfd", str(write), "-screen", "0", shape, "-nolisten", "tcp", "-r"],
            pass_fds=[write],
            stderr=subprocess.DEVNULL,
        )
        os.close(write)
        with os.fdopen(read) as told:
            self.display = f":{told.readline().strip()}"
        self.environment = {
            **os.environ,
            "DISPLAY": self.display,
            "DESK_X_SERVER": str(self._server.pid),
        }
        self._manager = subprocess.Popen(
            ["openbox"], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def do(self, *words: str | int) -> str:
        """One call of xdotool."""
        command = ["xdotool", *map(str, words)]
        done = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"
        return done.stdout

    def close(self) -> None:
        """Switch it off."""
        for process in (self._manager, self._server):
            process.terminate()
            process.wait(20)


class Desk:
    """One running window on a screen."""

    def __init__(
        self,
        screen: Screen,
        folder: Path,
        words: Sequence[str] = (),
        more: Mapping[str, str] | None = None,
        *,
        first_start: bool = False,
        home: Path | None = None,
    ) -> None:
        self.screen, self.folder = screen, folder
        folder.mkdir(parents=True, exist_ok=True)
        self.home = home or folder / "home"
        if not first_start and home is None:
            (self.home / "data").mkdir(parents=True, exist_ok=True)
            (self.home / "data" / "session.json").write_text('{"schema": 2}')
        self._place = folder / "questions"
        self._noise = folder / "stderr.txt"
        environment = {
            **screen.environment,
            "QT_QPA_PLATFORM": "xcb",
            "FUSELAB_HOME": str(self.home),
            "FUSELAB_DEVICE": "cpu",
            "PYTHONPATH": str(ROOT),
            **(more or {}),
        }
        self.began = time.monotonic()
        with self._noise.open("w") as noise:
            self.process = subprocess.Popen(
                [sys.executable, str(ROOT / "tests/desk/inspected.py"), str(self._place), *words],
                env=environment,
                cwd=folder,
                stderr=noise,
            )
        self._channel = socket.socket(socket.AF_UNIX)
        self._talk: Any = None
        try:
            self.wait("window is not None and state() == 'IDLE'")
            if not self.ask("window.isActiveWindow()"):  # a manager leaves the keys where one types
                found = screen.do("search", "--onlyvisible", "--pid", self.process.pid)
                screen.do("windowactivate", "--sync", found.split()[0])
            self.wait("window.isActiveWindow()")
        except BaseException:
            self.close()
            raise

    # --- asking ---------------------------------------------------------------------------

    def ask(self, question: str) -> Any:
        """The value of an expression in the window's process (see ``inspected``)."""
        if self._talk is None:
            deadline = time.monotonic() + PATIENCE_S
            while not self._place.exists():
                assert self.process.poll() is None, self._noise.read_text()
                assert time.monotonic() < deadline, "the window did not start"
                time.sleep(0.01)
            self._channel.settimeout(PATIENCE_S)
            self._channel.connect(str(self._place))
            self._talk = self._channel.makefile("rw", encoding="utf-8")
        self._talk.write(json.dumps(question) + "\n")
        self._talk.flush()
        try:
            answer = json.loads(self._talk.readline())
        except TimeoutError:
            raise AssertionError(f"no answer: {question}\n{self.stacks()}") from None
        assert "is" in answer, answer["broke"]
        return answer["is"]

    def wait(self, question: str, seconds: float = PATIENCE_S) -> Any:
        """Wait until an expression is true, and return its value."""
        deadline = time.monotonic() + seconds
        while not (found := self.ask(question)):
            if time.monotonic() > deadline:
                raise AssertionError(f"never came: {question}\n{self.about()}")
            time.sleep(0.02)
        return found

    def about(self) -> str:
        """What the window shows, for whoever reads a failure."""
        asked = (
            "focus()",
            "state()",
            "dialogs()",
            "window.status._notice.text()",
            "output()[-600:]",
            "typed()",
        )
        return "\n".join(f"{what}: {self.ask(what)!r}" for what in asked)

    def stacks(self) -> str:
        """Where every thread of the window is."""
        self.process.send_signal(signal.SIGUSR1)
        time.sleep(1.0)
        return self._noise.read_text()

    def never(self, question: str, seconds: float = 0.4) -> None:
        """Hold that an expression stays false for a while: keys before it were all answered."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            assert not self.ask(question), f"came: {question}\n{self.about()}"
            time.sleep(0.02)

    def crashes(self) -> list[str]:
        """The crash reports that the window has written, and what it complained of."""
        reports = sorted((self.home / "data" / "crashes").glob("crash-*.txt"))
        return [path.read_text() for path in reports] + self.noise()

    def noise(self) -> list[str]:
        """Lines on standard error."""
        return [line for line in self._noise.read_text().splitlines() if line.strip()]

    # --- acting ---------------------------------------------------------------------------

    def key(self, *keys: str) -> None:
        """Press keys one after another, such as ``ctrl+c``, and wait until they have arrived."""
        self._arrive("keys", sum(key.count("+") + 1 for key in keys), "key", "--delay", 15, *keys)

    def type(self, text: str, delay_ms: int = 8) -> None:
        """Type text key by key; a line end is Return."""
        count = len(text) + sum(letter.isupper() or letter in SHIFTED for letter in text)
        self._arrive("keys", count, "type", "--delay", delay_ms, "--", text)

    def _arrive(self, what: str, count: int, *words: str | int) -> None:
        """Act by xdotool, and wait until the window has handled that many events more."""
        before = self.ask(f"arrived.{what}")
        self.screen.do(*words)
        self.wait(f"arrived.{what} >= {before + count}")

    def enter(self, text: str) -> None:
        """Type a line and press Return."""
        self.type(text)
        self.key("Return")

    def click(
        self, what: str, at: tuple[float, float] = (0.5, 0.5), button: int = 1, times: int = 1
    ) -> None:
        """Click into a widget (an expression or a name), at a part of its size."""
        left, top, width, height = self._settled_place(
            what if "(" in what or "." in what else repr(what)
        )
        self.point(left + round(width * at[0]), top + round(height * at[1]))
        self._arrive("buttons", times, "click", "--repeat", times, "--delay", 60, button)

    def _settled_place(self, widget: str) -> list[int]:
        """Where a widget is, once its window is on the screen and the window manager has put it."""
        self.wait(f"exposed({widget})")
        before, place = None, self.ask(f"place({widget})")
        while place != before:
            time.sleep(0.02)
            before, place = place, self.ask(f"place({widget})")
        return list(place)

    def point(self, x: int, y: int) -> None:
        """Move the mouse."""
        self.screen.do("mousemove", x, y)

    def to_editor(self) -> None:
        """Give the keyboard to the editor by a click."""
        self.click("editor()", (0.6, 0.5))
        self.wait("focus() == 'editor'")

    def to_prompt(self) -> None:
        """Give the keyboard to the command window: by its key where it is covered, and a click."""
        if not self.ask("in_front('command')"):
            self.key("ctrl+j")
        self.click("window.command_window.input", (0.6, 0.5))
        self.wait("focus() == 'Command'")

    def run(self, line: str) -> None:
        """Type a command at the prompt, and wait until the engine is idle again."""
        self.to_prompt()
        before = self.ask("window.run_model.run")
        self.enter(line)
        self.wait("typed() == ''")
        self.wait_for_run(before)

    def wait_for_run(self, before: int) -> None:
        """Wait until a run after the one of that number has ended."""
        ended = "window.run_model.wall_ms is not None and state() == 'IDLE'"
        self.wait(f"window.run_model.run > {before} and {ended}")

    def open(self, text: str, name: str = "script.m") -> Path:
        """A file with a text, opened in the window as a second start of the program does it."""
        file = self.folder / name
        file.write_text(text)
        self.ask(f"bool(window.take_files([Path({str(file)!r})]))")
        self.wait(f"editor() is not None and editor().name == {name!r}")
        return file

    def clipboard(self, kind: str = "UTF8_STRING") -> str:
        """What any other program would paste."""
        command = ["xclip", "-selection", "clipboard", "-o", "-t", kind]
        done = subprocess.run(
            command, env=self.screen.environment, capture_output=True, timeout=30, check=False
        )
        return done.stdout.decode("utf-8", "replace")

    def put_on_clipboard(self, text: str) -> None:
        """Copy text in another program."""
        command = ["xclip", "-selection", "clipboard", "-i"]
        subprocess.run(
            command, env=self.screen.environment, input=text.encode(), check=True, timeout=30
        )
        self.wait(f"QApplication.clipboard().text() == {text!r}")

    def reset(self, folder: Path) -> None:
        """The window as after a start, for the next scenario."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.screen.do("keyup", "ctrl", "keyup", "shift", "keyup", "alt")
        before = self.ask(f"reset({str(folder)!r})")
        self.wait_for_run(before)
        # Behind it comes the folder, for which another engine may have to start: a key pressed
        # meanwhile is refused, so a run that comes behind all of that has to end, too.
        before = self.ask("int(window.run_model.run)")
        self.ask("bool([window.bridge.post(RunText('clc', '<command>'))])")
        self.wait_for_run(before)
        self.wait("output() == '' and figures() == [] and not window.run_model.variables")

    def close(self) -> None:
        """End the process, as the window's own Quit would."""
        if self._talk is not None:
            self._talk.close()
        self._channel.close()
        self.process.terminate()
        self.process.wait(30)


def drag(desk: Desk, start: tuple[int, int], end: tuple[int, int]) -> None:
    """Press, move in small steps, and stay there."""
    desk.screen.do("mousemove", *start, "mousedown", 1)
    for step in range(1, 21):
        part = step / 20
        desk.point(*(round(a + (b - a) * part) for a, b in zip(start, end, strict=True)))
        time.sleep(0.02)
