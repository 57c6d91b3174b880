function rho = spearman(x, y)
% rho = spearman(x, y): rank correlations after Spearman of the columns (Octave's).
if nargin < 2
    y = x;
end
if ~isnumeric(x) || ~isnumeric(y)
    error('spearman:invalidType', 'The inputs of spearman must be numeric.');
end
if isrow(x)
    x = x.';
end
if isrow(y)
    y = y.';
end
if size(x, 1) ~= size(y, 1)
    error('spearman:sizes', 'The inputs of spearman must have as many observations.');
end
a = ranks(x) - mean(ranks(x));
b = ranks(y) - mean(ranks(y));
rho = (a.' * b) ./ (sqrt(sum(a.^2)).' * sqrt(sum(b.^2)));
if isscalar(x)
    rho = NaN;
end
end
