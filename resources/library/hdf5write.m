function hdf5write(file, varargin)
% hdf5write(file, name, data, ...): write data sets of an HDF5 file; the old name of h5create and h5write. The file
%   is made anew, unless 'WriteMode' is 'append'.
mode = 'overwrite';
at = find(cellfun(@(a) (ischar(a) || isstring(a)) && strcmpi(a, 'WriteMode'), varargin(1:2:end)), 1);
if ~isempty(at)
    mode = validatestring(varargin{2*at}, {'overwrite', 'append'}, 'hdf5write', 'WriteMode');
    varargin(2*at - 1:2*at) = [];
end
if isempty(varargin) || mod(numel(varargin), 2)
    error('MATLAB:hdf5write:BadInputs', 'Every name must be followed by its data.');
end
if strcmp(mode, 'overwrite') && isfile(file), delete(file); end
for k = 1:2:numel(varargin)
    data = varargin{k + 1};
    shape = size(data);
    if isvector(data), shape = numel(data); end
    h5create(file, varargin{k}, shape, 'Datatype', class(data));
    h5write(file, varargin{k}, data);
end
end
