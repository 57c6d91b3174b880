% dialect: matlab
% oracle: which algorithms there are is this program's own matter; Octave has none of these options.
quiet = @(s, a) optimoptions(s, 'Algorithm', a, 'Display', 'none');
lastwarn('');
[x, ~, ~, out] = fmincon(@(x) (x - 7)^2, 3, [], [], [], [], 1, 5, [], quiet('fmincon', 'interior-point'));
disp(round(x, 4)), disp(out.algorithm), disp(lastwarn)
lastwarn('');
x = fmincon(@(x) (x - 7)^2, 3, [], [], [], [], 1, 5, [], quiet('fmincon', 'sqp')); disp(isempty(lastwarn))
x = fmincon(@(x) (x - 7)^2, 3, [], [], [], [], 1, 5, [], optimoptions('fmincon', 'Display', 'none')); disp(isempty(lastwarn))
[~, ~, ~, out] = linprog(-1, [], [], [], [], 0, 5, quiet('linprog', 'interior-point')); disp(out.algorithm)
[x, ~, ~, out] = linprog(-1, [], [], [], [], 0, 5, quiet('linprog', 'dual-simplex-highs')); disp([x; isempty(lastwarn)]')
x = lsqlin(1, 2, [], [], [], [], 0, 1, [], optimoptions('lsqlin', 'Display', 'off')); disp(x)
x = quadprog(2, -2, [], [], [], [], 0, 5, [], quiet('quadprog', 'trust-region-reflective')); [~, id] = lastwarn; disp(id)
