% oracle: Octave ignores arguments blocks
% dialect: matlab
% optional arguments may be left out before names and values, which nargin does not count
disp(f(5, tol=3)), disp(f(5, 'tol', 3)), disp(f(5, 6, 'tol', 3)), disp(f(tol=3)), disp(f(1, 'TOL', 9))
disp(f(1, 2, 'to', 9)), disp(f)
disp(g('tol', 3)), disp(g('tol')), disp(g('x', 'tol', 4)), disp(g('tol', 'tol', 4)), disp(g("to"))
disp(two(5, b=9)), disp(two(b=9, a=1))
disp(many(1, 2, 'tol', 3)), disp(many('tol', 1)), disp(many)
disp(needed(1, 'y')), disp(needed(1, 'y', 'y', 5)), disp(needed(1, 'k', y=5))
report(@() f(1, 2, 3)), report(@() f(1, 2, 'to')), report(@() f(1, 2, 'nix', 2)), report(@() f('nix', 1, 'tol'))

function r = f(a, b, o)
arguments
    a = 1
    b = 2
    o.tol = 7
end
r = [a b o.tol nargin];
end

function r = g(name, o)
arguments
    name (1, 1) string = "none"
    o.tol = 7
end
r = name + o.tol;
end

function r = two(x, p, q)
arguments
    x = 1
    p.a = 2
    q.b = 3
end
r = [x p.a q.b nargin];
end

function r = many(varargin, o)
arguments (Repeating)
    varargin
end
arguments
    o.tol = 7
end
r = [numel(varargin) o.tol nargin];
end

function r = needed(x, y, o)
arguments
    x (1, 1) double
    y (1, :) char
    o.y = 3
end
r = sprintf('%g %s %g %d', x, y, o.y, nargin);
end

function report(call)
try
    call();
catch problem
    disp(problem.message)
end
end
