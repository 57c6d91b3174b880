% dialect: matlab
% oracle: Octave's solvers say nothing of their end
x = linprog([1 1], [], [], [1 2], 3, [0 0], []);
x = fminunc(@(x) sum((x - 1).^2), [0 0]);
x = fmincon(@(x) x(1)^2 + x(2)^2, [1; 1], [], [], [], [], [0.5 0.5], [2 2]);
x = fsolve(@(x) x^2 - 2, 1);
x = fsolve(@(x) x^2 + 2, 1);
x = fsolve(@(x) x^2 - 2, 1, optimoptions('fsolve', 'Display', 'off'));
x = quadprog(eye(2), [-1; -2]);
x = lsqcurvefit(@(p, x) p * x, 1, [1 2 3], [2 4 6]);
x = fminsearch(@(x) (x - 1)^2, 0, optimset('Display', 'final', 'TolX', 1e-3));
[x, f, e, out] = fminbnd(@cos, 3, 4); disp(out.message)
[x, f, e, out] = fzero(@cos, [1 2]); disp(fieldnames(out)'), disp(out.message)
[x, f, e, out] = linprog(-1); disp(e), disp(out.message)
