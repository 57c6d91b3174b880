function [TR, format, attributes, solid] = stlread(file)
% TR = stlread(file): the triangulation in an STL file, equal corners of its triangles as one point. [TR, format, attributes,
%   solid]: 'text' or 'binary', a number of 16 bits for each triangle (binary; zeros for text), and the solid it belongs to (text).
if ~(ischar(file) || isstring(file) && isscalar(file)), error('MATLAB:polyfun:stlFileName', 'The name of the file must be a text.'); end
f = fopen(file, 'r');
if f < 0, error('MATLAB:polyfun:stlFailedToOpen', 'Unable to open the file ''%s''.', file); end
closing = onCleanup(@() fclose(f));
bytes = fread(f, Inf, '*uint8');
count = 0;
if numel(bytes) >= 84, count = double(typecast(bytes(81:84), 'uint32')); end
if numel(bytes) >= 84 && numel(bytes) == 84 + 50*count
    format = 'binary';
    records = reshape(bytes(85:end), 50, count);
    corners = double(reshape(typecast(reshape(records(13:48, :), [], 1), 'single'), 3, []))';
    attributes = reshape(typecast(reshape(records(49:50, :), [], 1), 'uint16'), [], 1);
    solid = ones(count, 1);
else
    format = 'text';
    text = char(bytes');
    found = regexp(text, 'vertex\s+(\S+)\s+(\S+)\s+(\S+)', 'tokens');
    corners = str2double(reshape([found{:}], 3, [])');
    if isempty(found) || mod(size(corners, 1), 3) ~= 0 || any(isnan(corners(:))) || isempty(regexp(text, '^\s*solid', 'once'))
        error('MATLAB:polyfun:stlFileFormat', 'The file ''%s'' is no STL file, or is damaged.', file);
    end
    begins = regexp(text, '(?<!end)solid\>');
    facets = regexp(text, '\<facet\>');
    solid = sum(facets(:) > begins, 2);
    attributes = zeros(numel(facets), 1, 'uint16');
end
if isempty(corners), error('MATLAB:polyfun:stlFileFormat', 'The file ''%s'' has no triangles.', file); end
[points, ~, place] = unique(corners, 'rows', 'stable');
TR = triangulation(reshape(place, 3, [])', points);
end
