function r = small_triangle_mesh()
[x, y] = meshgrid(0:5, 0:5); P = [x(:) y(:)]; T = []; for i = 1:5, for j = 1:5, a = (j-1)*6 + i; T(end+1, :) = [a a+1 a+6]; T(end+1, :) = [a+1 a+7 a+6]; end, end
r = 0; for k = 1:size(T, 1), q = P(T(k, :), :); r = r + 0.5*abs(det([q ones(3, 1)])) + norm(q(2, :) - q(1, :)); end
end
