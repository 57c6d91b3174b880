% Quadratic programs: exact at active constraints, singular matrices, equations that repeat, no feasible point, no end
% dialect: matlab
[x, f, flag] = quadprog([1 -1; -1 2], [-2; -6], [1 1; -1 2; 2 1], [2; 2; 3]); disp(x'); disp(f); disp(flag);
[x, f, flag] = quadprog([1 0; 0 0], [0; -1]); disp(flag);
[x, f, flag] = quadprog([1 0; 0 0], [0; -1], [], [], [], [], [], [5; 5]); disp(x'); disp(flag);
[~, ~, flag] = quadprog(eye(2), [0; 0], [1 1; -1 -1], [-1; -1]); disp(flag);
[~, ~, flag] = quadprog(eye(2), [0; 0], [], [], [1 1; 1 1], [1; 2]); disp(flag);
[x, ~, flag, ~, l] = quadprog(eye(3), [1; 2; 3], [], [], [1 1 1; 1 1 1; 2 2 2], [1; 1; 2]); disp(x'); disp(flag);
n = 30; H = tril(ones(n))'*tril(ones(n)) + 1e-3*eye(n); A = [tril(ones(n)); -tril(ones(n)); eye(n); -eye(n)];
[x, f, flag] = quadprog(H, -(1:n)'/3, A, [2*ones(2*n, 1); .2*ones(2*n, 1)]);
disp(flag); disp(max(A*x - [2*ones(2*n, 1); .2*ones(2*n, 1)]) < 1e-9); fprintf('%.6f\n', f);
X = [1 2; 2 3; 3 3; 2 1; 3 2; 4 3]; y = [1; 1; 1; -1; -1; -1];
a = quadprog((y*y').*(X*X'), -ones(6, 1), [], [], y', 0, zeros(6, 1), 10*ones(6, 1));
fprintf('%.6f ', X'*(a.*y)); fprintf('\n'); disp(min(a) >= 0);
x = lsqlin([1 1; 1 1], [2; 4], [], [], [], [], [0; 2]); fprintf('%.6f\n', sum(x));
