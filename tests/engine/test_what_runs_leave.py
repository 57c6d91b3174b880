"""What a run leaves unused is given up with it, not with the next array."""

from __future__ import annotations

from app.engine.capture import capture_session
from app.engine.session.session import Session
from app.settings import Settings
from app.source import SourceText


def test_arrays_that_nobody_holds_are_given_up() -> None:
    settings = Settings()
    settings.set("device", "cpu")
    settings.set("capture_threshold", 64)
    session = Session(settings, lambda _event: None)
    code = "x = rand(1, 1000); y = fft(x); z = real(y) + 1; disp(sum(z)); clear"
    session.run_source(SourceText("<test>", code))
    assert not capture_session.Session.leaves
    session.close()
