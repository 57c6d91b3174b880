"""A seeded random user: keys, clicks and runs, until the time is over or something breaks.

``python -m tests.desk.monkey [SECONDS [SEED]]`` goes on for ten minutes, on a screen, with a scale, a
theme and a layout that follow from the seed. What it holds to: no crash report and no complaint on
standard error, no stop of the window for longer than ``FREEZE_S`` that a busy machine does not
explain, and every line that was typed stands in the buffer as it was typed.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.desk.desk import ROOT, Desk, Screen
from tests.support.desk_keys import x_keys

FREEZE_S = 0.5
LINES = 400
COMMANDS = (
    "x = linspace(0, 1, 50); y = x.^2 + 0.5;",
    "plot(rand(20, 3)); legend('a', 'b', 'c'); title('three')",
    "figure(2); imagesc(peaks(40)); colorbar",
    "surf(peaks(25))",
    "close all",
    "s.a = 1; s.b = {1, 'two'}; t = table([1; 2], ['a'; 'b']);",
    "d = datetime(2024, 1, 1:5); c = categorical({'x', 'y', 'x'});",
    "error('it went wrong')",
    "undefined_thing + 1",
    "for k = 1:5, fprintf('%d\\n', k); end",
    "A = rand(300); B = A*A'; disp(trace(B) > 0)",
    "openvar x",
    "h = waitbar(0.2, 'soon'); waitbar(0.9, h); delete(h)",
    "doc sin",
    "edit",
    "whos",
    "clear x",
    "clc",
    "hold on; plot(1:5); hold off; grid on",
    "while true, end",
    "close(1); figure(1); plot(sin(1:100)); zoom on",
    "figure('WindowStyle', 'normal'); plot(1:3)",
    "for k = 1:40, plot(rand(1, 30)); drawnow; end",
    "x = input('a number: ');",
    "a = questdlg('Go on?');",
    "msgbox('Done');",
    "d = uiprogressdlg(uifigure, 'Value', 0.4);",
    "keyboard",
    "dbstop if error; error('stops here'); dbclear all",
    "cd ..",
    "save monkey.mat; clear; load monkey.mat",
    "A = rand(2e3, 500); imagesc(A)",
    "fprintf('%d ', 1:2e4)",
)
LIVE = sorted((ROOT / "resources" / "live").glob("*.m"))
AVOIDED = {"file.quit", "file.print", "file.close"}
"""What ends the window or opens another program's dialog, and what takes typed text away."""
AREAS = (
    "window.editors",
    "window.command_window",
    "window.panel('workspace')",
    "window.panel('files')",
    "window.docks.areas['bottom']",
    "window.docks.areas['right2']",
    "window.docks.areas['left2']",
    "window.tool_bar.layout_switch",
    "window.statusBar()",
)
KEYS = ("Up", "Down", "Left", "Right", "Prior", "Next", "Home", "End", "Tab", "Escape", "Return")


