function varargout = grpstats(x, group, which)
% m = grpstats(x, group): the means of the columns of x in each group, in the order of the groups.
%   [a, b, ...] = grpstats(x, group, which): which is a name or a cell of names: 'mean', 'sem',
%   'numel', 'gname', 'std', 'var', 'min', 'max', 'range', 'median', 'mode', or functions.
if nargin < 2
    group = [];
end
if nargin < 3
    which = {'mean'};
end
if istable(x)
    error('stats:grpstats:Table', 'For tables use groupsummary.');
end
if isstring(which)
    which = cellstr(which);
elseif ischar(which) || isa(which, 'function_handle')
    which = {which};
end
if isvector(x)
    x = x(:);
end
if isempty(group)
    group = ones(size(x, 1), 1);
end
[place, names] = numbered(group);
count = size(names, 1);
varargout = cell(1, numel(which));
for k = 1:numel(which)
    varargout{k} = one(x, place, names, count, which{k});
end
end

function [place, names] = numbered(group)
if iscell(group) && ~iscellstr(group)
    [parts, labels] = deal(zeros(numel(group{1}), 0), {});
    for k = 1:numel(group)
        [parts(:, k), labels{k}] = numbered(group{k});
    end
    [rows, ~, place] = unique(parts, 'rows');
    names = cell(size(rows));
    for k = 1:numel(group)
        names(:, k) = labels{k}(rows(:, k));
    end
    return
end
if ischar(group)
    group = cellstr(group);
end
[values, ~, place] = unique(group(:));
if isnumeric(values) || islogical(values)
    names = arrayfun(@(v) num2str(v), values, 'UniformOutput', false);
else
    names = cellstr(values);
end
end

function made = one(x, place, names, count, what)
if isa(what, 'function_handle')
    f = what;
else
    switch lower(char(what))
        case 'gname'
            made = names;
            return
        case 'mean',   f = @(v) mean(v, 1, 'omitnan');
        case 'sem',    f = @(v) std(v, 0, 1, 'omitnan')./sqrt(sum(~isnan(v), 1));
        case 'numel',  f = @(v) sum(~isnan(v), 1);
        case 'std',    f = @(v) std(v, 0, 1, 'omitnan');
        case 'var',    f = @(v) var(v, 0, 1, 'omitnan');
        case 'min',    f = @(v) min(v, [], 1);
        case 'max',    f = @(v) max(v, [], 1);
        case 'range',  f = @(v) max(v, [], 1) - min(v, [], 1);
        case 'median', f = @(v) median(v, 1, 'omitnan');
        case 'mode',   f = @(v) mode(v, 1);
        otherwise
            error('stats:grpstats:BadWhichStats', 'Unknown statistic ''%s''.', char(what));
    end
end
for g = count:-1:1
    value = f(x(place == g, :));
    made(g, 1:numel(value)) = value;
end
end
