function B = imoverlay(A, BW, color)
% B = imoverlay(A, BW), imoverlay(A, BW, color): a colour picture of A, uint8, whose pixels under the mask BW have one colour:
%   a name, a letter or three numbers from 0 to 1 (yellow).
if nargin < 3, color = [1 1 0]; end
if ischar(color) || isstring(color), color = validatecolor(color); end
if numel(color) ~= 3 || any(color < 0 | color > 1), error('images:imoverlay:invalidColor', 'The colour must be three numbers from 0 to 1.'); end
if ~isequal(size(BW), [size(A, 1) size(A, 2)]), error('images:imoverlay:sizeMismatch', 'A and BW must have the same rows and columns.'); end
A = im2uint8(A);
if size(A, 3) == 1, A = repmat(A, 1, 1, 3); end
shade = im2uint8(color);
BW = logical(BW);
for k = 1:3
    layer = A(:, :, k);
    layer(BW) = shade(k);
    A(:, :, k) = layer;
end
B = A;
end
