function varargout = improfile(a, xi, yi, n, method)
% c = improfile(I, xi, yi, n, method): the values along the line through points, n of them; methods nearest
%   (default), bilinear, bicubic. [cx, cy, c] = improfile(...): and where.
if nargin < 4 || isempty(n), n = []; end
if nargin < 5, method = 'nearest'; end
if ischar(n) || isstring(n), [method, n] = deal(n, []); end
methods_ = struct('nearest', 'nearest', 'bilinear', 'linear', 'bicubic', 'cubic');
method = validatestring(method, fieldnames(methods_), 'improfile');
along = [0; cumsum(hypot(diff(xi(:)), diff(yi(:))))];
if isempty(n), n = ceil(max(abs(diff(xi(:)))+0, [], 'all') + 1); n = max(n, ceil(sum(max(abs(diff(xi(:))), abs(diff(yi(:)))))) + 1); end
at = linspace(0, along(end), n)';
cx = interp1(along, xi(:), at);
cy = interp1(along, yi(:), at);
c = zeros(n, 1, size(a, 3));
for k = 1:size(a, 3), c(:, 1, k) = interp2(double(a(:, :, k)), cx, cy, methods_.(method)); end
c = squeeze(c);
if nargout == 3, varargout = {cx, cy, c}; else, varargout = {c}; end
end
