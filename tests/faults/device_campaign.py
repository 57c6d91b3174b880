"""The n-th call of the device fails, for n = 1, 2, 3 … until a program is through (SQLite's way).

Each time the program ends with the answers that it has without a fault, or with an error of ours
that says what was lost; afterwards the session gives the right answers again and holds no more of
the device than before.

``python -m tests.faults.device_campaign [SECONDS] [SEED]`` goes on for so long.
"""

from __future__ import annotations

import gc
import logging
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from app.engine.capture import capture_session
from app.engine.protocol import ErrorRaised, Event, OutputText
from app.engine.session.session import Session
from app.settings import Settings
from app.source import SourceText
from tests.faults.device_faults import KINDS, Faults

ALLOWED = frozenset({"Fuselab:deviceLost", "Fuselab:outOfDeviceMemory"})
FORMAT = "fprintf('%.8g\\n', full(double({})));"
KEPT_ARRAYS = 4
"""Arrays that the accelerator may keep for the next run: constants, what a loop begins with."""
LARGE = "x = reshape(mod((1:{n}) * 0.618, 1), [], 20) + 0.1; v = x(:); m = x(1:20, :);"
BODIES = (
    "y = sum(sin(v) + v.^2);",
    "y = sum(sort(v)' .* (1:numel(v)));",
    "y = sum(cumsum(v)); y(2) = max(v); y(3) = min(v);",
    "y = sum(x' * x, 'all');",
    "y = v; for k = 1:20, y = y * 0.5 + sin(y); end; y = sum(y);",
    "y = v; for k = 1:20, if sum(y) > 10, y = y / 2; else, y = y + 1; end, end; y = sum(y);",
    "y = x(v(1:20) > 0.5, :); y = sum(y(:));",
    "y = v; y(3:7) = 0; y(end) = 2; y = [sum(y) y(4) y(end)];",
    "y = sum(abs(fft(v)));",
    "y = sum(conv(v, v(1:9)));",
    "g = gpuArray(v); y = gather(sum(exp(-g)));",
    "g = gpuArray(x); y = sum(gather(g .* g), 'all'); clear g",
    "y = sum(unique(round(v * 50)));",
    "[q, k] = max(x, [], 2); y = [sum(q) sum(k)];",
    "y = mean(x, 'all') + std(v) + median(v);",
    "y = sum(m \\ ones(20, 1));",
    "y = sum(accumarray(1 + floor(v * 9), v));",
    "y = sum(v(v > 0.3 & v < 0.9));",
    "y = sum(double(single(v) .* single(2)));",
    "y = sum(sqrt(complex(v - 0.6)));",
    "y = sum(sqrt(v - 0.6));",
    "y = sum(int32(v * 100) + int32(7));",
    "s.a = v; s.b = cos(v); y = sum(s.a .* s.b);",
    "c = {v, v + 1}; y = sum(c{1} .* c{2});",
    "f = @(t) t.^2 + 1; y = sum(f(v));",
    "try, y = sum(v .* 2); error('a:b', 'c'); catch e, y = [y numel(e.message)]; end",
    "rng(1); r = rand(numel(v), 1); y = sum(r .* v);",
    "y = sum(cat(1, v, v * 2, flipud(v)));",
    "y = sum(repmat(x, 2, 3), 'all');",
    "y = sum(interp1(1:20, m(:, 1), linspace(1, 20, 500)));",
    "y = sum(cellfun(@(t) sum(t .* 2), {v, v / 3}));",
    "y = sum(filter([1 2 3], 1, v));",
    "y = norm(m) + trace(m) + det(m(1:3, 1:3));",
    "y = sum(circshift(v, 3) - v + diff([v; 0]));",
    "y = sum(bsxfun(@plus, x, x(1, :)), 'all');",
    "y = sum(any(x > 0.9) + all(x > 0.2));",
    "z = v + 1; disp(z(2)); z = z .* 2; disp(z(3)); y = sum(z);",
    "y = sum(histcounts(v, 10) .* (1:10));",
    "y = 0; for k = 1:4, t = v * k; y = y + sum(t) + t(k); end",
    "y = sum(conv2(x, ones(3), 'same'), 'all');",
    "global G; G = v * 3; y = sum(G); clear global G",
    "y = sum(permute(reshape(v(1:1000), 10, 10, 10), [3 1 2]), 'all');",
    "for k = 1:3, a = exp(v / k); b = a ./ sum(a); end; y = sum(b .* v);",
    "a = v; b = a; a(1) = 5; y = [sum(a) sum(b)];",
)


