function y = bwlookup(bw, lut)
% y = bwlookup(BW, lut): each pixel by its 2-by-2 (16 entries) or 3-by-3 (512) neighbourhood; zeros lie outside.
n = sqrt(log2(numel(lut)));
if ~any(n == [2 3]), error('images:bwlookup:invalidLut', 'The table must have 16 or 512 elements.'); end
lut = lut(:);
x = zeros(size(bw) + n - 1);
first = n - 2;
x(first + 1:first + size(bw, 1), first + 1:first + size(bw, 2)) = bw ~= 0;
place = ones(size(bw));
for c = 1:n
    for r = 1:n
        place = place + 2^(r - 1 + n*(c - 1))*x(r:r + size(bw, 1) - 1, c:c + size(bw, 2) - 1);
    end
end
y = reshape(lut(place), size(bw));
end
