function p = impixel(a, c, r, varargin)
% p = impixel(I, c, r): red, green and blue of the pixels in columns c and rows r; NaN outside.
if nargin < 3, error('images:impixel:needsPoints', 'impixel needs the columns and rows: points are not picked by hand.'); end
if ~isempty(varargin), error('images:impixel:unsupportedForm', 'impixel takes an image, columns and rows.'); end
p = NaN(numel(c), 3);
for k = 1:numel(c)
    if all([c(k) r(k)] >= 1) && r(k) <= size(a, 1) && c(k) <= size(a, 2)
        p(k, :) = double(reshape(a(r(k), c(k), :), 1, [])).*ones(1, 3);
    end
end
end
