function r = small_sudoku_solver()
S = [1 0 0 0; 0 0 3 0; 0 4 0 0; 0 0 0 2]; S = fill(S); r = sum(S(:) .* (1:16)');
end
function S = fill(S)
k = find(S == 0, 1); if isempty(k), return, end
[i, j] = ind2sub([4 4], k); bi = 2*ceil(i/2) - 1; bj = 2*ceil(j/2) - 1; B = S(bi:bi+1, bj:bj+1);
for v = 1:4
    if ~any(S(i, :) == v) && ~any(S(:, j) == v) && ~any(B(:) == v)
        T = S; T(k) = v; T = fill(T); if ~isempty(T) && all(T(:)), S = T; return, end
    end
end
S = [];
end
