"""The sound output and input of the machine, through the programs it has for them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

from app import helpers, restricted
from app.engine.values import Array
from app.errors import MatlabError
from app.temporary_folders import OwnedFolder

_PLAYERS = (
    ("pw-play",),
    ("paplay",),
    ("aplay", "-q"),
    ("afplay",),
    ("play", "-q"),
    ("ffplay", "-nodisp", "-autoexit", "-loglevel", "quiet"),
)
_RECORDERS = (("arecord", "-q"), ("parecord", "--file-format=wav"), ("rec", "-q"))
_WINDOWS = ("import sys, winsound; winsound.PlaySound(sys.argv[1], winsound.SND_FILENAME)",)


def _program(choices: tuple[tuple[str, ...], ...]) -> list[str] | None:
    return next(([found, *c[1:]] for c in choices if (found := helpers.find(c[0]))), None)


def player() -> list[str]:
    """The command that plays a WAV file."""
    if sys.platform == "win32":
        return [sys.executable, "-P", "-c", *_WINDOWS]
    found = _program(_PLAYERS)
    if found is None:
        text = (
            "No audio output: none of the programs pw-play, paplay, aplay, afplay, play and "
            "ffplay is installed. Install one (on Linux: pipewire, pulseaudio-utils or "
            "alsa-utils), or write the sound to a file with audiowrite."
        )
        raise MatlabError("MATLAB:audiovideo:audioplayer:NoAudioOutputDevice", text)
    return found


def recorder() -> list[str]:
    """The command that records a WAV file."""
    found = _program(_RECORDERS)
    if found is None:
        text = (
            "No audio input: none of the programs arecord, parecord and rec is installed. "
            "Install one (on Linux: alsa-utils or pulseaudio-utils)."
        )
        raise MatlabError("MATLAB:audiovideo:audiorecorder:NoAudioInputDevice", text)
    return found


def quiet(command: list[str]) -> subprocess.Popen[bytes]:
    """A program that is begun without anything to read or to say."""
    nothing = subprocess.DEVNULL
    try:
        with (
            restricted.restriction_lifted()
        ):  # the program is ours to choose, whoever's sound it plays
            return subprocess.Popen(  # noqa: S603 - one of the programs above
                command, stdin=nothing, stdout=nothing, stderr=nothing, env=helpers.environment()
            )
    except PermissionError:
        raise restricted.error("the sound device") from None


class Sound:
    """A sound on its way to the speakers.

    Args:
        samples: one column for each channel, from -1 to 1.
        rate: samples per second.
    """

    def __init__(self, samples: Array, rate: float) -> None:
        from scipy.io import wavfile

        command = player()
        self._folder = OwnedFolder("sound")
        path = Path(self._folder.name) / "sound.wav"
        wavfile.write(path, round(rate), (np.clip(samples, -1, 1) * 32767).astype(np.int16))
        self._process = quiet([*command, str(path)])

    @property
    def playing(self) -> bool:
        """Whether it is heard now."""
        return self._process.poll() is None

    def stop(self) -> None:
        """Be silent."""
        if self.playing:
            self._process.terminate()
        self._process.wait()
        self._folder.cleanup()
