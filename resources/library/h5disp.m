function h5disp(file, place)
% h5disp(file), h5disp(file, place): print what an HDF5 file, or a group or data set of it, consists of.
if nargin < 2, place = '/'; end
info = h5info(file, place);
[~, name, ending] = fileparts(char(file));
fprintf('HDF5 %s%s\n', name, ending);
if isfield(info, 'Groups'), showGroup(info, ''); else, showData(info, ''); end
end

function showGroup(g, indent)
fprintf('%sGroup ''%s''\n', indent, g.Name);
inner = [indent '    '];
showAttributes(g.Attributes, inner);
for k = 1:numel(g.Datasets), showData(g.Datasets(k), inner); end
for k = 1:numel(g.Links)
    leads = strjoin(g.Links(k).Value, ' ');
    fprintf('%s%s ''%s'':  %s\n', inner, g.Links(k).Type, g.Links(k).Name, leads);
end
for k = 1:numel(g.Groups), showGroup(g.Groups(k), inner); end
end

function showData(d, indent)
fprintf('%sDataset ''%s''\n', indent, d.Name);
shape = strjoin(string(d.Dataspace.Size), 'x');
fprintf('%s    Size:  %s\n', indent, shape);
kind = d.Datatype.Type;
if ischar(kind), kind = sprintf('%s (%s)', kind, d.Datatype.Class); else, kind = d.Datatype.Class; end
fprintf('%s    Datatype:  %s\n', indent, kind);
showAttributes(d.Attributes, [indent '    ']);
end

function showAttributes(list, indent)
if isempty(list), return, end
fprintf('%sAttributes:\n', indent);
for k = 1:numel(list)
    fprintf('%s    ''%s'':  %s\n', indent, list(k).Name, char(strjoin(string(list(k).Value), ' ')));
end
end
