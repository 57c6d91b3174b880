"""The settings the accelerator reads, as plain values."""

from __future__ import annotations

from dataclasses import fields

from app.records import mutable_record


@mutable_record
class AccelOptions:
    """Plain values of the settings the accelerator reads.

    Attributes:
        device: auto, cpu, gpu, or part of an adapter's name.
        chain_limit: longest chain of pending operations before the graph is evaluated.
        memory_budget: device bytes to use at most; 0 for a default by device.
        host_threads: threads of the host path; 0 for one per core.
        calibration: measure the device once.
        kernel_cache: keep kernels and plans for the next run.
        report_limit: rows kept of each list of a report.
        verify: check every graph, kernel and plan.
    """

    device: str = "auto"
    chain_limit: int = 128
    memory_budget: int = 0
    host_threads: int = 0
    calibration: bool = True
    kernel_cache: bool = True
    report_limit: int = 10000
    verify: bool = False

    @classmethod
    def of(cls, settings: object) -> AccelOptions:
        """The options found among the attributes of any settings object."""
        if isinstance(settings, cls):
            return settings
        options = cls()
        for item in fields(cls):
            setattr(options, item.name, getattr(settings, item.name, item.default))
        return options
