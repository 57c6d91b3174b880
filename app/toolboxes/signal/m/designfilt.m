function d = designfilt(resp, varargin)
% d = designfilt(resp, Name, Value, ...): a digital filter that meets a specification; filter(d, x), filtfilt(d, x), freqz(d).
%   resp: 'lowpassfir', 'highpassfir', 'bandpassfir', 'bandstopfir', the same with 'iir', 'hilbertfir', 'arbmagfir'.
%   Names that tell the edges: FilterOrder, CutoffFrequency, HalfPowerFrequency, PassbandFrequency, StopbandFrequency
%   (with 1 and 2 behind them for two edges), PassbandRipple and StopbandAttenuation in decibels, TransitionWidth,
%   Frequencies and Amplitudes. DesignMethod, SampleRate (frequencies count to 1 without it), Window, MatchExactly,
%   ScalePassband, PassbandWeight and StopbandWeight. Without FilterOrder the filter has the least order.
resp = validatestring(resp, {'lowpassfir', 'highpassfir', 'bandpassfir', 'bandstopfir', 'hilbertfir', 'arbmagfir', ...
    'lowpassiir', 'highpassiir', 'bandpassiir', 'bandstopiir'}, 'designfilt', 'RESP');
if mod(numel(varargin), 2)
    error('signal:designfilt:InvalidInputPairs', 'Names and values must come in pairs.');
end
spec = struct();
for k = 1:2:numel(varargin)
    spec.(known(varargin{k})) = varargin{k + 1};
end
rate = 2;
if isfield(spec, 'SampleRate')
    rate = spec.SampleRate;
    validateattributes(rate, {'numeric'}, {'scalar', 'positive', 'finite'}, 'designfilt', 'SampleRate');
end
[kind, shape] = deal(resp(end-2:end), resp(1:end-3));
plan = struct('spec', spec, 'shape', shape, 'nyquist', rate/2, 'method', '', 'used', {{}});
if isfield(spec, 'DesignMethod'), plan.method = lower(char(spec.DesignMethod)); end
if strcmp(kind, 'iir')
    [coefficients, plan] = recursive(plan);
elseif any(strcmp(shape, {'hilbert', 'arbmag'}))
    [coefficients, plan] = shaped(plan);
else
    [coefficients, plan] = banded(plan);
end
left = setdiff(fieldnames(spec), [plan.used, {'DesignMethod', 'SampleRate'}]);
if ~isempty(left)
    error('signal:designfilt:InvalidSpecification', 'The parameter ''%s'' does not go with the others for a response of ''%s'' by the method ''%s''.', left{1}, resp, plan.method);
end
spec = rmfield(spec, intersect(fieldnames(spec), {'DesignMethod', 'SampleRate'}));
d = digitalFilter(coefficients, shape, kind, rate, plan.method, spec);
end

function name = known(name)
% The name of a parameter, in full.
names = {'FilterOrder', 'TransitionWidth', 'Frequencies', 'Amplitudes', 'DesignMethod', 'SampleRate', 'Window', ...
    'MatchExactly', 'ScalePassband', 'PassbandWeight', 'StopbandWeight'};
for stem = {'CutoffFrequency', 'HalfPowerFrequency', 'PassbandFrequency', 'StopbandFrequency', 'PassbandRipple', 'StopbandAttenuation', 'PassbandWeight', 'StopbandWeight'}
    names = [names, strcat(stem{1}, {'', '1', '2'})]; %#ok<AGROW>
