function sol = dde23(ddefun, lags, history, tspan, options, varargin)
% sol = dde23(ddefun, lags, history, tspan, options): delay differential equations, constant lags.
%   y' = ddefun(t, y, Z), where Z(:, j) is y at t - lags(j). history is y before tspan(1): a
%   function of t, a constant column, or a solution that goes on. deval(sol, t) evaluates sol.
%   Runge-Kutta pair of orders 2 and 3; steps end where a derivative jumps and are no longer than
%   the shortest lag. Options (ddeset): RelTol, AbsTol, InitialStep, MaxStep, InitialY, Jumps.
if nargin < 4, error('MATLAB:dde23:NotEnoughInputs', 'Not enough input arguments.'); end
if nargin < 5 || isempty(options), options = struct(); end
if ~isa(ddefun, 'function_handle'), ddefun = str2func(ddefun); end
refuse_(options);
lags = lags(:).';
if any(lags <= 0)
  error('MATLAB:dde23:NotPosLags', 'The lags must all be positive.');
end
t = tspan(1); last = tspan(end);
if ~(t < last)
  error('MATLAB:dde23:TspanNotIncreasing', 'TSPAN must have two entries, the first less than the second.');
end
rtol = ddeget(options, 'RelTol', 1e-3); atol = ddeget(options, 'AbsTol', 1e-6); atol = atol(:);
start = ddeget(options, 'InitialY', []);
steps = 0; failed = 0; calls = 0;
if isstruct(history)
  if abs(history.x(end) - t) > 10*eps(t)
    error('MATLAB:dde23:NotContinuation', 'TSPAN must begin where the given solution ends.');
  end
  past = history.history; X = history.x; Y = history.y; S = history.yp;
  y = Y(:, end); jumps = history.discont;
else
  past = history; y = past_(past, t, varargin); X = t; Y = y; S = []; jumps = [];
end
level = 4 + ~isempty(start);
if ~isempty(start), y = start(:); Y(:, end) = y; end
first = X(1);
stops = stops_([first, jumps, ddeget(options, 'Jumps', [])], lags, level, t, last);
at = ones(1, numel(lags));
k1 = slope_(t, y);
if isempty(S), S = k1; else, S(:, end) = k1; end
longest = min([ddeget(options, 'MaxStep', (last - t)/10), lags]);
h = ddeget(options, 'InitialStep', []);
if isempty(h)
  rate = max(abs(k1)./max(abs(y), atol/rtol))/(0.8*rtol^(1/3));
  h = longest;
  if h*rate > 1, h = 1/rate; end
end
n = numel(X); next = 1;
while t < last
  h = min(h, longest);
  while next < numel(stops) && stops(next) <= t, next = next + 1; end
  target = stops(next);
  hit = t + 1.1*h >= target;
  if hit
    h = target - t;
    hit = h <= longest*(1 + 1e-9);  % the last digits of a sum of lags are no step
    if ~hit, h = h/2; end
  end
  if h < 16*eps(t)
    warning('MATLAB:dde23:IntegrationTolNotMet', ...
      'Failure at t=%e. Unable to meet integration tolerances without reducing the step size below the smallest value allowed.', t);
    break
  end
  k2 = slope_(t + h/2, y + h/2*k1);
  k3 = slope_(t + 3*h/4, y + 3*h/4*k2);
  new = y + h*(2*k1 + 3*k2 + 4*k3)/9;
  k4 = slope_(t + h, new);
  wrong = max(abs(h*(-5*k1 + 6*k2 + 8*k3 - 9*k4)/72)./max(max(abs(y), abs(new)), atol/rtol));
  if ~(wrong <= rtol)
    failed = failed + 1;
    h = h*max(0.1, 0.8*(rtol/wrong)^(1/3));
    if isnan(h), h = (target - t)/1e3; end
    continue
  end
  steps = steps + 1;
  if hit, t = target; else, t = t + h; end
  y = new; n = n + 1;
  if n > size(Y, 2), X(2*n) = 0; Y(1, 2*n) = 0; S(1, 2*n) = 0; end
  X(n) = t; Y(:, n) = y; S(:, n) = k4;
  k1 = k4;
  h = h*min(5, 0.8*(rtol/max(wrong, 1e-12*rtol))^(1/3));
end
sol = struct('solver', 'dde23', 'history', {past}, 'discont', [first, stops(1:end-1)], ...
  'x', X(1:n), 'y', Y(:, 1:n), 'stats', struct('nsteps', steps, 'nfailed', failed, 'nfevals', calls), ...
  'yp', S(:, 1:n));

  function s = slope_(time, value)
    Z = zeros(numel(y), numel(lags));
    for j = 1:numel(lags)
      Z(:, j) = delayed_(j, time - lags(j));
    end
    s = ddefun(time, value, Z, varargin{:});
    s = s(:);
    calls = calls + 1;
  end

  function v = delayed_(j, time)
    if time < first, v = past_(past, time, varargin); return, end
    known = numel(X);
    if exist('n', 'var') && ~isempty(n), known = n; end
    k = min(at(j), known);
    while k > 1 && X(k) > time, k = k - 1; end
    while k < known - 1 && X(k + 1) <= time, k = k + 1; end
    at(j) = k;
    if known == 1 || time == X(k), v = Y(:, k); return, end
    w = X(k + 1) - X(k); u = (time - X(k))/w;
    v = Y(:, k)*(1 + 2*u)*(1 - u)^2 + w*S(:, k)*u*(1 - u)^2 ...
      + Y(:, k + 1)*u^2*(3 - 2*u) + w*S(:, k + 1)*u^2*(u - 1);
  end
end

function v = past_(past, time, more)
if isa(past, 'function_handle') || ischar(past)
  v = feval(past, time, more{:});
else
  v = past;
end
v = v(:);
end

function found = stops_(places, lags, level, t, last)
% Where low derivatives jump: the places, shifted by the lags again and again; the end is the last.
found = []; wave = places(:).';
for k = 1:level
  wave = unique(reshape(wave(:) + lags, 1, []));
  wave = wave(wave < last);
  found = [found, wave];
end
found = unique([found, places(:).', last]);
found = found(found > t & found <= last);
close = [diff(found) < 10*eps(last), false];
found = found(~close);
end

function refuse_(options)
for name = {'Events', 'OutputFcn', 'OutputSel', 'NormControl', 'Refine'}
  if isfield(options, name{1}) && ~isempty(options.(name{1})) && ~isequal(options.(name{1}), 'off')
    error('MATLAB:dde23:unsupportedOption', 'Option ''%s'' is not supported by dde23; set it to [] or leave it out.', name{1});
  end
end
end
