classdef arima
    % Mdl = arima(p, D, q), arima('ARLags', l, 'D', d, 'MALags', m, ...): an autoregressive integrated moving average of a time series,
    %   A(L) (1 - L)^D (1 - L^s) y(t) = c + B(L) e(t), with Gaussian errors. Options: 'Constant', 'AR', 'ARLags', 'MA', 'MALags', 'SAR', 'SARLags',
    %   'SMA', 'SMALags', 'D', 'Seasonality', 'Variance', 'Description'; NaN is what estimate finds. Regressors ('Beta'), other distributions and
    %   conditional variances are refused.
    properties
        Description = "";
        P = 0;
        D = 0;
        Q = 0;
        Constant = NaN;
        AR = {};
        SAR = {};
        MA = {};
        SMA = {};
        Seasonality = 0;
        Variance = NaN;
    end

    methods
        function m = arima(varargin)
            % arima(p, D, q) or names and values.
            if nargin == 3 && isnumeric(varargin{1})
                [p, d, q] = deal(varargin{:});
                if any([p d q] < 0 | [p d q] ~= fix([p d q])), error('econ:arima:orders', 'Orders must be integers that are not negative.'); end
                m.D = d;
                [m.AR, m.MA] = deal(repmat({NaN}, 1, p), repmat({NaN}, 1, q));
            else
                o = optionsOf(varargin);
                for name = {'D', 'Constant', 'Seasonality', 'Variance', 'Description'}
                    if isfield(o, name{1}), m.(name{1}) = o.(name{1}); end
                end
                for name = {'AR', 'MA', 'SAR', 'SMA'}
                    m.(name{1}) = lagged(o, name{1});
                end
            end
            m.P = numel(leftSide(m)) - 1;
            m.Q = numel(rightSide(m)) - 1;
        end

        function [e, v, logL] = infer(m, y, varargin)
            % [E, V, logL] = infer(Mdl, y, 'Y0', y0, 'E0', e0): the errors, a column for each of y's, their variances, and the log-likelihood.
            known(m);
            o = presample(varargin, {'Y0', 'E0'}, 'infer');
            if isrow(y), y = y'; end
            e = zeros(size(y));
            for k = 1:size(y, 2)
                e(:, k) = errorsOf(m, y(:, k), given(o, 'Y0', k), given(o, 'E0', k));
            end
            v = m.Variance*ones(size(y));
            logL = -0.5*sum(log(2*pi*v) + e.^2./v);
        end

        function [m, covariance, logL, info] = estimate(m, y, varargin)
            % [EstMdl, EstParamCov, logL, info] = estimate(Mdl, y, 'Y0', y0, 'E0', e0, 'Display', 'off'): the model with its NaN found by the largest
            %   likelihood given what comes before: y0, or the first P values of y. Parameters in EstParamCov are the constant, AR, SAR, MA, SMA, variance.
            o = presample(varargin, {'Y0', 'E0', 'Display'}, 'estimate');
            y = y(:);
            y0 = given(o, 'Y0', 1);
            if isempty(y0) && m.P > 0
                if numel(y) <= m.P, error('econ:arima:tooShort', 'There must be more than P = %d values.', m.P); end
                [y0, y] = deal(y(1:m.P), y(m.P + 1:end));
            end
            e0 = given(o, 'E0', 1);
            [x, free, names] = parametersOf(m);
            start = x;
            start(free) = startOf(m, [y0; y], x, free);
            errors_ = @(b) guarded(withParameters(m, put(start, free, b)), y, y0, e0);
            best = start(free);
            if any(free)
                options = optimoptions('lsqnonlin', 'Display', 'off', 'FunctionTolerance', 1e-10, 'StepTolerance', 1e-10, 'OptimalityTolerance', 1e-10);
                [best, ~, ~, flag] = lsqnonlin(errors_, best, [], [], options);
            else
                flag = 1;
            end
            x = put(start, free, best);
            m = withParameters(m, x);
            e = errorsOf(m, y, y0, e0);
            findsVariance = isnan(m.Variance);
            if findsVariance, m.Variance = mean(e.^2); end
            n = numel(e);
            logL = -n/2*log(2*pi*m.Variance) - sum(e.^2)/(2*m.Variance);
            slopes = zeros(n, nnz(free));
            at = find(free)';
            for k = 1:numel(at)
                step = 1e-5*max(1, abs(x(at(k))));
                [up, down] = deal(x);
                up(at(k)) = up(at(k)) + step;
                down(at(k)) = down(at(k)) - step;
                slopes(:, k) = (errorsOf(withParameters(m, up), y, y0, e0) - errorsOf(withParameters(m, down), y, y0, e0))/(2*step);
            end
            scores = -slopes.*e/m.Variance;
            all_ = [free; findsVariance];
            if findsVariance, scores = [scores, -0.5/m.Variance + e.^2/(2*m.Variance^2)]; end
            covariance = zeros(numel(all_));
            covariance(all_, all_) = inv(scores'*scores);
            info = struct('exitflag', flag, 'options', [], 'X', [x; m.Variance], 'X0', start);
            if ~strcmpi(given(o, 'Display', 1), 'off')
                shown(m, [x; m.Variance], covariance, [names, {'Variance'}]);
            end
        end

        function [y, mse] = forecast(m, periods, varargin)
            % [Y, YMSE] = forecast(Mdl, n, y0), forecast(Mdl, n, 'Y0', y0): the values expected after y0, and their mean square errors.
            known(m);
            if ~isempty(varargin) && isnumeric(varargin{1}), varargin = [{'Y0'}, varargin]; end
            o = presample(varargin, {'Y0', 'E0'}, 'forecast');
            a = leftSide(m);
            b = rightSide(m);
            past = o.Y0;
            if isrow(past), past = past'; end
            if isempty(past) && m.P > 0 && m.D == 0 && m.Seasonality == 0, past = m.Constant/sum(a)*ones(m.P, 1); end
            if size(past, 1) < m.P, error('econ:arima:presample', 'Y0 must have P = %d values at least.', m.P); end
            if isempty(past), past = zeros(0, 1); end
            y = zeros(periods, size(past, 2));
            for k = 1:size(past, 2)
                e = given(o, 'E0', k);
                if isempty(e) && size(past, 1) > m.P, e = errorsOf(m, past(m.P + 1:end, k), past(1:m.P, k), []); end
                e = [zeros(max(m.Q - numel(e), 0), 1); e(:); zeros(periods, 1)];
                e = e(end - periods - m.Q + 1:end);
                whole = [past(end - m.P + 1:end, k); zeros(periods, 1)];
                for t = 1:periods
                    whole(m.P + t) = m.Constant - a(2:end)*whole(m.P + t - 1:-1:t) + b*e(m.Q + t:-1:t);
                end
                y(:, k) = whole(m.P + 1:end);
            end
            weights = filter(b, a, [1; zeros(periods - 1, 1)]);
            mse = m.Variance*cumsum(weights.^2) + zeros(size(y));
        end

        function [y, e, v] = simulate(m, count, varargin)
            % [Y, E, V] = simulate(Mdl, n, 'NumPaths', k, 'Y0', y0, 'E0', e0): n random values in each of k columns, their errors and variances.
            known(m);
            o = presample(varargin, {'NumPaths', 'Y0', 'E0'}, 'simulate');
            paths = 1;
            if ~isempty(o.NumPaths), paths = o.NumPaths; end
            [a, b] = deal(leftSide(m), rightSide(m));
            warm = 0;
            if isempty(o.Y0) && m.D == 0 && m.Seasonality == 0, warm = 100 + 10*m.P; end
            e = sqrt(m.Variance)*randn(warm + count, paths);
            y = zeros(size(e));
            for k = 1:paths
                y0 = given(o, 'Y0', min(k, size(o.Y0, 2)));
                e0 = given(o, 'E0', min(k, size(o.E0, 2)));
                if isempty(y0), y0 = zeros(m.P, 1); if warm, y0(:) = m.Constant/sum(a); end, end
                if numel(y0) < m.P, error('econ:arima:presample', 'Y0 must have P = %d values at least.', m.P); end
                e0 = [zeros(max(m.Q - numel(e0), 0), 1); e0(:)];
                moved = filter(b, 1, e(:, k), filtic(b, 1, [], flipud(e0))) + m.Constant;
                y(:, k) = filter(1, a, moved, filtic(1, a, flipud(y0(:))));
            end
            [y, e] = deal(y(warm + 1:end, :), e(warm + 1:end, :));
            v = m.Variance*ones(size(y));
        end

        function summarize(m)
            % Show the parameters.
            [x, ~, names] = parametersOf(m);
            fprintf('\n   %s\n\n', titleOf(m));
            disp(table([x; m.Variance], 'VariableNames', {'Value'}, 'RowNames', [names, {'Variance'}]));
        end
    end
end

function o = optionsOf(pairs)
known_ = {'Constant', 'AR', 'ARLags', 'MA', 'MALags', 'SAR', 'SARLags', 'SMA', 'SMALags', 'D', 'Seasonality', 'Variance', 'Description'};
o = struct();
for k = 1:2:numel(pairs)
    at = find(strcmpi(pairs{k}, known_));
    if isempty(at) || k == numel(pairs)
        error('econ:arima:unsupportedOption', '''%s'' is not an option of arima here, or lacks its value; options are: %s.', char(pairs{k}), strjoin(known_, ', '));
    end
    o.(known_{at}) = pairs{k + 1};
end
end

function c = lagged(o, name)
% Coefficients by lag, 0 where there is none.
values = {};
if isfield(o, name), values = o.(name); end
if ~iscell(values), values = num2cell(values(:)'); end
lags = 1:numel(values);
if isfield(o, [name 'Lags']), lags = o.([name 'Lags'])(:)'; end
if isempty(values), values = repmat({NaN}, 1, numel(lags)); end
if isscalar(values) && ~isscalar(lags), values = repmat(values, 1, numel(lags)); end
if numel(values) ~= numel(lags) || any(lags < 1 | lags ~= fix(lags))
    error('econ:arima:lags', '%sLags must be positive integers, one for each coefficient.', name);
end
c = repmat({0}, 1, max([lags 0]));
c(lags) = values;
end

function p = polynomial(c, sign_)
p = [1, sign_*cell2mat(reshape(c, 1, []))];
if isempty(c), p = 1; end
end

function a = leftSide(m)
a = conv(polynomial(m.AR, -1), polynomial(m.SAR, -1));
for k = 1:m.D, a = conv(a, [1 -1]); end
if m.Seasonality > 0, a = conv(a, [1 zeros(1, m.Seasonality - 1) -1]); end
end

function b = rightSide(m)
b = conv(polynomial(m.MA, 1), polynomial(m.SMA, 1));
end

function e = errorsOf(m, y, y0, e0)
[a, b] = deal(leftSide(m), rightSide(m));
y = y(:);
if isempty(y0), y0 = repmat(mean(y), m.P, 1); end
y0 = y0(:);
if numel(y0) < m.P, error('econ:arima:presample', 'Y0 must have P = %d values at least.', m.P); end
e0 = [zeros(max(m.Q - numel(e0), 0), 1); e0(:)];
moved = filter(a, 1, y, filtic(a, 1, [], flipud(y0(end - m.P + 1:end)))) - m.Constant;
e = filter(1, b, moved, filtic(1, b, flipud(e0(end - m.Q + 1:end))));
end

function e = guarded(m, y, y0, e0)
% Errors, huge ones where the moving average cannot be undone.
b = rightSide(m);
e = errorsOf(m, y, y0, e0);
far = max([0; abs(roots(b))]);
if far > 1 || any(~isfinite(e)), e = 1e3*far*(1 + std(y))*ones(size(e)); end
end

function [x, free, names] = parametersOf(m)
x = m.Constant;
names = {'Constant'};
for name = {'AR', 'SAR', 'MA', 'SMA'}
    c = m.(name{1});
    for k = 1:numel(c)
        if isnan(c{k}) || c{k} ~= 0
            x(end + 1, 1) = c{k}; %#ok<AGROW>
            names{end + 1} = sprintf('%s{%d}', name{1}, k); %#ok<AGROW>
        end
    end
end
free = isnan(x);
end

function m = withParameters(m, x)
m.Constant = x(1);
at = 1;
for name = {'AR', 'SAR', 'MA', 'SMA'}
    c = m.(name{1});
    for k = 1:numel(c)
        if isnan(c{k}) || c{k} ~= 0
            at = at + 1;
            c{k} = x(at);
            if c{k} == 0, c{k} = 1e-300; end
        end
    end
    m.(name{1}) = c;
end
end

function x = put(x, free, b)
x(free) = b;
end

function b = startOf(m, y, x, free)
% Autoregressions from a regression on earlier values, the rest 0.
start = x;
start(free) = 0;
w = y;
for k = 1:m.D, w = diff(w); end
if m.Seasonality > 0, w = w(m.Seasonality + 1:end) - w(1:end - m.Seasonality); end
lags = find(cellfun(@(c) isnan(c) || c ~= 0, m.AR));
if ~isempty(lags) && numel(w) > 2*max(lags)
    X = lagmatrix(w, lags);
    rows = max(lags) + 1:numel(w);
    found = [ones(numel(rows), 1) X(rows, :)]\w(rows);
    a = polynomial(num2cell(found(2:end)'), -1);
    if all(abs(roots(a)) < 0.99), start(1:numel(lags) + 1) = found; else, start(1) = mean(w); end
else
    start(1) = mean(w);
end
if ~free(1), start(1) = x(1); end
b = start(free);
end

function known(m)
[x, free] = parametersOf(m);
if any(free) || any(isnan([x; m.Variance])), error('econ:arima:unknownParameters', 'The model has parameters that are NaN; estimate them first.'); end
end

function o = presample(pairs, names, caller)
o = struct('Y0', [], 'E0', [], 'Display', 'params', 'NumPaths', []);
for k = 1:2:numel(pairs)
    name = validatestring(pairs{k}, names, caller);
    if k == numel(pairs), error('econ:arima:missingValue', 'The option %s lacks its value.', name); end
    o.(name) = pairs{k + 1};
    if any(strcmp(name, {'Y0', 'E0'})) && isrow(o.(name)), o.(name) = o.(name)'; end
end
end

function v = given(o, name, k)
v = o.(name);
if isnumeric(v) && ~isempty(v), v = v(:, min(k, end)); end
end

function shown(m, x, covariance, names)
error_ = sqrt(diag(covariance));
t = x./error_;
t(error_ == 0) = Inf;
fprintf('\n   %s\n\n', titleOf(m));
disp(table(x, error_, t, 2*normcdf(-abs(t)), 'VariableNames', {'Value', 'StandardError', 'TStatistic', 'PValue'}, 'RowNames', names));
end

function t = titleOf(m)
t = sprintf('ARIMA(%d,%d,%d) Model (Gaussian Distribution):', numel(m.AR), m.D, numel(m.MA));
if m.Seasonality > 0 || ~isempty(m.SAR) || ~isempty(m.SMA)
    t = sprintf('ARIMA(%d,%d,%d) Model Seasonally Integrated with Seasonal AR(%d) and MA(%d) (Gaussian Distribution):', numel(m.AR), m.D, numel(m.MA), numel(m.SAR), numel(m.SMA));
end
end
