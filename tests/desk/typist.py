"""``python -m tests.desk.typist``: 200 lines of the examples, key by key, at a person's speed.

It takes about eight minutes; ``test_programs_come_out_as_typed`` types the same lines faster.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.desk.desk import Desk, Screen
from tests.support.desk_keys import EXAMPLES, lines_as_typed, new_script

LINES, AT_ONCE = 200, 25
PER_KEY_MS = 66


def main() -> None:
    """Type, and compare the buffer with what was typed."""
    lines = [line for file in EXAMPLES for line in lines_as_typed(file, LINES)][:LINES]
    assert len(lines) == LINES
    screen = Screen()
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(screen, Path(folder))
        for first in range(0, LINES, AT_ONCE):
            part = lines[first : first + AT_ONCE]
            new_script(desk)
            desk.type("\n".join(part), delay_ms=PER_KEY_MS)
            found = [line.strip() for line in desk.ask("editor().text()").split("\n")]
            assert found == part, [
                pair for pair in zip(found, part, strict=False) if pair[0] != pair[1]
            ]
            print(f"{first + len(part)} lines came out as typed", flush=True)
        desk.close()
    screen.close()


if __name__ == "__main__":
    main()
