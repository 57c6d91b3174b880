function info = hdf5info(file)
% info = hdf5info(file): what an HDF5 file consists of, in the field GroupHierarchy; the old name of h5info.
found = h5info(file);
info = struct('Filename', found.Filename, 'GroupHierarchy', found);
end
