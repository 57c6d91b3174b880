function bw = bwunpack(p, m)
% BW = bwunpack(p, m): the m rows of pixels that bwpack packed.
bits = bitget(repmat(reshape(p, 1, size(p, 1), []), 32, 1, 1), repmat((1:32)', 1, size(p, 1), size(p, 2))) > 0;
bw = reshape(bits, 32*size(p, 1), []);
if nargin > 1, bw = bw(1:m, :); end
end
