% oracle: classes
addpath('support'); p = Point(1, 2); q = shift(p, 1, 1); r = p.shift(1, 1); disp(isequal(q.x, r.x)); f = @(o) o.norm; disp(f(Point(3, 4))); m = 'norm'; disp(p.(m) > 2);
