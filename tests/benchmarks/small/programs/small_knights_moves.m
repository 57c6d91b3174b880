function r = small_knights_moves()
D = inf(8); D(1, 1) = 0; q = {[1 1]}; moves = [1 2; 2 1; -1 2; -2 1; 1 -2; 2 -1; -1 -2; -2 -1];
while ~isempty(q)
    p = q{1}; q(1) = [];
    for m = 1:8
        t = p + moves(m, :);
        if all(t >= 1) && all(t <= 8) && isinf(D(t(1), t(2))), D(t(1), t(2)) = D(p(1), p(2)) + 1; q{end+1} = t; end
    end
end
r = sum(D(:));
end
