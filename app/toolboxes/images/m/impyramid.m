function b = impyramid(a, direction)
% b = impyramid(a, direction): one step of a Gaussian pyramid, 'reduce' or 'expand' (Burt and Adelson, a = 0.375).
direction = validatestring(direction, {'reduce', 'expand'}, 'impyramid');
w = [1/16 1/4 3/8 1/4 1/16];
[m, n, p] = size(a);
if strcmp(direction, 'reduce')
    wide = imfilter(double(a), w'*w, 'replicate');
    b = wide(1:2:m, 1:2:n, :);
else
    b = zeros(2*m - 1, 2*n - 1, p);
    b(1:2:end, 1:2:end, :) = double(a);
    weight = zeros(2*m - 1, 2*n - 1);
    weight(1:2:end, 1:2:end) = 1;
    b = imfilter(b, w'*w)./imfilter(weight, w'*w);
end
b = cast(b, class(a));
end
