"""What belongs to one run of a group: the line that set it off, upload, kernel, download."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.ui.run_model.timeline_spans import Span, Track

STAGES = {name: n for n, name in enumerate(("Planner", "Compile", "Upload", "Device", "Download"))}
Placed = tuple[str, Span]


def executions(flow: Sequence[Placed]) -> list[list[Placed]]:
    """The events of a group cut into its runs: what goes back to an earlier stage begins anew."""
    runs: list[list[Placed]] = []
    stage = len(STAGES)
    for placed in sorted(flow, key=lambda item: item[1].start):
        number = STAGES.get(placed[0], STAGES["Device"])
        again = number == stage == STAGES["Device"]
        if not runs or number < stage or again:
            runs.append([])
        runs[-1].append(placed)
        stage = number
    return runs


def chain(chosen: Placed, flow: Sequence[Placed], tracks: Mapping[str, Track]) -> list[Placed]:
    """The run of a group that a span belongs to, and the script's line before it."""
    run = next((run for run in executions(flow) if chosen in run), [chosen])
    first = run[0][1].start
    script = [s for s in tracks.get("Script", Track()).over(first, first) if s.line]
    return [("Script", script[-1]), *run] if script else run
