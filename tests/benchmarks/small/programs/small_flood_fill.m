function r = small_flood_fill()
A = mod(reshape((1:400)*7919, 20, 20), 3) > 0; s = [1 1]; A(1,1) = true; r = 0; while ~isempty(s), p = s(end,:); s(end,:) = []; if p(1) < 1 || p(2) < 1 || p(1) > 20 || p(2) > 20 || ~A(p(1),p(2)), continue, end, A(p(1),p(2)) = false; r = r + 1; s = [s; p + [1 0]; p + [-1 0]; p + [0 1]; p + [0 -1]]; end
end
