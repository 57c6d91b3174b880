function s = decorrstretch(a, varargin)
% S = decorrstretch(A): the planes of an image made independent, with their means and variances kept.
%   Options: 'Mode' (correlation or covariance), 'TargetMean', 'TargetSigma', 'Tol' (stretch the contrast).
p = inputParser;
p.FunctionName = 'decorrstretch';
addParameter(p, 'Mode', 'correlation');
addParameter(p, 'TargetMean', []);
addParameter(p, 'TargetSigma', []);
addParameter(p, 'Tol', []);
parse(p, varargin{:});
mode_ = validatestring(p.Results.Mode, {'correlation', 'covariance'}, 'decorrstretch');
x = reshape(im2double(a), [], size(a, 3));
c = cov(x);
sigma = sqrt(diag(c));
if isempty(p.Results.TargetMean), middle = mean(x); else, middle = p.Results.TargetMean(:)'.*ones(1, size(x, 2)); end
if isempty(p.Results.TargetSigma), target = sigma; else, target = p.Results.TargetSigma(:).*ones(size(x, 2), 1); end
scale = sigma;
if strcmp(mode_, 'covariance'), scale = ones(size(sigma)); end
scale(scale == 0) = 1;
[v, d] = eig(c./(scale*scale'));
stretch = 1./sqrt(max(diag(d), 0));
stretch(~isfinite(stretch)) = 0;
t = diag(1./scale)*v*diag(stretch)*v'*diag(target);
s = reshape((x - mean(x))*t + middle, size(a));
if ~isempty(p.Results.Tol), s = imadjust(s, stretchlim(s, p.Results.Tol)); end
if ~isfloat(a), s = cast(min(max(s, 0), 1)*double(intmax(class(a))), class(a)); end
end
