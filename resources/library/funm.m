function [f, exitflag, output] = funm(a, fun, options, varargin)
% [F, exitflag] = funm(A, fun, options, p1, ...): a function of a square matrix. fun is @exp, @log, @sin, @cos, @sinh or @cosh,
%   or a handle whose call fun(x, k, p1, ...) gives the k-th derivative at x. options.TolBlk says which eigenvalues are close,
%   options.TolTay when a Taylor series ends, options.MaxTerms after how many terms at most. exitflag is 1 where a series did
%   not end. (Schur-Parlett algorithm of Davies and Higham.)
if ~isfloat(a) || ~ismatrix(a) || size(a, 1) ~= size(a, 2), error('MATLAB:funm:InputDim', 'First input must be a square matrix.'); end
if nargin < 3 || isempty(options), options = struct; end
known = {'TolBlk', 'TolTay', 'MaxTerms', 'MaxSqrt', 'Display', 'Ord'};
for name = fieldnames(options)'
    if ~any(strcmpi(name{1}, known)), error('MATLAB:funm:InvalidOption', '''%s'' is not an option of funm.', name{1}); end
    if any(strcmpi(name{1}, {'Display', 'Ord', 'MaxSqrt'})) && ~isempty(options.(name{1}))
        error('MATLAB:funm:UnsupportedOption', 'The option %s of funm is not supported; leave it out.', name{1});
    end
end
if strcmp(func2str(fun), 'log')
    f = logm(a);
    [exitflag, output] = deal(0, struct);
    return
end
if isempty(a)
    [f, exitflag, output] = deal(a, 0, struct);
    return
end
derivative = derivative_of(fun, varargin);
[u, t] = schur(complex(a), 'complex');
[n, exitflag] = deal(size(t, 1), 0);
groups = close_values(diag(t), setting(options, 'TolBlk', 0.1));
[u, t] = ordschur(u, t, max(groups) + 1 - groups);
sizes = histcounts(groups, 0.5:max([groups; 0]) + 0.5);
ends = cumsum(sizes);
f = zeros(n);
for j = 1:numel(sizes)
    here = ends(j) - sizes(j) + 1:ends(j);
    [f(here, here), late] = series(t(here, here), derivative, setting(options, 'TolTay', eps), setting(options, 'MaxTerms', 250));
    exitflag = max(exitflag, late);
    for i = j - 1:-1:1
        above = ends(i) - sizes(i) + 1:ends(i);
        between = above(end) + 1:here(1) - 1;
        right = f(above, above) * t(above, here) - t(above, here) * f(here, here) + f(above, between) * t(between, here) - ...
            t(above, between) * f(between, here);
        f(above, here) = sylvester(t(above, above), -t(here, here), right);
    end
end
f = u * f * u';
if isreal(a) && norm(imag(f), 1) <= 10 * n * eps * norm(f, 1), f = real(f); end
output = struct('terms', [], 'ind', {mat2cell(1:n, 1, sizes)}, 'ord', groups', 'T', t);
end

function derivative = derivative_of(fun, more)
cycles = struct('sin', {{@sin, @cos, @(x) -sin(x), @(x) -cos(x)}}, 'cos', {{@cos, @(x) -sin(x), @(x) -cos(x), @sin}}, ...
    'sinh', {{@sinh, @cosh}}, 'cosh', {{@cosh, @sinh}}, 'exp', {{@exp}});
name = func2str(fun);
if isfield(cycles, name)
    cycle = cycles.(name);
    derivative = @(x, k) cycle{mod(k, numel(cycle)) + 1}(x);
else
    derivative = @(x, k) fun(x, k, more{:});
end
end

function value = setting(options, name, usual)
fields = fieldnames(options);
at = find(strcmpi(fields, name), 1);
if isempty(at) || isempty(options.(fields{at})), value = usual; else, value = options.(fields{at}); end
end

function groups = close_values(values, tolerance)
groups = zeros(numel(values), 1);
count = 0;
for k = 1:numel(values)
    if groups(k), continue, end
    count = count + 1;
    waiting = k;
    while ~isempty(waiting)
        groups(waiting(1)) = count;
        waiting = [waiting(2:end); find(~groups & abs(values - values(waiting(1))) <= tolerance)];
        waiting = unique(waiting);
    end
end
end

function [f, late] = series(t, derivative, tolerance, most)
n = size(t, 1);
middle = mean(diag(t));
rest = t - middle * eye(n);
[f, power, late] = deal(derivative(middle, 0) * eye(n), eye(n), 0);
if n == 1, return, end
small = 0;
for k = 1:most
    power = power * rest / k;
    term = derivative(middle, k) * power;
    f = f + term;
    small = (small + 1) * (norm(term, 1) <= tolerance * norm(f, 1));
    if small > n || ~any(power(:)), return, end
end
late = 1;
end
