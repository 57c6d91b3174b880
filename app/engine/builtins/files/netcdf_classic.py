"""Classic NetCDF files as SciPy reads and writes them, with two faults of its writing mended."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.io import netcdf_file

_VARIABLES = b"\x00\x00\x00\x0b"
"""What the list of variables begins with in a file."""


class ClassicFile(netcdf_file):  # type: ignore[misc]
    """A classic file. Variables keep their order, and all that have no records come before those
    that have (SciPy puts numbers without dimensions behind them, which no other reader takes); a
    record that a variable was not given holds its filling (there it repeats others)."""

    def _write_var_array(self) -> None:
        found = self.variables
        if not found:
            super()._write_var_array()
            return
        for variable in found.values():
            if variable.isrec:
                _fill_records(variable, self._recs)
        self.fp.write(_VARIABLES)
        self._pack_int(len(found))
        for name in found:
            self._write_var_metadata(name)
        records = [name for name in found if found[name].isrec]
        self.__dict__["_recsize"] = sum(found[name]._vsize for name in records)  # noqa: SLF001 - SciPy's own account of the file
        for name in (*(name for name in found if name not in records), *records):
            self._write_var_data(name)


def _fill_records(variable: Any, count: int) -> None:
    """Give a variable as many records as the file has."""
    data = variable.data
    if len(data) < count:
        filling = np.frombuffer(variable._get_encoded_fill_value(), data.dtype)[0]  # noqa: SLF001 - SciPy has no other name for it
        more = np.full((count - len(data), *data.shape[1:]), filling, data.dtype)
        variable.__dict__["data"] = np.concatenate((data, more))