@dataclass(frozen=True, slots=True)
class Case:
    """A program and the fault that it meets."""

    body: int
    size: int
    kind: str
    lasting: bool

    @property
    def code(self) -> str:
        """The text of the program; it leaves nothing behind."""
        parts = (LARGE.replace("{n}", str(self.size)), BODIES[self.body], FORMAT.format("y"))
        return "\n".join((*parts, "clear"))

    def __str__(self) -> str:
        lasting = ", lasting" if self.lasting else ""
        return f"{self.kind}{lasting}, {self.size} elements: {BODIES[self.body]}"


class DeviceCampaign:
    """One case after the other, in sessions on a device whose calls may fail."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.faults = Faults()
        self.runs = 0
        self._session: Session | None = None

    def close(self) -> None:
        """End the session."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def _fresh(self) -> Session:
        """A session with a device of its own, for which nothing is compiled."""
        self.close()
        self.faults.providers.clear()
        settings = Settings()
        for name, value in (("device", "gpu"), ("kernel_cache", False), ("capture_threshold", 64)):
            settings.set(name, value)
        self._session = Session(settings, self.events.append)
        return self._session

    def _run(self, session: Session, code: str) -> tuple[str, str]:
        """How a run ended, and what it printed."""
        self.runs += 1
        self.events.clear()
        session.run_source(SourceText("<fault>", code))
        errors = [e for e in self.events if isinstance(e, ErrorRaised)]
        said = "".join(e.text for e in self.events if isinstance(e, OutputText))
        if errors:
            return errors[0].identifier, f"{errors[0].message}\n{said}"
        return session.last_status, said

    def _held(self, session: Session) -> int:
        """Bytes of the device that values hold, without arrays kept until the next one comes."""
        capture_session.sweep()
        gc.collect()
        executor = session.acceleration.runtime.executor
        executor.storage.bury()
        return executor.storage.live_bytes

    def findings(self, case: Case, most: int = 1000) -> Iterator[str]:
        """What goes wrong as the first, the second … call fails."""
        with self.faults.installed():
            session = self._fresh()
            self.faults.arm(case.kind, 0)
            expected = self._run(session, case.code)
            if expected[0] != "ok":
                yield f"{case}: without a fault {expected}"
                return
            most_held = self._held(session) + KEPT_ARRAYS * 8 * case.size
            for n in range(1, most + 1):
                if case.kind == "compilation" or len(self.faults.providers) > 1:
                    session = self._fresh()
                self.faults.arm(case.kind, n, lasting=case.lasting)
                got = self._run(session, case.code)
                happened = self.faults.happened
                self.faults.arm(case.kind, 0)
                if got != expected and got[0] not in ALLOWED:
                    yield f"{case}, call {n}: {got} for {expected}"
                again = self._run(session, case.code)
                if again != expected:
                    yield f"{case}, after call {n}: {again} for {expected}"
                if (held := self._held(session)) > most_held:
                    yield f"{case}, after call {n}: {held} bytes of the device are held"
                if not happened:
                    return


def cases(seed: int) -> Iterator[Case]:
    """All bodies with all kinds of faults, in an order of the seed's, for ever."""
    choose = random.Random(seed)
    while True:
        order = [(body, kind) for body in range(len(BODIES)) for kind in KINDS]
        choose.shuffle(order)
        for body, kind in order:
            lasting = kind != "loss" and choose.random() < 0.3
            yield Case(body, choose.choice((2000, 20000, 1000000)), kind, lasting)


def main(seconds: float, seed: int) -> int:
    """Go on for so long; 1 when something was found."""
    logging.getLogger("fuselab.gpu").setLevel(logging.ERROR)
    campaign, count, end = DeviceCampaign(), 0, time.monotonic() + seconds
    found = 0
    for case in cases(seed):
        if time.monotonic() > end:
            break
        count += 1
        for finding in campaign.findings(case):
            found += 1
            sys.stdout.write(f"{finding}\n")
            sys.stdout.flush()
    campaign.close()
    sys.stdout.write(f"device faults: {count} cases, {campaign.runs} runs, {found} findings\n")
    return bool(found)


if __name__ == "__main__":
    given = [*sys.argv[1:], "60", "1"][:2] if len(sys.argv) < 3 else sys.argv[1:3]
    sys.exit(main(float(given[0]), int(given[1])))
