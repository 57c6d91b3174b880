"""What the editor says about a text that parses: names, arity, reachability."""

from app.engine.sema.check import check_text

__all__ = ["check_text"]
