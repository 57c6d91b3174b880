"""``python -m app`` is ``fuselab``."""

from app.main import enter

enter()
