function [xcf, lags, bounds] = crosscorr(x, y, varargin)
% [xcf, lags, bounds] = crosscorr(x, y, 'NumLags', n, 'NumSTD', s): sample cross-correlation of x(t) with y(t + lag), lags from -n to n (20), with its bounds.
%   crosscorr(x, y, n, s) as well; without outputs it is drawn.
[x, y] = deal(x(:), y(:));
n = min(numel(x), numel(y));
given = struct('NumLags', min(20, n - 1), 'NumSTD', 2);
names = fieldnames(given);
if ~isempty(varargin) && ~ischar(varargin{1}) && ~isstring(varargin{1})
    varargin = reshape([names(1:numel(varargin))'; varargin], 1, []);
end
for k = 1:2:numel(varargin)
    name = validatestring(varargin{k}, names, 'crosscorr');
    if k == numel(varargin), error('econ:crosscorr:missingValue', 'The option %s lacks its value.', name); end
    if ~isempty(varargin{k + 1}), given.(name) = varargin{k + 1}; end
end
if given.NumLags > n - 1, error('econ:crosscorr:InvalidLags', 'There must be fewer lags than observations.'); end
[x, y] = deal(x - mean(x, 'omitnan'), y - mean(y, 'omitnan'));
[x(isnan(x)), y(isnan(y))] = deal(0);
lags = (-given.NumLags:given.NumLags)';
xcf = zeros(numel(lags), 1);
for k = 1:numel(lags)
    d = lags(k);
    first = max(1, 1 - d):min(numel(x), numel(y) - d);
    xcf(k) = x(first)'*y(first + d);
end
xcf = xcf/(norm(x)*norm(y));
bounds = given.NumSTD/sqrt(n)*[1; -1];
if nargout == 0
    stem(lags, xcf, 'filled');
    yline(bounds(1)); yline(bounds(2));
    xlabel('Lag'); ylabel('Sample Cross Correlation'); title('Sample Cross Correlation Function');
    clear xcf
end
end
