function varargout = fvtool(varargin)
% fvtool(b, a), fvtool(b1, a1, b2, a2, ...), fvtool(sos), fvtool(d): a figure with the response of filters.
%   fvtool(..., Name, Value): Analysis ('magnitude', 'phase', 'freq' for both, 'grpdelay', 'phasedelay', 'impulse',
%   'step', 'polezero'), Fs (frequencies in hertz), NumberofPoints, FrequencyScale, MagnitudeDisplay ('Magnitude',
%   'Magnitude (dB)', 'Magnitude squared', 'Zero-phase'), Legend, Grid, Color. h = fvtool(...) is the figure.
[filters, rest] = split_filters(varargin);
if isempty(filters), error('MATLAB:minrhs', 'Not enough input arguments.'); end
options = struct('Analysis', 'magnitude', 'Fs', [], 'NumberofPoints', 8192, 'FrequencyScale', 'linear', ...
    'MagnitudeDisplay', 'Magnitude (dB)', 'Legend', 'off', 'Grid', 'on', 'Color', []);
if mod(numel(rest), 2), error('signal:fvtool:InvalidInputPairs', 'Names and values must come in pairs.'); end
for k = 1:2:numel(rest)
    options.(validatestring(rest{k}, fieldnames(options), 'fvtool')) = rest{k + 1};
end
rate = options.Fs;
for k = 1:numel(filters)
    if isempty(rate) && isobject(filters{k}.system) && ~isequal(filters{k}.system.SampleRate, 2)
        rate = filters{k}.system.SampleRate;
    end
end
fig = figure('Name', 'Filter Visualization Tool');
if ~isempty(options.Color), fig.Color = options.Color; end
analysis = validatestring(options.Analysis, {'magnitude', 'phase', 'freq', 'grpdelay', 'phasedelay', 'impulse', ...
    'step', 'polezero'}, 'fvtool', 'Analysis');
if strcmp(analysis, 'freq')
    yyaxis left
    show(filters, 'magnitude', rate, options);
    yyaxis right
    show(filters, 'phase', rate, options);
    title('Magnitude (dB) and Phase Responses');
else
    show(filters, analysis, rate, options);
end
if strcmpi(options.Legend, 'on') || numel(filters) > 1
    legend(compose('Filter #%d', 1:numel(filters)));
end
if nargout, varargout{1} = fig; end
end

function [filters, rest] = split_filters(given)
% Filters before the first name, each with both polynomials.
filters = {};
k = 1;
while k <= numel(given) && ~ischar(given{k}) && ~isstring(given{k})
    one = given{k};
    if isobject(one)
        [b, a] = tf(one);
    elseif size(one, 2) == 6 && size(one, 1) > 1
        [b, a] = sos2tf(one);
    elseif k < numel(given) && isnumeric(given{k + 1}) && (isvector(given{k + 1}) || size(given{k + 1}, 2) ~= 6)
        k = k + 1;
        [b, a] = deal(one, given{k});
    else
        [b, a] = deal(one, 1);
    end
    filters{end + 1} = struct('system', one, 'b', {b}, 'a', {a}); %#ok<AGROW>
    k = k + 1;
end
rest = given(k:end);
end

function show(filters, analysis, rate, options)
% One analysis of all filters in the current axes.
if strcmp(analysis, 'polezero')
    hold on
    for k = 1:numel(filters), zplane(filters{k}.b(:).', filters{k}.a(:).'); end
    hold off
    title('Pole-Zero Plot');
    return
end
hold on
for k = 1:numel(filters)
    [b, a] = deal(filters{k}.b(:).', filters{k}.a(:).');
    if any(strcmp(analysis, {'impulse', 'step'}))
        if strcmp(analysis, 'impulse'), [y, t] = impz(b, a); else, [y, t] = stepz(b, a); end
        if ~isempty(rate), t = t/rate; end
        stem(t, y, 'filled');
        continue
    end
    w = (0:options.NumberofPoints - 1)'*pi/options.NumberofPoints;
    if isobject(filters{k}.system), h = freqz(filters{k}.system, w); else, h = freqz(b, a, w); end
    switch analysis
        case 'magnitude'
            y = magnitude(h, b, a, options);
        case 'phase'
            y = unwrap(angle(h));
        case 'phasedelay'
            y = -unwrap(angle(h))./w;
        case 'grpdelay'
            y = grpdelay(b, a, w);
    end
    if isempty(rate), f = w/pi; else, f = w*rate/(2*pi); end
    plot(f, y);
end
hold off
label(analysis, rate, options);
end

function y = magnitude(h, b, a, options)
switch lower(char(options.MagnitudeDisplay))
    case 'magnitude'
        y = abs(h);
    case 'magnitude squared'
        y = abs(h).^2;
    case 'zero-phase'
        y = zerophase(b, a, options.NumberofPoints);
    otherwise
        y = 20*log10(abs(h));
end
end

function label(analysis, rate, options)
% Title and labels by what is shown.
grid(options.Grid);
texts = {'phase', 'Phase Response', 'Phase (radians)'; 'grpdelay', 'Group Delay', 'Group delay (in samples)'; ...
    'phasedelay', 'Phase Delay', 'Phase Delay (samples)'; 'impulse', 'Impulse Response', 'Amplitude'; ...
    'step', 'Step Response', 'Amplitude'; 'magnitude', 'Magnitude Response', char(options.MagnitudeDisplay)};
row = texts(strcmp(texts(:, 1), analysis), :);
if contains(row{3}, 'dB'), row{2} = [row{2} ' (dB)']; end
title(row{2});
ylabel(row{3});
if any(strcmp(analysis, {'impulse', 'step'}))
    if isempty(rate), xlabel('Samples'); else, xlabel('Time (seconds)'); end
    return
end
if isempty(rate), xlabel('Normalized Frequency (\times\pi rad/sample)'); else, xlabel('Frequency (Hz)'); end
set(gca, 'XScale', options.FrequencyScale);
end
