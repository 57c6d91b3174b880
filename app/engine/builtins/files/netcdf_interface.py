"""netCDF's own functions by their names, ``netcdf.open(…)``."""

from __future__ import annotations

from app.engine.builtins.files import netcdf_library, netcdf_storage
from app.engine.builtins.files.hdf_interfaces import Interface, functions
from app.engine.declarations.registry import builtin

PARTS = (netcdf_library, netcdf_storage)
"""What declares them."""

builtin(
    "netcdf",
    category="files",
    signatures=("R = netcdf.open(file, mode)",),
    cases=(
        "n = netcdf.create('t.nc', 'NETCDF4'); d = netcdf.defDim(n, 'x', 3); "
        "v = netcdf.defVar(n, 'v', 'NC_INT', d); netcdf.putVar(n, v, int32([4 5 6])); "
        "netcdf.close(n); isequal(ncread('t.nc', 'v'), int32([4; 5; 6]))",
    ),
    see=("ncread", "ncwrite", "nccreate", "ncinfo"),
    text="netCDF's own functions, over identifiers that are numbers from 0: "
    + ", ".join(sorted(functions["netcdf"]))
    + ".",
    most=0,
)(lambda: Interface("netcdf"))
