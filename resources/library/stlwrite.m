function stlwrite(TR, file, varargin)
% stlwrite(TR, file), stlwrite(TR, file, 'binary' or 'text'): write a triangulation of points in space as an STL file.
%   Options: 'Attributes' (a uint16 for each triangle, binary) and 'SolidIndex' (the solid of each triangle, text).
format = 'binary';
if mod(numel(varargin), 2) == 1
    format = validatestring(varargin{1}, {'binary', 'text'}, 'stlwrite');
    varargin(1) = [];
end
P = TR.Points;
T = TR.ConnectivityList;
if size(T, 2) ~= 3, error('MATLAB:polyfun:stlTriangles', 'A triangulation of triangles is needed.'); end
if size(P, 2) == 2, P(:, 3) = 0; end
o = struct('Attributes', zeros(size(T, 1), 1, 'uint16'), 'SolidIndex', ones(size(T, 1), 1));
for k = 1:2:numel(varargin)
    name = validatestring(varargin{k}, fieldnames(o), 'stlwrite');
    if strcmp(name, 'Attributes') ~= strcmp(format, 'binary')
        error('MATLAB:polyfun:stlOption', 'The option %s is not one of %s files.', name, format);
    end
    if numel(varargin{k + 1}) ~= size(T, 1), error('MATLAB:polyfun:stlOptionSize', '%s must have a number for each triangle.', name); end
    o.(name) = varargin{k + 1}(:);
end
normals = cross(P(T(:, 2), :) - P(T(:, 1), :), P(T(:, 3), :) - P(T(:, 1), :), 2);
size_ = vecnorm(normals, 2, 2);
normals = normals./(size_ + (size_ == 0));
f = fopen(file, 'w', 'l');
if f < 0, error('MATLAB:polyfun:stlFailedToOpen', 'Unable to write the file ''%s''.', file); end
closing = onCleanup(@() fclose(f));
corners = permute(reshape(P(T', :), 3, [], 3), [3 1 2]);
if strcmp(format, 'binary')
    header = zeros(1, 80, 'uint8');
    header(1:21) = uint8('binary triangulation ');
    fwrite(f, header, 'uint8');
    fwrite(f, size(T, 1), 'uint32');
    numbers = [normals'; reshape(corners, 9, [])];
    records = [reshape(typecast(single(numbers(:)), 'uint8'), 48, []); reshape(typecast(uint16(o.Attributes), 'uint8'), 2, [])];
    fwrite(f, records, 'uint8');
    return
end
for s = reshape(unique(o.SolidIndex), 1, [])
    fprintf(f, 'solid\n');
    for k = reshape(find(o.SolidIndex == s), 1, [])
        fprintf(f, 'facet normal %.9g %.9g %.9g\n outer loop\n', normals(k, :));
        fprintf(f, '  vertex %.9g %.9g %.9g\n', corners(:, :, k));
        fprintf(f, ' endloop\nendfacet\n');
    end
    fprintf(f, 'endsolid\n');
end
end
