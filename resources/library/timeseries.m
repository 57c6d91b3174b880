classdef timeseries
    % Values at times: ts = timeseries(data, time, 'Name', name); the rows of the data are the samples.
    properties
        Name = 'unnamed';
        Data = [];
        Time = zeros(0, 1);
        Quality = [];
        UserData = [];
        DataInfo = struct('Units', '', 'Interpolation', 'linear');
        TreatNaNasMissing = true;
    end

    properties (Dependent)
        Length
        IsTimeFirst
        TimeInfo
    end

    properties (Access = private)
        Units = 'seconds';
        StartDate = '';
        Format = '';
    end

    methods
        function ts = timeseries(data, varargin)
            % timeseries(data), timeseries(data, time), timeseries(data, time, quality), timeseries(name).
            if nargin == 0
                return
            end
            if ischar(data) || isstring(data)
                ts.Name = char(data);
                return
            end
            given = cell(1, 2);
            count = 0;
            while count < min(2, numel(varargin)) && ~isname(varargin{count + 1})
                count = count + 1;
                given{count} = varargin{count};
            end
            for k = count + 1:2:numel(varargin)
                switch lower(char(varargin{k}))
                    case 'name', ts.Name = char(varargin{k + 1});
                    otherwise
                        error('MATLAB:timeseries:UnknownOption', 'timeseries has no option ''%s''.', char(varargin{k}));
                end
            end
            if isa(data, 'timeseries')
                name = ts.Name;
                ts = data;
                if count < numel(varargin), ts.Name = name; end
                return
            end
            ts.Time = timesof(given{1}, data);
            ts.Data = ofsamples(data, numel(ts.Time));
            ts.Quality = given{2};
        end

        function n = get.Length(ts)
            n = numel(ts.Time);
        end

        function t = get.IsTimeFirst(ts)
            t = ismatrix(ts.Data);
        end

        function info = get.TimeInfo(ts)
            steps = diff(ts.Time);
            info = struct('Units', ts.Units, 'Start', [], 'End', [], 'Increment', NaN, ...
                'Length', numel(ts.Time), 'StartDate', ts.StartDate, 'Format', ts.Format);
            if ~isempty(ts.Time), info.Start = ts.Time(1); info.End = ts.Time(end); end
            if ~isempty(steps) && max(abs(steps - steps(1))) <= 1e-10*max(abs(ts.Time))
                info.Increment = steps(1);
            end
        end

        function ts = set.TimeInfo(ts, info)
            ts.Units = info.Units;
            ts.StartDate = info.StartDate;
            ts.Format = info.Format;
        end

        function ts = set.Time(ts, t)
            ts.Time = t(:);
        end

        function n = length(ts)
            % The number of samples.
            n = numel(ts.Time);
        end

        function tf = isempty(ts)
            % Whether there are no samples.
            tf = isempty(ts.Time);
        end

        function varargout = plot(ts, varargin)
            % Draw the samples over their times.
            lines = plot(ts.Time, rows(ts), varargin{:});
            title(sprintf('Time Series Plot:%s', ts.Name));
            xlabel(sprintf('Time (%s)', ts.Units));
            if isempty(ts.DataInfo.Units), ylabel(ts.Name); else, ylabel(sprintf('%s (%s)', ts.Name, ts.DataInfo.Units)); end
            if nargout > 0, varargout{1} = lines; end
        end

        function d = getdatasamples(ts, places)
            % The data of samples by their numbers.
            d = pick(ts, places).Data;
        end

        function part = getsamples(ts, places)
            % The samples of these numbers as a time series.
            part = pick(ts, places);
        end

        function part = getsampleusingtime(ts, first, last)
            % The samples of a time, or between two times.
            if nargin < 3, last = first; end
            part = pick(ts, find(ts.Time >= first & ts.Time <= last));
        end

        function ts = addsample(ts, varargin)
            % addsample(ts, 'Data', d, 'Time', t): samples put in by their times.
            given = options(varargin, 'addsample', {'Data', 'Time', 'OverwriteFlag'});
            other = timeseries(given.Data, given.Time);
            [~, mine] = ismember(other.Time, ts.Time);
            if any(mine)
                if isempty(given.OverwriteFlag) || ~given.OverwriteFlag
                    error('MATLAB:timeseries:addsample:Exists', 'There is a sample of that time: set OverwriteFlag.');
                end
                ts = pick(ts, setdiff(1:ts.Length, mine));
            end
            ts = joined(ts, other);
        end

        function ts = delsample(ts, varargin)
            % delsample(ts, 'Index', k) or delsample(ts, 'Value', t).
            given = options(varargin, 'delsample', {'Index', 'Value'});
            ts = pick(ts, setdiff(1:ts.Length, [given.Index(:); find(ismember(ts.Time, given.Value))]));
        end

        function ts = append(ts, varargin)
            % Series one behind the other.
            for k = 1:numel(varargin), ts = joined(ts, varargin{k}); end
        end

        function ts = resample(ts, t, method)
            % The series at other times: 'linear', or 'zoh', which holds the last value.
            if nargin < 3, method = ts.DataInfo.Interpolation; end
            words = struct('linear', 'linear', 'zoh', 'previous');
            known = rows(ts);
            kept = ~any(isnan(known), 2);
            if ~isfield(words, method)
                error('MATLAB:timeseries:resample:Method', 'The method must be ''linear'' or ''zoh''.');
            end
            made = interp1(ts.Time(kept), known(kept, :), t(:), words.(method));
            ts = withrows(ts, t, made);
        end

        function ts = setinterpmethod(ts, method)
            % How resample fills in: 'linear' or 'zoh'.
            ts.DataInfo.Interpolation = char(method);
        end

        function ts = setuniformtime(ts, varargin)
            % Times at equal steps: 'StartTime', 'Interval' or 'EndTime'.
            given = options(varargin, 'setuniformtime', {'StartTime', 'Interval', 'EndTime'});
            n = ts.Length;
            if isempty(given.StartTime) && ~isempty(given.Interval) && ~isempty(given.EndTime)
                given.StartTime = given.EndTime - (n - 1)*given.Interval;
            end
            if isempty(given.StartTime), given.StartTime = 0; end
            if isempty(given.Interval)
                given.Interval = 1;
                if ~isempty(given.EndTime), given.Interval = (given.EndTime - given.StartTime)/max(n - 1, 1); end
            end
            ts.Time = given.StartTime + (0:n - 1)*given.Interval;
        end

        function ts = detrend(ts, kind)
            % Without the mean ('constant') or the straight line ('linear') of each column.
            if nargin < 2, kind = 'linear'; end
            ts = withrows(ts, ts.Time, detrend(rows(ts), kind));
        end

        function ts = filter(ts, numerator, denominator)
            % A rational filter of each column.
            ts = withrows(ts, ts.Time, filter(numerator, denominator, rows(ts), [], 1));
        end

        function r = sum(ts), r = shaped(ts, sum(rows(ts), 1, 'omitnan')); end
        function r = mean(ts), r = shaped(ts, mean(rows(ts), 1, 'omitnan')); end
        function r = median(ts), r = shaped(ts, median(rows(ts), 1, 'omitnan')); end
        function r = std(ts), r = shaped(ts, std(rows(ts), 0, 1, 'omitnan')); end
        function r = var(ts), r = shaped(ts, var(rows(ts), 0, 1, 'omitnan')); end
        function r = min(ts), r = shaped(ts, min(rows(ts), [], 1)); end
        function r = max(ts), r = shaped(ts, max(rows(ts), [], 1)); end
        function r = iqr(ts), r = shaped(ts, iqr(rows(ts), 1)); end

        function c = plus(a, b), c = combined(a, b, @plus); end
        function c = minus(a, b), c = combined(a, b, @minus); end
        function c = times(a, b), c = combined(a, b, @times); end
        function c = mtimes(a, b), c = combined(a, b, @times); end
        function c = rdivide(a, b), c = combined(a, b, @rdivide); end
        function c = mrdivide(a, b), c = combined(a, b, @rdivide); end
        function a = uminus(a), a.Data = -a.Data; end

        function disp(ts)
            fprintf('  timeseries\n\n  Common Properties:\n');
            fprintf('            Name: ''%s''\n            Time: [%dx1 %s]\n', ts.Name, ts.Length, class(ts.Time));
            fprintf('            Data: [%s %s]\n\n', strjoin(string(size(ts.Data)), 'x'), class(ts.Data));
        end
    end

    methods (Access = private)
        function d = rows(ts)
            % The data with a row for each sample.
            d = ts.Data;
            if ~ismatrix(d), d = reshape(d, [], ts.Length).'; end
        end

        function r = shaped(ts, r)
            % A row of results in the shape of a sample.
            shape = size(ts.Data);
            if numel(shape) > 2, r = reshape(r, [shape(1:end - 1), 1]); end
        end

        function ts = withrows(ts, t, made)
            shape = size(ts.Data);
            ts.Time = t;
            if numel(shape) > 2, made = reshape(made.', [shape(1:end - 1), numel(t)]); end
            ts.Data = made;
        end

        function ts = pick(ts, places)
            d = rows(ts);
            if ~isempty(ts.Quality), ts.Quality = ts.Quality(places); end
            ts = withrows(ts, ts.Time(places), d(places, :));
        end

        function ts = joined(ts, other)
            [t, order] = sort([ts.Time; other.Time]);
            both = [rows(ts); rows(other)];
            if ~isempty(ts.Quality), ts.Quality = []; end
            ts = withrows(ts, t, both(order, :));
        end
    end
end

function tf = isname(v)
tf = ischar(v) || isstring(v);
end

function t = timesof(t, data)
% The times given, or 0, 1, 2 ... for each sample.
if isempty(t)
    n = size(data, 1);
    if isrow(data), n = numel(data); elseif ~ismatrix(data), n = size(data, ndims(data)); end
    t = 0:n - 1;
end
t = double(t(:));
end

function d = ofsamples(d, n)
% Data whose first dimension (of matrices) or last one is that of the samples.
if isrow(d) && numel(d) == n, d = d(:); end
if ismatrix(d) && size(d, 1) ~= n && size(d, 2) == n, d = reshape(d, size(d, 1), 1, n); end
if size(d, 1) ~= n && size(d, ndims(d)) ~= n
    error('MATLAB:timeseries:SizeMismatch', 'The data must have a sample for each of the %d times.', n);
end
if ~ismatrix(d) && size(d, ndims(d)) ~= n, d = permute(d, [2:ndims(d), 1]); end
end

function c = combined(a, b, operation)
% An operation of two series of the same times, or of a series and numbers.
if isa(a, 'timeseries') && isa(b, 'timeseries')
    if ~isequal(a.Time, b.Time)
        error('MATLAB:timeseries:TimesDiffer', 'The series must have the same times: resample one of them.');
    end
    c = a;
    c.Data = operation(a.Data, b.Data);
elseif isa(a, 'timeseries')
    c = a;
    c.Data = operation(a.Data, b);
else
    c = b;
    c.Data = operation(a, b.Data);
end
end

function given = options(pairs, name, known)
% Named inputs of a method, empty where they are not given.
given = cell2struct(cell(size(known)), known, 2);
for k = 1:2:numel(pairs)
    word = known(strcmpi(pairs{k}, known));
    if isempty(word)
        error('MATLAB:timeseries:UnknownOption', '%s has no option ''%s''.', name, char(pairs{k}));
    end
    given.(word{1}) = pairs{k + 1};
end
end
