h = {@sin, @(x) x ^ 2}; disp(h{2}(4)); s.op = @plus; disp(s.op(1, 2)); m = containers.Map(); m('k') = @(x) -x; f = m('k'); disp(f(3));
