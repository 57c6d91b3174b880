function r = small_sudoku_check()
M = mod(bsxfun(@plus, [0 3 6 1 4 7 2 5 8]', 0:8), 9) + 1; r = 0; for k = 1:60, ok = true; for i = 1:9, ok = ok && numel(unique(M(i,:))) == 9 && numel(unique(M(:,i))) == 9; end, r = r + ok; end
end
