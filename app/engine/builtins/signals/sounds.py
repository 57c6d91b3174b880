"""Samples heard at once: sound, soundsc, clearsound."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import real_number
from app.engine.builtins.signals.audio_objects import FINE, AudioPlayer, samples_of
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Value,
    as_array,
    is_cell,
    numel,
)
from app.errors import MatlabError

_FAMILY = "sound"


def _play_sound(name: str, ctx: CallContext, y: Value, fs: Value, samples: Array) -> None:
    if is_cell(y) or not numel(fs):
        raise MatlabError(f"MATLAB:audiovideo:{name}:invalidsignal", "Give samples and a rate.")
    player = AudioPlayer(samples, real_number(fs), 16.0)
    player.play(0, len(samples))
    ctx.state.setdefault("sounds", []).append(player)


@builtin(
    "sound",
    category=_FAMILY,
    signatures=("sound(y)", "sound(y, Fs)", "sound(y, Fs, bits)"),
    cases=("s = ''; try, sound([0; 0], 8000); catch e, s = e.identifier; end; " + FINE,),
    see=("soundsc", "audioplayer"),
)
def sound(ctx: CallContext, y: Value, fs: Value = 8192.0, bits: Value = 16.0) -> Value:
    """Play samples from -1 to 1."""
    _play_sound("sound", ctx, y, fs, np.clip(samples_of("sound", y), -1, 1))
    return ()


@builtin(
    "soundsc",
    category=_FAMILY,
    signatures=("soundsc(y)", "soundsc(y, Fs)", "soundsc(y, Fs, bits, [low high])"),
    cases=("s = ''; try, soundsc(1:9, 8000); catch e, s = e.identifier; end; " + FINE,),
    see=("sound", "audioplayer"),
)
def soundsc(
    ctx: CallContext, y: Value, fs: Value = 8192.0, bits: Value = 16.0, limits: Value | None = None
) -> Value:
    """Play samples after scaling them to the full range."""
    a = samples_of("soundsc", y)
    ends = np.array([a.min(), a.max()]) if limits is None else as_array(limits).ravel()
    if ends.size != 2:
        text = "The limits must be two numbers."
        raise MatlabError("MATLAB:audiovideo:soundsc:invalidLimits", text)
    size = (ends[1] - ends[0]) / 2 or 1.0
    _play_sound("soundsc", ctx, y, fs, np.clip((a - ends.mean()) / size, -1, 1))
    return ()


@builtin(
    "clearsound",
    category=_FAMILY,
    signatures=("clearsound",),
    cases=("clearsound; true",),
    see=("sound",),
)
def clearsound(ctx: CallContext) -> Value:
    """Silence all sounds that were begun with ``sound`` and ``soundsc``."""
    for player in ctx.state.pop("sounds", []):
        player.stop()
    return ()
