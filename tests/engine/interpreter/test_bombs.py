"""Small programs that want to become large: refused in time, with MATLAB's error."""

from __future__ import annotations

import pytest

from app import memory, settings
from app.engine import protocol
from app.engine.session.session import Session
from app.source import SourceText

NO_MEMORY = {"MATLAB:nomem", "MATLAB:array:SizeLimitExceeded"}
BOMBS = {
    "s = strrep(repmat('a', 1, 1e4), 'a', repmat('b', 1, 1e6));": NO_MEMORY,
    "s = regexprep(repmat('a', 1, 1e4), 'a', repmat('b', 1, 1e6));": NO_MEMORY,
    "s = strjoin(repmat({'a'}, 1, 1e4), repmat('b', 1, 1e6));": NO_MEMORY,
    "x = nchoosek(1:60, 30);": NO_MEMORY,
    "x = dec2bin(0:1e12);": NO_MEMORY,
    "x = permute(1, randperm(1e4));": {"Fuselab:tooManyDimensions"},
    "x = cat(1e9, 1, 2);": {"Fuselab:tooManyDimensions"},
    "c = 1; for k = 1:2e4, c = {c}; end; isequal(c, {c})": {"MATLAB:recursionLimit"},
    "c = 1; for k = 1:2e4, c = {c}; end; c": {""},
    "c = 1; for k = 1:2e4, c = {c}; end; jsonencode(c)": {"MATLAB:recursionLimit"},
    "s = 1; for k = 1:2e4, s = struct('a', s); end": {""},
    "c = {1}; for k = 1:60, c = {c, c}; end": {""},
    "z.a(1e8).b{0} = 1;": {"MATLAB:badsubscript"},
    "z = struct('a', {1, 2}); z(1e8).b(1.5) = 1;": {"MATLAB:badsubscript"},
    "x = 1:3; x(1:1e10).a = 1;": NO_MEMORY,
    "x = zeros(1, 3); y = x(2:1e10);": NO_MEMORY,
    "c = cell(1, 2e7); c{end + 1} = 1;": NO_MEMORY,
}


@pytest.mark.parametrize("program", BOMBS)
def test_bombs_end_in_errors(program: str) -> None:
    events: list[protocol.Event] = []
    chosen = settings.Settings()
    chosen.set("device", "cpu")
    chosen.set("memory_limit", memory.resident() + (200 << 20))
    session = Session(chosen, events.append)
    try:
        session.run_source(SourceText("<eval>", program))
    finally:
        session.close()
        memory.use(0)
    found = [e.identifier for e in events if isinstance(e, protocol.ErrorRaised)]
    assert set(found or [""]) <= BOMBS[program]
    assert session.exit_code is None
    assert isinstance(events[-1], protocol.StateChanged)
