function [pacf, lags, bounds] = parcorr(y, varargin)
% [pacf, lags, bounds] = parcorr(y, 'NumLags', n, 'NumAR', p, 'NumSTD', s, 'Method', m): sample partial autocorrelation with its bounds, by least squares ('ols', usual
%   with no gaps) or by the Yule-Walker equations ('yule-walker'). parcorr(y, n, p, s) as well; without outputs it is drawn.
y = y(:);
gaps = any(isnan(y));
y = y(~isnan(y));
n = numel(y);
given = struct('NumLags', min(20, n - 1), 'NumAR', 0, 'NumSTD', 2, 'Method', 'ols');
if gaps, given.Method = 'yule-walker'; end
names = fieldnames(given);
if ~isempty(varargin) && ~ischar(varargin{1}) && ~isstring(varargin{1})
    varargin = reshape([names(1:numel(varargin))'; varargin], 1, []);
end
for k = 1:2:numel(varargin)
    name = validatestring(varargin{k}, names, 'parcorr');
    if k == numel(varargin), error('econ:parcorr:missingValue', 'The option %s lacks its value.', name); end
    if ~isempty(varargin{k + 1}), given.(name) = varargin{k + 1}; end
end
method = validatestring(given.Method, {'ols', 'yule-walker'}, 'parcorr', 'Method');
if given.NumLags > n - 1 || given.NumAR >= given.NumLags + (given.NumLags == 0)
    error('econ:parcorr:InvalidLags', 'There must be fewer lags than observations, and NumAR must be smaller than NumLags.');
end
lags = (0:given.NumLags)';
pacf = ones(numel(lags), 1);
r = autocorr(y, 'NumLags', given.NumLags);
for k = 1:given.NumLags
    if strcmp(method, 'ols')
        X = ones(n - k, k + 1);
        for j = 1:k, X(:, j + 1) = y(k + 1 - j:n - j); end
        b = X\y(k + 1:n);
    else
        b = toeplitz(r(1:k))\r(2:k + 1);
    end
    pacf(k + 1) = b(end);
end
bounds = given.NumSTD/sqrt(n)*[1; -1];
if nargout == 0
    stem(lags, pacf, 'filled');
    yline(bounds(1)); yline(bounds(2));
    xlabel('Lag'); ylabel('Sample Partial Autocorrelation'); title('Sample Partial Autocorrelation Function');
    clear pacf
end
end