class Monkey:
    """Does one random thing after another, and knows what it did."""

    def __init__(self, desk: Desk, seed: int, freeze_s: float = FREEZE_S) -> None:
        self.desk = desk
        self.freeze_s = freeze_s
        self.chance = random.Random(seed)
        self.done: list[str] = []
        self.freezes: list[str] = []
        texts = [p.read_text() for p in sorted((ROOT / "resources" / "examples").glob("*.m"))]
        lines = {line.strip() for text in texts for line in text.split("\n")}
        self.lines = sorted(line for line in lines if line.isascii() and 3 < len(line) < 60)
        every = desk.ask("shortcuts()")
        self.shortcuts = {n: keys for n, (keys, _) in every.items() if n not in AVOIDED}
        self.actions: tuple[tuple[Callable[[], str], int], ...] = (
            (self.type_line, 6),
            (self.press_shortcut, 5),
            (self.click_somewhere, 5),
            (self.press_keys, 3),
            (self.run_command, 5),
            (self.run_file, 1),
            (self.open_document, 1),
            (self.stop_in_a_loop, 1),
        )

    def go(self, seconds: float) -> int:
        """Act for so long; the number of things done."""
        end = time.monotonic() + seconds
        kinds, weights = zip(*self.actions, strict=True)
        self.desk.ask("heart.start()")
        while time.monotonic() < end:
            (act,) = self.chance.choices(kinds, weights)
            self.done.append(act.__name__)
            self.done[-1] += f" {act()}"
            self.check()
        assert not self.freezes, "\n\n".join(self.freezes)
        return len(self.done)

    def check(self) -> None:
        """Nothing broke, nothing stood still; no dialog is left over."""
        desk = self.desk
        assert desk.process.poll() is None, self.story("the window is gone")
        assert not desk.crashes(), self.story("\n".join(desk.crashes()))
        longest, where = desk.ask("(heart.longest, heart.where)")
        if longest > self.freeze_s:
            self.freezes.append(self.story(f"stood still for {longest:.2f} s\n{where}", 3))
            desk.ask("heart.start()")
        self.leave_dialogs()

    def leave_dialogs(self) -> None:
        """Escape from what is in the way."""
        for _ in range(4):
            if not self.desk.ask(
                "QApplication.activeModalWidget() is not None or "
                "QApplication.activePopupWidget() is not None"
            ):
                return
            self.desk.screen.do("key", "Escape")
            time.sleep(0.1)

    def story(self, what: str, last: int = 12) -> str:
        """What happened before."""
        return f"{what}\nafter:\n" + "\n".join(self.done[-last:])

    # --- what it does ---------------------------------------------------------------------

    def type_line(self) -> str:
        """Type a line into a new script: it stands there as it was typed."""
        desk, line = self.desk, self.chance.choice(self.lines)
        if desk.ask("len(window.editors.editors())") > 6:
            desk.ask(
                "[(e.setSavePoint(), window.editors.close_tab(0)) "
                "for e in window.editors.editors()] and None"
            )
        desk.ask("bool([window.editors.new()])")
        desk.wait("editor() is not None and editor().text() == ''")
        desk.ask("bool([window.activateWindow(), editor().setFocus()])")
        desk.wait("focus() == 'editor'")
        desk.type(f"{line}\n", delay_ms=self.chance.choice((4, 15, 60)))
        found = desk.ask("editor().text()").split("\n")[0]
        assert found == line, self.story(f"typed {line!r}, found {found!r}")
        return line

    def press_shortcut(self) -> str:
        """Press the keys of some command, wherever the keyboard is."""
        name = self.chance.choice(sorted(self.shortcuts))
        for key in x_keys(self.shortcuts[name]):
            self.desk.screen.do("key", key)
        self.pause()
        return name

    def click_somewhere(self) -> str:
        """Click into a part of the window: mostly left and once, sometimes not.

        Never on a dialog's frame: that opens a menu of the window manager, which keeps all keys.
        """
        area = self.chance.choice(AREAS)
        if not self.desk.ask(f"{area}.isVisible()"):
            return "nothing"
        left, top, width, height = self.desk.ask(f"place({area})")
        x, y = self.chance.randrange(width or 1), self.chance.randrange(height or 1)
        button = self.chance.choices((1, 3), (9, 1))[0]
        if not self.desk.ask(f"is_on_top({left + x}, {top + y})"):
            return f"{area} under another window"
        self.desk.point(left + x, top + y)
        self.desk.screen.do("click", "--repeat", self.chance.choice((1, 1, 2)), button)
        self.pause()
        return f"{area} at {x}, {y}, button {button}"

    def press_keys(self) -> str:
        """Press a few keys that move, close or confirm."""
        keys = self.chance.choices(KEYS, k=self.chance.randrange(1, 6))
        self.desk.screen.do("key", "--delay", 15, *keys)
        self.pause()
        return " ".join(keys)

    def run_command(self) -> str:
        """Run something at the prompt, and stop what does not end."""
        desk, line = self.desk, self.chance.choice(COMMANDS)
        self.leave_dialogs()
        if desk.ask("state()") != "IDLE":
            self.stop()
        desk.ask("bool([window.activateWindow(), window.command_window.input.put('')])")
        desk.wait("window.isActiveWindow()")
        self.go_to_prompt()
        desk.enter(line)
        if line.startswith(("while", "x = input", "a = quest", "keyboard", "dbstop")):
            desk.wait("state() != 'IDLE'")
            self.stop()
        return line

    def go_to_prompt(self) -> None:
        """Press its key; a script told to run or to pause just before may come to the front yet."""
        for _ in range(3):
            self.desk.screen.do("key", "ctrl+j")
            try:
                self.desk.wait("focus() == 'Command'", 10)
            except AssertionError:
                self.stop()
                continue
            return
        raise AssertionError(self.story(f"no way to the prompt\n{self.desk.about()}"))

    def open_document(self) -> str:
        """Open a live document; sometimes run it."""
        desk, chosen = self.desk, self.chance.choice(LIVE)
        copy = desk.folder / chosen.name
        copy.write_bytes(chosen.read_bytes())
        desk.ask(f"bool(window.take_files([Path({str(copy)!r})]))")
        if self.chance.random() < 0.5:
            self.run_file()
        return chosen.name

    def stop_in_a_loop(self) -> str:
        """Stop at a breakpoint, step a little, and stay there."""
        desk = self.desk
        self.leave_dialogs()
        if desk.ask("state()") != "IDLE":
            self.stop()
        text = "for k = 1:100\n    y = k^2;\n    z = y + 1;\nend\n"
        desk.open(text, f"loop{len(self.done)}.m")
        desk.ask("bool([editor().setFocus(), editor().go_to(3)])")
        for key in ("F12", "F5", "F10"):
            self.press_and_settle(key)
        return text.split("\n", maxsplit=1)[0]

    def run_file(self) -> str:
        """Press F5 on whatever is in front."""
        self.press_and_settle("F5")
        return "F5"

    def press_and_settle(self, key: str) -> None:
        """Where a script stops comes to the front, and would do so over what is done next."""
        self.desk.screen.do("key", key)
        time.sleep(0.5)

    def stop(self) -> None:
        """Stop what runs, as often as it takes: a paused script pauses again."""
        for _ in range(20):
            self.desk.ask("bool([window.commands.run('run.stop')])")
            try:
                self.desk.wait("state() == 'IDLE'", 3)
            except AssertionError:
                continue
            return
        raise AssertionError(self.story(f"does not stop\n{self.desk.about()}"))

    def pause(self) -> None:
        """Let the window answer."""
        self.desk.ask("True")


def main(seconds: float, seed: int) -> None:
    """A campaign of its own screen and window."""
    chance = random.Random(seed)
    size, scale = chance.choice(
        (((1600, 1000), 1), ((1024, 700), 1), ((1366, 768), 1), ((2400, 1500), 2))
    )
    more = {"FUSELAB_THEME": chance.choice(("dark", "light")), "QT_SCALE_FACTOR": str(scale)}
    layout = chance.choice(("classic", "gpu", "debug", "focus"))
    screen = Screen(*size)
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(screen, Path(folder), more=more)
        try:
            print(f"seed {seed}: {size}, {more}, {layout}", flush=True)
            desk.ask(f"bool([window.use_layout({layout!r})])")
            monkey = Monkey(desk, seed)
            try:
                print(f"{monkey.go(seconds)} things done, nothing broke")
            except AssertionError:
                print(monkey.story("broke", 20), desk.stacks(), sep="\n", flush=True)
                raise
        finally:
            desk.close()
            screen.close()


if __name__ == "__main__":
    words = sys.argv[1:]
    main(float(words[0]) if words else 600.0, int(words[1]) if len(words) > 1 else 1)
