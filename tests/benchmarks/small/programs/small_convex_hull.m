function r = small_convex_hull()
P = [mod((1:40)'*37, 41), mod((1:40)'*17, 43)]; P = sortrows(P); H = [];
for pass = 1:2
    C = zeros(0, 2);
    for k = 1:40, p = P(k, :); while size(C, 1) >= 2 && det([C(end, :) - C(end-1, :); p - C(end-1, :)]) <= 0, C(end, :) = []; end, C = [C; p]; end
    H = [H; C(1:end-1, :)]; P = flipud(P);
end
r = size(H, 1) + sum(H(:, 1));
end
