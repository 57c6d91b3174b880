function p = bwpack(bw)
% p = bwpack(BW): thirty-two pixels of a column in each uint32, the first in the lowest bit.
rows = ceil(size(bw, 1)/32);
bw = [bw ~= 0; zeros(32*rows - size(bw, 1), size(bw, 2))];
p = uint32(squeeze(sum(reshape(bw, 32, rows, []).*2.^(0:31)', 1)));
p = reshape(p, rows, []);
end
