"""``audiorecorder``: samples from the microphone."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from app import restricted
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import real_number, receiver
from app.engine.arguments.operation_rules import undefined_for_class
from app.engine.builtins.property_objects import PropertyObject
from app.engine.builtins.signals.audio_device import quiet, recorder
from app.engine.builtins.signals.audio_objects import AudioPlayer
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import (
    EMPTY,
    Array,
    NativeObject,
    Struct,
    Value,
    as_array,
    canonical,
    float_of,
    int_of,
    text_of,
)
from app.errors import MatlabError
from app.temporary_folders import OwnedFolder

_FAMILY = "sound"
_FORMATS = {8: "U8", 16: "S16_LE", 24: "S24_LE"}


@native_type
class AudioRecorder(PropertyObject):
    """A recording; a handle.

    Attributes:
        values: its properties.
    """

    class_name = "audiorecorder"
    superclasses = ("handle",)
    is_handle = True

    def __init__(self, rate: float, bits: float, channels: float) -> None:
        self.values: dict[str, Value] = {
            "SampleRate": rate,
            "BitsPerSample": bits,
            "NumChannels": channels,
            "DeviceID": -1.0,
            "Tag": "",
            "UserData": EMPTY,
            "Type": "audiorecorder",
        }
        self._folder: OwnedFolder | None = None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def recording(self) -> bool:
        """Whether it listens now."""
        return self._process is not None and self._process.poll() is None

    def record(self, seconds: float | None) -> None:
        """Begin to listen."""
        restricted.refuse("recording sound")
        command = recorder()
        self._folder = OwnedFolder("record")
        rate, bits, count = (
            int_of(self.values[n]) for n in ("SampleRate", "BitsPerSample", "NumChannels")
        )
        words = (
            ["-r", str(rate), "-c", str(count), "-f", _FORMATS[bits]]
            if ("arecord" in command[0] and "parecord" not in command[0])
            else (
                [f"--rate={rate}", f"--channels={count}"]
                if "parecord" in command[0]
                else ["-r", str(rate), "-c", str(count), "-b", str(bits)]
            )
        )
        path = Path(self._folder.name) / "sound.wav"
        self._process = quiet([*command, *words, str(path)])
        if seconds is not None:
            time.sleep(seconds)
            self.stop()

    def stop(self) -> None:
        """Listen no more."""
        if self._process is not None and self.recording:
            self._process.send_signal(signal.SIGINT)
            self._process.wait()

    def data(self) -> Array:
        """The samples, one column for each channel."""
        path = None if self._folder is None else Path(self._folder.name) / "sound.wav"
        if path is None or not path.is_file():
            text = "Recorder is empty: nothing has been recorded yet."
            raise MatlabError("MATLAB:audiovideo:audiorecorder:recorderempty", text)
        from app.engine.builtins.signals.audio_files import audioread

        return as_array(audioread(str(path))[0])

    def properties(self) -> dict[str, Value]:
        """All properties."""
        return {**self.values, "Running": "on" if self.recording else "off"}

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """``r.Tag = …``."""
        if name not in ("Tag", "UserData"):
            text = f"Unable to set the '{name}' property of class 'audiorecorder'."
            raise MatlabError("MATLAB:class:SetProhibited", text)
        self.values[name] = value
        return self

    def methods(self) -> dict[str, Callable[..., Value]]:
        """What can be done with a recorder."""
        return _METHODS


def _seconds(args: tuple[Value, ...]) -> float | None:
    return real_number(args[0]) if args else None


def _player(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> AudioPlayer:
    recorder = receiver(args, AudioRecorder)
    return AudioPlayer(recorder.data(), float_of(recorder.values["SampleRate"]), 16.0)


def _play(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    player = _player(ctx, args, 1)
    player.play(0, len(player.samples))
    return player


def _get(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    shown = receiver(args, AudioRecorder).properties()
    return shown[text_of(args[1])] if len(args) > 1 else Struct(shown)


_METHODS: dict[str, Callable[..., Value]] = {
    "record": lambda ctx, args, n: args[0].record(None) or (),
    "recordblocking": lambda ctx, args, n: args[0].record(_seconds(args[1:])) or (),
    "stop": lambda ctx, args, n: args[0].stop() or (),
    "isrecording": lambda ctx, args, n: args[0].recording,
    "getaudiodata": lambda ctx, args, n: canonical(args[0].data()),
    "getplayer": _player,
    "play": _play,
    "get": _get,
    "delete": lambda ctx, args, n: args[0].stop() or (),
}


@builtin(
    "audiorecorder",
    words="",
    category=_FAMILY,
    least=0,
    signatures=("r = audiorecorder", "r = audiorecorder(Fs, bits, channels)"),
    cases=("r = audiorecorder(8000, 16, 1); r.SampleRate == 8000 && ~isrecording(r)",),
    see=("recordblocking", "getaudiodata", "audioplayer"),
)
def audiorecorder(
    fs: Value = 8000.0, bits: Value = 8.0, channels: Value = 1.0, device: Value = -1.0
) -> Value:
    """A recorder: ``recordblocking(r, seconds)``, then ``getaudiodata(r)``.

    A program of the machine listens (arecord, parecord or rec); without one ``record`` raises an
    error that says what to install.
    """
    rate, depth, count = (real_number(v) for v in (fs, bits, channels))
    if int(depth) not in _FORMATS or count not in (1, 2) or not rate > 0:
        text = "The rate must be positive, the bits 8, 16 or 24, the channels 1 or 2."
        raise MatlabError("MATLAB:audiovideo:audiorecorder:invalidparameters", text)
    return AudioRecorder(rate, depth, count)


def declare_recording(name: str, signature: str, summary: str, fails: str) -> None:
    """Declare a function that only recorders understand."""

    def call(ctx: CallContext, r: Value, *args: Value) -> Value:
        if not isinstance(r, AudioRecorder):
            raise undefined_for_class(name, r)
        return _METHODS[name](ctx, (r, *args), 1)

    case = (
        f"s = ''; r = audiorecorder; try, {signature.partition('= ')[2] or signature}; "
        f"catch e, s = e.identifier; end; isempty(s) || contains(s, '{fails}')"
    )
    builtin(
        name,
        category=_FAMILY,
        signatures=(signature,),
        text=summary,
        cases=(case,),
        see=("audiorecorder",),
    )(call)


declare_recording("record", "record(r)", "Begin to record.", "NoAudioInputDevice")
declare_recording(
    "recordblocking", "recordblocking(r, 0)", "Record for some seconds.", "NoAudioInputDevice"
)
declare_recording("isrecording", "tf = isrecording(r)", "True while a recorder listens.", "none")
declare_recording(
    "getaudiodata", "y = getaudiodata(r)", "The samples of a recording.", "recorderempty"
)
declare_recording(
    "getplayer", "p = getplayer(r)", "An audioplayer of a recording.", "recorderempty"
)
