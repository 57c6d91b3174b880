% oracle: Octave has no problem-based optimisation
% show says what a problem, its expressions and its constraints are.
x = optimvar('x', 'LowerBound', 0);
y = optimvar('y', 'UpperBound', 4);
w = optimvar('w', 2, 2, 'LowerBound', 0, 'UpperBound', 1);
p = optimproblem('ObjectiveSense', 'max', 'Objective', 2*x - y/4 + 3);
p.Constraints.a = x + y <= 2;
p.Constraints.b = sum(w, 2) == [1; 1];
show(p)
show(x^2 + 2*x*y - 1)
show([x - y; -x])
show(x + 2 >= y)
q = optimproblem('Objective', exp(x) + y, 'Constraints', x*y <= 3);
show(q)
