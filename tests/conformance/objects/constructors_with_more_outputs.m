% oracle: Octave has no such classes
% dialect: matlab
addpath('support');
% the first output of a constructor is the object; it may give back more
[p, q] = PairWithMore(3);
disp([p.A q])
[~, q, t] = PairWithMore(7);
disp(t)
try, [a, b, c] = PairWithMore(1); catch e, disp(e.identifier), end
try, [a, b] = PairOfTens(1); catch e, disp(e.message), end
% a superclass and a handle are named on the next line
disp(twice(PairOfTens(4)))
f = @ ... of nothing
    sin;
disp(f(0))
% names that Python keeps for itself are names like others
try, x = __builtins__; catch e, disp(e.identifier), end
