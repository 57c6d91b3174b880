function [acf, lags, bounds] = autocorr(y, varargin)
% [acf, lags, bounds] = autocorr(y, 'NumLags', n, 'NumMA', q, 'NumSTD', s): sample autocorrelation with its bounds.
y = y(~isnan(y));
y = y(:) - mean(y(:));
n = numel(y);
given = struct('NumLags', min(20, n - 1), 'NumMA', 0, 'NumSTD', 2);
names = fieldnames(given);
if ~isempty(varargin) && ~ischar(varargin{1}) && ~isstring(varargin{1}) % autocorr(y, numLags, numMA, numSTD)
    varargin = reshape([names(1:numel(varargin))'; varargin], 1, []);
end
for k = 1:2:numel(varargin)
    name = validatestring(varargin{k}, names);
    if ~isempty(varargin{k + 1}), given.(name) = varargin{k + 1}; end
end
if given.NumLags > n - 1 || given.NumMA >= given.NumLags + (given.NumLags == 0)
    error('econ:autocorr:InvalidLags', 'There must be fewer lags than observations, and NumMA must be smaller than NumLags.');
end
lags = (0:given.NumLags)';
acf = arrayfun(@(k) y(1:n - k)'*y(1 + k:n), lags)/(y'*y);
spread = sqrt((1 + 2*sum(acf(2:given.NumMA + 1).^2))/n);
bounds = given.NumSTD*spread*[1; -1];
if nargout == 0
    stem(lags, acf, 'filled');
    yline(bounds(1)); yline(bounds(2));
    xlabel('Lag'); ylabel('Sample Autocorrelation'); title('Sample Autocorrelation Function');
    clear acf
end
end
