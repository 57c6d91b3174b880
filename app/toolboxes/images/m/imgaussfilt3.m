function B = imgaussfilt3(A, varargin)
% B = imgaussfilt3(A), imgaussfilt3(A, sigma, ...): a volume smoothed by a Gaussian (sigma 0.5, or one for each direction).
%   Options: 'FilterSize' (odd; 2*ceil(2*sigma) + 1) and 'Padding' (a number, 'replicate', 'circular' or 'symmetric').
sigma = 0.5;
if ~isempty(varargin) && isnumeric(varargin{1}), [sigma, varargin] = deal(varargin{1}, varargin(2:end)); end
sigma = sigma(:)'.*ones(1, 3);
if any(sigma <= 0), error('images:imgaussfilt3:sigma', 'Sigma must be positive.'); end
o = struct('FilterSize', 2*ceil(2*sigma) + 1, 'Padding', 'replicate', 'FilterDomain', 'auto');
for k = 1:2:numel(varargin)
    name = validatestring(varargin{k}, fieldnames(o), 'imgaussfilt3');
    if k == numel(varargin), error('images:imgaussfilt3:missingValue', 'The option %s lacks its value.', name); end
    o.(name) = varargin{k + 1};
end
validatestring(o.FilterDomain, {'auto', 'spatial', 'frequency'}, 'imgaussfilt3', 'FilterDomain');
widths = double(o.FilterSize(:)').*ones(1, 3);
if any(mod(widths, 2) ~= 1), error('images:imgaussfilt3:filterSize', 'Filter sizes must be odd.'); end
work = A;
if ~isfloat(A), work = double(A); end
for d = 1:3
    x = (-(widths(d) - 1)/2:(widths(d) - 1)/2)';
    h = exp(-x.^2/(2*sigma(d)^2));
    work = imfilter(work, reshape(h/sum(h), circshift([numel(x) 1 1], d - 1)), o.Padding);
end
B = cast(work, 'like', A);
end
