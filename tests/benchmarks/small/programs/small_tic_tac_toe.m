function r = small_tic_tac_toe()
B = zeros(3); r = 0; for k = 0:2000, for j = 0:8, B(j+1) = mod(floor(k/2^j), 2)*2 - 1; end, if any(abs([sum(B), sum(B, 2)', trace(B), trace(fliplr(B))]) == 3), r = r + 1; end, end
end
