"""``import fuselab`` in a checkout, where the package is the folder ``app``.

A wheel has no such alias: there the package itself is called ``fuselab`` (``scripts/wheel.py``).
Only an editable installation has this folder on its path.
"""

from app import __all__ as __all__
from app import __getattr__ as __getattr__  # type: ignore[attr-defined]
from app import __version__ as __version__
