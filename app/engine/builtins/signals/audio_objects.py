"""``audioplayer``, ``sound`` and ``soundsc``: playing samples."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    NONEMPTY,
    NUMBERS,
    POSITIVE,
    REAL,
    SCALAR,
    real_number,
    receiver,
)
from app.engine.arguments.operation_rules import undefined_for_class
from app.engine.builtins.property_objects import PropertyObject
from app.engine.builtins.signals.audio_device import Sound
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import (
    EMPTY,
    Array,
    NativeObject,
    Struct,
    Value,
    as_array,
    float_of,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "sound"


def samples_of(name: str, y: Value) -> Array:
    """Samples from -1 to 1, one column for each channel; integers by the range of their class."""
    (NUMBERS & REAL & NONEMPTY)(name, 1, y)
    a = as_array(y)
    a = a.reshape(-1, 1) if a.ndim == 2 and a.shape[0] == 1 else a
    if a.ndim != 2 or a.shape[1] > 2:
        text = "The samples must be one column, or two for stereo."
        raise MatlabError(f"MATLAB:audiovideo:{name}:invalidsignal", text)
    if a.dtype == np.uint8:
        return (a.astype(np.float64) - 128) / 128
    return a / float(np.iinfo(a.dtype).max) if a.dtype.kind in "iu" else a.astype(np.float64)


@native_type
class AudioPlayer(PropertyObject):
    """Samples that can be heard; a handle.

    Attributes:
        samples: one column for each channel.
        values: properties that can be set.
        at: samples already played, when it stands still.
        span: the first sample of the current playing and the one after the last.
    """

    class_name = "audioplayer"
    superclasses = ("handle",)
    is_handle = True

    def __init__(self, samples: Array, rate: float, bits: float) -> None:
        self.samples = samples
        self.values: dict[str, Value] = {
            "SampleRate": rate,
            "BitsPerSample": bits,
            "Tag": "",
            "UserData": EMPTY,
            "StartFcn": EMPTY,
            "StopFcn": EMPTY,
            "TimerFcn": EMPTY,
            "TimerPeriod": 0.05,
        }
        self.at = 0
        self.span = (0, len(samples))
        self._sound: Sound | None = None
        self._started = 0.0

    @property
    def rate(self) -> float:
        """Samples per second."""
        return float_of(self.values["SampleRate"])

    @property
    def playing(self) -> bool:
        """Whether it is heard now."""
        if self._sound is not None and not self._sound.playing:
            self._sound.stop()
            self._sound, self.at = None, 0
        return self._sound is not None

    def place(self) -> int:
        """The sample that is heard now; 1-based as MATLAB tells it, 0 less."""
        if not self.playing:
            return self.at
        passed = int((time.monotonic() - self._started) * self.rate)
        return min(self.span[0] + passed, self.span[1] - 1)

    def play(self, first: int, last: int) -> None:
        """Play the samples from ``first`` up to ``last``."""
        if not 0 <= first < last <= len(self.samples):
            text = "The samples to play must lie within the sound."
            raise MatlabError("MATLAB:audiovideo:audioplayer:invalidselection", text)
        self.stop()
        self.span = first, last
        self._sound = Sound(self.samples[first:last], self.rate)
        self._started = time.monotonic()

    def pause(self) -> None:
        """Stand still where it is."""
        at = self.place()
        self.stop()
        self.at = at

    def stop(self) -> None:
        """Be silent, and begin anew next time."""
        if self._sound is not None:
            self._sound.stop()
        self._sound, self.at = None, 0

    def finish(self, poll: Callable[[], None] | None) -> None:
        """Wait until the sound is over."""
        while self.playing:
            if poll is not None:
                poll()
            time.sleep(0.02)

    def properties(self) -> dict[str, Value]:
        """All properties."""
        return {
            **self.values,
            "NumberOfChannels": float(self.samples.shape[1]),
            "TotalSamples": float(len(self.samples)),
            "CurrentSample": self.place() + 1.0,
            "Running": "on" if self.playing else "off",
            "Type": "audioplayer",
            "DeviceID": -1.0,
        }

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """``p.SampleRate = …``."""
        if name not in self.values:
            text = f"Unable to set the '{name}' property of class 'audioplayer'."
            raise MatlabError("MATLAB:class:SetProhibited", text)
        self.values[name] = value
        return self

    def methods(self) -> dict[str, Callable[..., Value]]:
        """What can be done with a player."""
        return _METHODS


def _span(player: AudioPlayer, args: tuple[Value, ...]) -> tuple[int, int]:
    if not args:
        return 0, len(player.samples)
    wanted = np.asarray(as_array(args[0])).ravel()
    return int(wanted[0]) - 1, int(wanted[1]) if wanted.size > 1 else len(player.samples)


def _blocking(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    player = receiver(args, AudioPlayer)
    player.play(*_span(player, args[1:]))
    player.finish(getattr(getattr(ctx, "host", None), "poll", None))
    return ()


def _resume(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    player = receiver(args, AudioPlayer)
    if not player.playing:
        player.play(player.at, player.span[1])
    return ()


def _get(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    shown = receiver(args, AudioPlayer).properties()
    return shown[text_of(args[1])] if len(args) > 1 else Struct(shown)


_METHODS: dict[str, Callable[..., Value]] = {
    "play": lambda ctx, args, n: args[0].play(*_span(args[0], args[1:])) or (),
    "playblocking": _blocking,
    "resume": _resume,
    "get": _get,
    "pause": lambda ctx, args, n: args[0].pause() or (),
    "stop": lambda ctx, args, n: args[0].stop() or (),
    "isplaying": lambda ctx, args, n: args[0].playing,
    "isvalid": lambda ctx, args, n: True,
    "delete": lambda ctx, args, n: args[0].stop() or (),
}


@builtin(
    "audioplayer",
    category=_FAMILY,
    signatures=("p = audioplayer(y, Fs)", "p = audioplayer(y, Fs, bits)"),
    cases=("p = audioplayer(sin(1:100), 8000); p.TotalSamples == 100 && ~isplaying(p)",),
    see=("play", "sound", "audioread"),
)
def audioplayer(y: Value, fs: Value = 8192.0, bits: Value = 16.0, device: Value = -1.0) -> Value:
    """A sound that ``play``, ``pause``, ``resume`` and ``stop`` control.

    It is played by a program of the machine (pw-play, paplay, aplay, afplay, ...); without one
    ``play`` raises an error that says what to install.
    """
    (NUMBERS & REAL & SCALAR & POSITIVE)("audioplayer", 2, fs)
    return AudioPlayer(samples_of("audioplayer", y), real_number(fs), real_number(bits))


def declare_playing(name: str, summary: str, case: str) -> None:
    """Declare a function that only players understand."""

    def call(ctx: CallContext, p: Value, *args: Value) -> Value:
        if not isinstance(p, AudioPlayer):
            raise undefined_for_class(name, p)
        return _METHODS[name](ctx, (p, *args), 1)

    result = "tf = " if name == "isplaying" else ""
    builtin(
        name,
        category=_FAMILY,
        signatures=(f"{result}{name}(p)",),
        text=summary,
        cases=(case,),
        see=("audioplayer",),
    )(call)


_SILENT = "s = ''; try, {}(audioplayer(zeros(80, 1), 8000)); catch e, s = e.identifier; end; "
FINE = "isempty(s) || contains(s, 'NoAudioOutputDevice')"
declare_playing("play", "Play a sound while the script goes on.", _SILENT.format("play") + FINE)
declare_playing("playblocking", "Play a sound to its end.", _SILENT.format("playblocking") + FINE)
declare_playing("resume", "Go on with a sound that was paused.", _SILENT.format("resume") + FINE)
declare_playing("isplaying", "True while a sound is heard.", "~isplaying(audioplayer([0 1], 8000))")
