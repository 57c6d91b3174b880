% oracle: classes
addpath('support'); a = Account('x', 1); b = a; c = Account('x', 1); disp(a == b); disp(a == c); b.deposit(9); disp(a.balance); disp(isequal(a, b));
