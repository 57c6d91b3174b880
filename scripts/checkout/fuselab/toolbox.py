"""What functions of a toolbox are written with, by the name it has in a wheel."""

import sys

from app import toolbox

sys.modules[__name__] = toolbox
