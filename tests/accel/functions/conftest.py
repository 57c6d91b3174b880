"""A device for the functions' tests."""

from __future__ import annotations

from tests.kernels.conftest import provider

__all__ = ["provider"]
