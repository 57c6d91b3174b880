function made = synchronize(varargin)
% synchronize(A, B, ..., times, method): timetables side by side, at the same times.
%   times: 'union' (default), 'intersection', 'first', 'last', 'commonrange', or what retime takes.
isTable = cellfun(@istimetable, varargin);
tables = varargin(isTable);
given = cell(1, numel(tables));
for k = 1:numel(tables)
    given{k} = inputname(k);
    if isempty(given{k})
        given{k} = sprintf('%d', k);
    end
end
rest = varargin(~isTable);
if numel(tables) < 2
    error('MATLAB:minrhs', 'Not enough input arguments.');
end
all = cellfun(@(T) T.(T.Properties.DimensionNames{1}), tables, 'UniformOutput', false);
word = 'union';
if ~isempty(rest)
    word = rest{1};
    rest(1) = [];
end
times = word;
if ischar(word) || isstring(word)
    switch lower(char(word))
        case 'union'
            times = unique(vertcat(all{:}));
        case 'intersection'
            times = all{1};
            for k = 2:numel(all)
                times = times(ismember(times, all{k}));
            end
        case 'first'
            times = all{1};
        case 'last'
            times = all{end};
        case 'commonrange'
            low = max(cellfun(@(t) max(datenum(min(t))), all));
            high = min(cellfun(@(t) datenum(max(t)), all));
            times = unique(vertcat(all{:}));
            times = times(datenum(times) >= low & datenum(times) <= high);
        otherwise
            joined = unique(vertcat(all{:}));
            whole = retime(timetable(joined, zeros(numel(joined), 1)), word, rest{:});
            times = whole.(whole.Properties.DimensionNames{1});
    end
end
names = cellfun(@(T) T.Properties.VariableNames, tables, 'UniformOutput', false);
flat = [names{:}];
for k = 1:numel(tables)
    tables{k} = retime(tables{k}, times, rest{:});
    for c = 1:numel(names{k})
        if nnz(strcmp(flat, names{k}{c})) > 1
            names{k}{c} = sprintf('%s_%s', names{k}{c}, given{k});
        end
    end
    tables{k}.Properties.VariableNames = names{k};
end
made = [tables{:}];
end
