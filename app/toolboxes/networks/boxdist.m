function d = boxdist(pos)
% d = boxdist(pos): the largest absolute difference of coordinates between the columns of pos.
d = zeros(size(pos, 2));
for k = 1:size(pos, 1), d = max(d, abs(pos(k, :)' - pos(k, :))); end
end
