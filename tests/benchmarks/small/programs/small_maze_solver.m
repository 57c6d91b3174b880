function r = small_maze_solver()
M = ['#########'; '#..#....#'; '#.##.##.#'; '#....#..#'; '#.####.##'; '#......E#'; '#########']; D = -ones(size(M)); D(2, 2) = 0; Q = [2 2]; r = 0;
while ~isempty(Q)
    p = Q(1, :); Q(1, :) = [];
    if M(p(1), p(2)) == 'E', r = D(p(1), p(2)); break, end
    for d = [0 0 1 -1; 1 -1 0 0]
        q = p + d'; if M(q(1), q(2)) ~= '#' && D(q(1), q(2)) < 0, D(q(1), q(2)) = D(p(1), p(2)) + 1; Q(end+1, :) = q; end
    end
end
end
