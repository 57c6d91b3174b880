% oracle: classes
addpath('support'); function change(o), o.deposit(100); end
function p = moved(p), p.x = 99; end
a = Account('q', 0); change(a); disp(a.balance); p = Point(1, 1); r = moved(p); disp([p.x r.x]);
