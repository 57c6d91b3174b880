"""What ran before does not change how a program runs: limits are learnt per line."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest

from app import settings
from app.accel.runtime.kept_tapes import tapes_of
from app.engine.session.session import Session
from app.source import SourceText
from tests.support.adapters import require_adapter

BODIES = (
    # needed at once, again and again, for little work: this is what lines learn from
    "x = rand({n}, 1, '{c}'); for k = 1:40, x = x * 0.9 + 0.01; if max(x) < 0, break, end, end",
    "x = rand({n}, 2, '{c}'); C = x(1:3, :);\nfor k = 1:15\n  d = (x(:,1) - C(:,1)').^2 + "
    "(x(:,2) - C(:,2)').^2;\n  [~, l] = min(d, [], 2);\n  for j = 1:3, C(j,:) = "
    "mean(x(l == j, :), 1); end\nend",
    # small operands, large results
    "p = rand({n}, 1, '{c}'); q = rand(1, {n}, '{c}'); D = sqrt((p - q).^2 + 1); s = sum(D(:));",
    "a = rand({n}, 8, '{c}'); m = mean(a, 2); z = (a - m) ./ sqrt(var(a, 0, 2) + 1); s = sum(z(:));",
    "a = rand(40, 40, '{c}'); for k = 1:9, a = min(a, a(:, k) + a(k, :)); end, s = sum(a(:));",
    "y = rand({n}, 1, '{c}'); for k = 1:9, y = y + y(end:-1:1) * 0.5; t = sum(y); "
    "if t < 0, y = 0; end, end",
)
PROGRAMS = [
    body.format(n=n, c=c) for body, n, c in product(BODIES, (1500, 3000), ("single", "double"))
] + [body.format(n=2000, c="single") for body in BODIES]
# Operations captured in vain, by a loop that is tried as one kernel, are not counted.
COUNTED = (
    *("plans", "groups", "dispatches", "fallbacks", "work_inflation"),
    *("uploads", "upload_bytes", "downloads", "download_bytes"),
)


def counted(session: Session, *programs: str) -> dict[str, float]:
    """The counters of one run of programs, one after the other."""
    tapes_of(session.acceleration.runtime).forms.clear()  # what a first run of the same records
    text = "".join(f"clear; rng(1)\n{program}\n" for program in programs)
    session.run_source(SourceText("programs.m", text))
    assert session.last_status == "ok", session.last_report["error"]
    counters = session.acceleration.recorder.counters_json()
    return {name: counters[name] or 0 for name in COUNTED}


@pytest.fixture(params=["cpu", "gpu"])
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    made = Session(settings.load({"FUSELAB_DEVICE": request.param}), lambda _: None)
    if request.param == "gpu":
        require_adapter(made.acceleration.runtime.open())
    yield made
    made.close()


def test_counters_do_not_depend_on_what_ran_before(session: Session) -> None:
    """Alone, in another order, and behind another program of the same run."""
    assert len(PROGRAMS) == 30
    choose = random.Random(7)
    alone = {program: counted(session, program) for program in PROGRAMS}
    for program in choose.sample(PROGRAMS, 12):
        assert counted(session, program) == alone[program], program
    for program in choose.sample(PROGRAMS, 12):
        before = choose.choice(PROGRAMS)
        both = counted(session, before, program)
        for name in COUNTED:
            parts = alone[before][name], alone[program][name]
            expected = max(parts) if name == "work_inflation" else sum(parts)
            assert both[name] == expected, (name, before, program)
