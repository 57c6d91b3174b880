function r = small_spiral_matrix()
n = 15; M = zeros(n); top = 1; bottom = n; left = 1; right = n; v = 1;
while top <= bottom && left <= right
    for c = left:right, M(top, c) = v; v = v + 1; end, top = top + 1;
    for k = top:bottom, M(k, right) = v; v = v + 1; end, right = right - 1;
    for c = right:-1:left, M(bottom, c) = v; v = v + 1; end, bottom = bottom - 1;
    for k = bottom:-1:top, M(k, left) = v; v = v + 1; end, left = left + 1;
end
r = trace(M) + sum(M(:, 3)) + sum(diag(fliplr(M)));
end
