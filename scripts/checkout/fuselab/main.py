"""The front door, by the name it has in a wheel."""

from app.main import enter

__all__ = ["enter"]
