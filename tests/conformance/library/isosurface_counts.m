% The points and triangles of a surface of equal value, where its cubes are ambiguous, too
x = linspace(-2, 2, 31); [X, Y, Z] = meshgrid(x, x, x);
S = isosurface(X, Y, Z, X.^2 + Y.^2 + Z.^2, 1.5); disp(size(S.vertices)); disp(size(S.faces));
v = S.vertices; f = S.faces; fprintf('%.4f\n', sum(dot(v(f(:,1),:), cross(v(f(:,2),:), v(f(:,3),:), 2), 2))/6);
V = zeros(5, 6, 7); V(2:4, 2:5, 2:6) = 1; V(3,3,3) = 2; V(2,2,2) = 0; V(3,3,2) = 0;
S = isosurface(V, .5); disp(size(S.vertices)); disp(size(S.faces));
V = reshape(mod((1:210).^2, 7), 5, 6, 7);
S = isosurface(V, 2.5); disp(size(S.vertices)); disp(size(S.faces)); fprintf('%.4f ', sum(S.vertices)); fprintf('\n');
S = isosurface(zeros(3, 3, 3), 1); disp(isempty(S.faces));
