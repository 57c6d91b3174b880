% oracle: classes
addpath('support'); a = Money(3); b = Money(4.5); c = a + b; disp(c.v); disp(a < b); disp(a == Money(3)); d = -a; disp(d.v); e = a * 2; disp(e.v); f = [a, b]; disp(numel(f)); disp(double(c)); disp(char(c)); c
