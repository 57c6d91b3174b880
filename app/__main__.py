"""``python -m app`` is ``fuselab``."""

import sys

from app.main import main

sys.exit(main())
