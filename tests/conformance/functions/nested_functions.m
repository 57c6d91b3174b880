addpath('support'); [t, f] = with_nested(3); disp(t); disp(f()); disp(f()); [n, r] = make_counter(); n(); n(); disp(n()); r(); disp(n()); [p, q] = make_counter(); p(); disp(p()); disp(n());
