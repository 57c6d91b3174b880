function varargout = hdf5read(file, name, varargin)
% data = hdf5read(file, name): what a data set, or an attribute ('/place/attribute'), of an HDF5 file holds; the old
%   name of h5read and h5readatt.
if nargin > 2
    error('MATLAB:hdf5read:unknownOption', 'hdf5read has no option here: use h5read.');
end
try
    varargout{1} = h5read(file, name);
catch problem
    [place, attribute] = fileparts(char(name));
    try
        varargout{1} = h5readatt(file, place, attribute);
    catch
        rethrow(problem);
    end
end
end