end
at = find(strcmpi(char(name), names), 1);
if isempty(at), error('signal:designfilt:InvalidParameter', '''%s'' is not a parameter of designfilt.', char(name)); end
name = names{at};
end

function yes = has(plan, stem)
% Whether a parameter is given: with two edges, both of them.
if strncmp(plan.shape, 'band', 4) && ~isfield(plan.spec, stem)
    yes = all(isfield(plan.spec, strcat(stem, {'1', '2'})));
else
    yes = isfield(plan.spec, stem);
end
end

function [value, plan] = take(plan, stem, count)
% A parameter: one number, or one for each edge.
if nargin < 3, count = 1 + strncmp(plan.shape, 'band', 4); end
names = {stem};
if count == 2, names = strcat(stem, {'1', '2'}); end
for name = names
    if ~isfield(plan.spec, name{1})
        error('signal:designfilt:MissingParameter', 'A response of ''%s'' needs the parameter ''%s'' beside those that are given.', plan.shape, name{1});
    end
end
value = cellfun(@(n) double(plan.spec.(n)), names);
plan.used = [plan.used, names];
end

function [edges, plan] = frequencies(plan, stem)
% Edges where 1 is half the sample rate.
[edges, plan] = take(plan, stem);
edges = edges/plan.nyquist;
if any(edges <= 0 | edges >= 1) || any(diff(edges) <= 0)
    error('signal:designfilt:InvalidFrequency', 'The values of %s must increase between 0 and half the sample rate, %g.', stem, plan.nyquist);
end
end

function plan = method(plan, varargin)
% The method: the first of the possible ones where none is asked for.
if isempty(plan.method), plan.method = varargin{1}; end
if ~any(strcmp(plan.method, varargin))
    error('signal:designfilt:InvalidDesignMethod', 'The design method ''%s'' does not go with these parameters. Possible here: ''%s''.', plan.method, strjoin(varargin, ''', '''));
end
end

function [value, plan] = optional(plan, name, value)
% A parameter that may be left out.
if isfield(plan.spec, name)
    [value, plan.used] = deal(plan.spec.(name), [plan.used, {name}]);
end
end

% --- finite impulse responses -----------------------------------------------------------------

function [b, plan] = banded(plan)
% Bands that are kept and bands that are not.
if has(plan, 'CutoffFrequency')
    [b, plan] = windowed(plan);
    return
end
[pass, plan] = frequencies(plan, 'PassbandFrequency');
[stop, plan] = frequencies(plan, 'StopbandFrequency');
[edges, keeps] = ordered(plan.shape, pass, stop);
gains = reshape([keeps; keeps], 1, []);
if isfield(plan.spec, 'FilterOrder')
    plan = method(plan, 'equiripple', 'ls');
    [n, plan] = order(plan);
    [weights, plan] = bandweights(plan, keeps);
    if strcmp(plan.method, 'ls'), b = firls(n, [0 edges 1], gains, weights); else, b = firpm(n, [0 edges 1], gains, weights); end
    return
end
plan = method(plan, 'equiripple', 'kaiserwin');
[deviations, plan] = ripples(plan, keeps);
if strcmp(plan.method, 'kaiserwin')
    [scaled, plan] = optional(plan, 'ScalePassband', true);
    [n, cut, beta, type] = kaiserord(edges, keeps, deviations);
    n = n + mod(n, 2)*(keeps(end) == 1);
    words = {'noscale', 'scale'};
    b = fir1(n, cut, type, kaiser(n + 1, beta), words{1 + logical(scaled)});
else
    b = leastequiripple(edges, keeps, gains, deviations);
end
end

function [n, plan] = order(plan)
[n, plan] = take(plan, 'FilterOrder', 1);
validateattributes(n, {'numeric'}, {'scalar', 'integer', 'positive'}, 'designfilt', 'FilterOrder');
end

function [edges, keeps] = ordered(shape, pass, stop)
% The edges from the left, and which bands are kept.
switch shape
    case 'lowpass', [edges, keeps] = deal([pass stop], [1 0]);
    case 'highpass', [edges, keeps] = deal([stop pass], [0 1]);
    case 'bandpass', [edges, keeps] = deal([stop(1) pass stop(2)], [0 1 0]);
    otherwise, [edges, keeps] = deal([pass(1) stop pass(2)], [1 0 1]);
end
if any(diff(edges) <= 0)
    error('signal:designfilt:InvalidFrequency', 'The edges of pass and stop bands must increase as a response of ''%s'' needs it.', shape);
end
end

function [deviations, plan] = ripples(plan, keeps)
% How far the gain of each band may be from 1 or 0.
[ripple, plan] = take(plan, 'PassbandRipple', sum(keeps));
[down, plan] = take(plan, 'StopbandAttenuation', sum(~keeps));
deviations = zeros(size(keeps));
deviations(keeps == 1) = (10.^(ripple/20) - 1)./(10.^(ripple/20) + 1);
deviations(keeps == 0) = 10.^(-down/20);
end

function [weights, plan] = bandweights(plan, keeps)
weights = ones(size(keeps));
for word = {'Passband', 'Stopband'}
    at = find(keeps == strcmp(word{1}, 'Passband'));
    for k = 1:numel(at)
        name = [word{1} 'Weight'];
        if numel(at) > 1, name = sprintf('%s%d', name, k); end
        [weights(at(k)), plan] = optional(plan, name, 1);
    end
end
end

function [b, plan] = windowed(plan)
% The ideal response under a window.
plan = method(plan, 'window');
[n, plan] = order(plan);
[cut, plan] = frequencies(plan, 'CutoffFrequency');
if any(strcmp(plan.shape, {'highpass', 'bandstop'})) && mod(n, 2)
    error('signal:designfilt:OddOrder', 'The order of a response of ''%s'' must be even.', plan.shape);
end
[taper, plan] = optional(plan, 'Window', 'hamming');
[scaled, plan] = optional(plan, 'ScalePassband', true);
if iscell(taper), taper = feval(taper{1}, n + 1, taper{2:end}); end
if ~isnumeric(taper), taper = feval(taper, n + 1); end
types = struct('lowpass', 'low', 'highpass', 'high', 'bandpass', 'bandpass', 'bandstop', 'stop');
words = {'noscale', 'scale'};
b = fir1(n, cut, types.(plan.shape), taper, words{1 + logical(scaled)});
end

function b = leastequiripple(edges, keeps, gains, deviations)
% The shortest filter that keeps to its deviations, from an estimate of its length on.
weights = max(deviations)./deviations;
step = 1 + (keeps(end) == 1);
n = max(firpmord(edges, keeps, deviations), 3);
n = n + mod(n, 2)*(step == 2);
b = firpm(n, [0 edges 1], gains, weights);
if within(b, edges, keeps, deviations)
    while n > 3 + step
        shorter = firpm(n - step, [0 edges 1], gains, weights);
        if ~within(shorter, edges, keeps, deviations), return, end
        [b, n] = deal(shorter, n - step);
    end
else
    while ~within(b, edges, keeps, deviations)
        n = n + step;
        if n > 4000, error('signal:designfilt:NoConvergence', 'No filter of up to 4000 coefficients meets the specification.'); end
        b = firpm(n, [0 edges 1], gains, weights);
    end
end
end

function yes = within(b, edges, keeps, deviations)
% Whether all bands keep to their deviations.
w = linspace(0, 1, 16*numel(b) + 1);
h = abs(freqz(b, 1, pi*[w edges])).';
w = [w edges];
borders = [0 edges 1];
yes = true;
for k = 1:numel(keeps)
    inside = w >= borders(2*k - 1) & w <= borders(2*k);
    yes = yes && max(abs(h(inside) - keeps(k))) <= deviations(k)*(1 + 1e-3);
end
end

function [b, plan] = shaped(plan)
% A Hilbert transformer, or any magnitude.
[n, plan] = order(plan);
if strcmp(plan.shape, 'hilbert')
    plan = method(plan, 'equiripple');
    [width, plan] = take(plan, 'TransitionWidth', 1);
    edge = width/plan.nyquist/2;
    b = firpm(n, [edge, 1 - edge], [1 1], 'hilbert');
    return
end
plan = method(plan, 'ls', 'freqsamp');
[f, plan] = optional(plan, 'Frequencies', []);
[a, plan] = optional(plan, 'Amplitudes', []);
if isempty(f) || numel(f) ~= numel(a)
    error('signal:designfilt:MissingParameter', 'Frequencies and Amplitudes must be given, with as many elements each.');
end
[f, a] = deal(double(f(:).')/plan.nyquist, double(a(:).'));
if strcmp(plan.method, 'freqsamp')
    b = fir2(n, f, a);
    return
end
pairs = [1:numel(f) - 1; 2:numel(f)];
edges = [f(pairs(1, :)); f(pairs(2, :))];
b = firls(n, edges(:).', reshape([a(pairs(1, :)); a(pairs(2, :))], 1, []));
end

% --- recursive filters ------------------------------------------------------------------------

function [sections, plan] = recursive(plan)
% Second-order sections of a classical filter.
types = struct('lowpass', 'low', 'highpass', 'high', 'bandpass', 'bandpass', 'bandstop', 'stop');
type = types.(plan.shape);
two = strncmp(plan.shape, 'band', 4);
if isfield(plan.spec, 'FilterOrder')
    [n, plan] = order(plan);
    if two && mod(n, 2), error('signal:designfilt:OddOrder', 'The order of a response of ''%s'' must be even.', plan.shape); end
    n = n/(1 + two);
    if has(plan, 'HalfPowerFrequency')
        plan = method(plan, 'butter');
        [w, plan] = frequencies(plan, 'HalfPowerFrequency');
        [z, p, k] = butter(n, w, type);
    elseif has(plan, 'PassbandFrequency')
        [w, plan] = frequencies(plan, 'PassbandFrequency');
        [ripple, plan] = take(plan, 'PassbandRipple', 1);
        if isfield(plan.spec, 'StopbandAttenuation')
            plan = method(plan, 'ellip');
            [down, plan] = take(plan, 'StopbandAttenuation', 1);
            [z, p, k] = ellip(n, ripple, down, w, type);
        else
            plan = method(plan, 'cheby1');
            [z, p, k] = cheby1(n, ripple, w, type);
        end
    else
        plan = method(plan, 'cheby2');
        [w, plan] = frequencies(plan, 'StopbandFrequency');
        [down, plan] = take(plan, 'StopbandAttenuation', 1);
        [z, p, k] = cheby2(n, down, w, type);
    end
else
    plan = method(plan, 'butter', 'cheby1', 'cheby2', 'ellip');
    [pass, plan] = frequencies(plan, 'PassbandFrequency');
    [stop, plan] = frequencies(plan, 'StopbandFrequency');
    ordered(plan.shape, pass, stop);
    [ripple, plan] = take(plan, 'PassbandRipple', 1 + strcmp(plan.shape, 'bandstop'));
    [down, plan] = take(plan, 'StopbandAttenuation', 1 + strcmp(plan.shape, 'bandpass'));
    [ripple, down] = deal(min(ripple), max(down));
    matched = struct('butter', 'stopband', 'cheby1', 'passband', 'cheby2', 'stopband', 'ellip', 'both');
    [match, plan] = optional(plan, 'MatchExactly', matched.(plan.method));
    if ~strcmpi(match, matched.(plan.method)), error('signal:designfilt:InvalidMatch', 'MatchExactly is ''%s'' for the method ''%s''.', matched.(plan.method), plan.method); end
    switch plan.method
        case 'butter', [n, w] = buttord(pass, stop, ripple, down); [z, p, k] = butter(n, w, type);
        case 'cheby1', n = cheb1ord(pass, stop, ripple, down); [z, p, k] = cheby1(n, ripple, pass, type);
        case 'cheby2', n = cheb2ord(pass, stop, ripple, down); [z, p, k] = cheby2(n, down, stop, type);
        otherwise, n = ellipord(pass, stop, ripple, down); [z, p, k] = ellip(n, ripple, down, pass, type);
    end
end
[sections, gain] = zp2sos(z, p, k);
sections(:, 1:3) = sections(:, 1:3).*sign(gain).^((1:size(sections, 1)).' == 1)*abs(gain)^(1/size(sections, 1));
end
