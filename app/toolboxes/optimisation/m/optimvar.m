function x = optimvar(name, varargin)
% x = optimvar(name), optimvar(name, n), optimvar(name, m, n), optimvar(name, names), optimvar(..., 'Type', 'integer', 'LowerBound', l, 'UpperBound', u): an unknown of an
%   optimization problem, or an array of them, whose places can have names. Arithmetic with it makes expressions, <=, >= and == make constraints.
name = char(name);
if ~isvarname(name), error('optim_problemdef:optimvar:name', 'The name of a variable must be one that variables can have.'); end
[extent, names] = deal([], {});
while ~isempty(varargin) && ~(ischar(varargin{1}) || isStringScalar(varargin{1}) && any(strcmpi(varargin{1}, {'Type', 'LowerBound', 'UpperBound'})))
    if isnumeric(varargin{1})
        extent = [extent, double(varargin{1}(:)')]; %#ok<AGROW>
        names = [names, repmat({{}}, 1, numel(varargin{1}))]; %#ok<AGROW>
    else
        names{end + 1} = reshape(cellstr(varargin{1}), 1, []); %#ok<AGROW>
        extent(end + 1) = numel(names{end}); %#ok<AGROW>
    end
    varargin(1) = [];
end
if isempty(extent), extent = 1; end
if isscalar(extent), extent(2) = 1; if ~isempty(names) && ~isempty(names{1}), extent = [1 extent(1)]; names = {{}, names{1}}; end, end
x = OptimizationVariable(name, extent, names);
for k = 1:2:numel(varargin)
    option = validatestring(varargin{k}, {'Type', 'LowerBound', 'UpperBound'}, 'optimvar');
    if k == numel(varargin), error('optim_problemdef:optimvar:missingValue', 'The option %s lacks its value.', option); end
    x.(option) = varargin{k + 1};
end
end
