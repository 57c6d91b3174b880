function made = retime(T, times, varargin)
% retime(T, times, method): the timetable T at other times.
%   times: a vector of times, 'secondly', 'minutely', 'hourly', 'daily', 'weekly', 'monthly',
%   'quarterly' or 'yearly', or 'regular' with 'TimeStep', step. Methods: 'fillwithmissing',
%   'fillwithconstant', 'previous', 'next', 'nearest', 'linear', 'spline', 'pchip', and over the
%   rows from one time to the next 'sum', 'mean', 'median', 'mode', 'prod', 'min', 'max', 'count',
%   'firstvalue', 'lastvalue', or a function handle. Options: 'TimeStep', 'Constant', 'EndValues'.
%   Without a method each variable's VariableContinuity decides: 'continuous' is 'linear', 'step' is
%   'previous'.
if ~istimetable(T)
    error('MATLAB:timetable:retime:NotTimetable', 'The first input must be a timetable.');
end
name = T.Properties.DimensionNames{1};
old = T.(name);
method = 'default';
if mod(numel(varargin), 2) == 1
    method = varargin{1};
    varargin(1) = [];
end
options = struct('TimeStep', [], 'Constant', 0, 'SampleRate', [], 'EndValues', 'extrap');
for k = 1:2:numel(varargin)
    if ~isfield(options, char(varargin{k}))
        error('MATLAB:timetable:retime:UnknownOption', 'Unknown option ''%s''.', ...
            char(varargin{k}));
    end
    options.(char(varargin{k})) = varargin{k + 1};
end
if ~isempty(options.SampleRate)
    options.TimeStep = seconds(1/options.SampleRate);
end
if ischar(times) || isstring(times)
    times = regular(old, lower(char(times)), options.TimeStep);
end
times = times(:);
columns = cell(1, width(T));
for k = 1:width(T)
    columns{k} = column(T.(T.Properties.VariableNames{k}), old, times, ...
        chosen(method, T.Properties.VariableContinuity, k), options.Constant);
    if isnumeric(options.EndValues)
        columns{k}(times < min(old) | times > max(old), :) = options.EndValues;
    end
end
made = timetable(times, columns{:}, 'VariableNames', T.Properties.VariableNames);
made.Properties.DimensionNames{1} = name;
for kind = {'VariableUnits', 'VariableDescriptions', 'VariableContinuity'}
    made.Properties.(kind{1}) = T.Properties.(kind{1});
end
end

function method = chosen(method, continuity, k)
% The method, or what the continuity of variable k means.
if ~ischar(method) || ~strcmp(method, 'default') || isempty(continuity)
    return
end
kinds = struct('continuous', 'linear', 'step', 'previous', 'event', 'fillwithmissing', ...
    'unset', 'fillwithmissing');
if isfield(kinds, continuity{k})
    method = kinds.(continuity{k});
end
end

function times = regular(old, word, step)
% The times a word means, from before the first to the last.
units = struct('secondly', 'second', 'minutely', 'minute', 'hourly', 'hour', 'daily', 'day', ...
    'weekly', 'week', 'monthly', 'month', 'quarterly', 'quarter', 'yearly', 'year');
first = min(old);
last = max(old);
if strcmp(word, 'regular')
    if isempty(step)
        error('MATLAB:timetable:retime:NoTimeStep', 'Regular times need a TimeStep.');
    end
    times = first:step:last;
elseif ~isfield(units, word)
    error('MATLAB:timetable:retime:InvalidTimeStep', 'Unknown time step ''%s''.', word);
elseif isduration(old)
    sizes = struct('second', seconds(1), 'minute', minutes(1), 'hour', hours(1), 'day', days(1), ...
        'year', years(1));
    step = sizes.(units.(word));
    times = floor(first/step)*step:step:last;
else
    start = dateshift(first, 'start', units.(word));
    count = 0;
    times = start;
    while times(end) < last
        count = count + 1;
        times(end + 1) = dateshift(start, 'start', units.(word), count); %#ok<AGROW>
    end
    times = times(times <= last);
end
end

function made = column(values, old, times, method, constant)
% One variable at the new times.
if isa(method, 'function_handle')
    made = gathered(values, old, times, method);
    return
end
method = lower(char(method));
switch method
    case {'sum', 'mean', 'median', 'mode', 'prod', 'min', 'max'}
        made = gathered(values, old, times, str2func(method));
    case 'count'
        made = gathered(values, old, times, @(x) size(x, 1));
    case 'firstvalue'
        made = gathered(values, old, times, @(x) x(1, :));
    case 'lastvalue'
        made = gathered(values, old, times, @(x) x(end, :));
    case {'previous', 'next', 'nearest', 'linear', 'spline', 'pchip'}
        made = between(values, old, times, method);
    case {'fillwithmissing', 'fillwithconstant', 'default'}
        made = filled(values, old, times, strcmp(method, 'fillwithconstant'), constant);
    otherwise
        error('MATLAB:timetable:retime:InvalidMethod', 'Unknown method ''%s''.', method);
end
end

function made = gathered(values, old, times, fun)
% What a function makes of the rows from each time to the next; NaN (0 for counts and sums) of none.
made = nan(numel(times), size(values, 2));
empty = NaN;
if any(strcmp(func2str(fun), {'sum', '@(x)size(x,1)'}))
    empty = 0;
end
for k = 1:numel(times)
    rows = old >= times(k);
    if k < numel(times)
        rows = rows & old < times(k + 1);
    end
    made(k, :) = empty;
    if any(rows) && isequal(fun, @mean)
        made(k, :) = mean(values(rows, :), 1);
    elseif any(rows) && ~isequal(fun, @mean)
        for c = 1:size(values, 2)
            made(k, c) = fun(values(rows, c));
        end
    end
end
end

function made = between(values, old, times, method)
origin = old(1);
if isduration(old)
    x = seconds(old);
    q = seconds(times);
else
    x = seconds(old - origin);
    q = seconds(times - origin);
end
made = interp1(x, double(values), q, method);
if ~any(strcmp(method, {'previous', 'next', 'nearest'}))
    made = interp1(x, double(values), q, method, 'extrap');
end
made = reshape(made, numel(q), []);
end

function made = filled(values, old, times, with, constant)
[known, place] = ismember(times, old);
made = values(max(place, 1), :);
if all(known)
    return
end
if with
    made(~known, :) = constant;
elseif isnumeric(values) && isfloat(values)
    made(~known, :) = NaN;
elseif isnumeric(values) || islogical(values)
    made(~known, :) = 0;
elseif iscell(values)
    made(~known, :) = {''};
else
    made(~known, :) = missing;
end
end
