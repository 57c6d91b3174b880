"""What is noted before something runs that may leave a graph to be remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.interpreter import warnings
from app.records import record

if TYPE_CHECKING:
    from app.accel.support.telemetry import Recorder
    from app.engine.interpreter.unit import Unit


@record
class Watched:
    """What has been noted before something is run that may leave a graph to be remembered."""

    unit: Unit
    recorder: Recorder
    looked: int
    said: int
    operations: int
    warning: object

    @classmethod
    def of(cls, unit: Unit, recorder: Recorder) -> Watched:
        """What has been noted by now."""
        warning = unit.interpreter.context.state.get(warnings.LAST)
        captured = recorder.counters.captured_ops
        return cls(unit, recorder, recorder.looked, len(recorder.boundaries), captured, warning)

    def has_changed(self, looks: int = 0, said: int = 0) -> bool:
        """Whether elements were looked at since, or somebody was told something, more often than
        is accounted for."""
        now = Watched.of(self.unit, self.recorder)
        looked = now.looked - self.looked != looks
        said_more = now.said - self.said != said
        return looked or said_more or now.warning is not self.warning

    def captured(self) -> int:
        """Operations that were captured since."""
        return self.recorder.counters.captured_ops - self.operations
