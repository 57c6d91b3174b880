0:0.25:1
x = 0:0.1:0.3; disp(numel(x)); disp(x(end) == 0.3 || abs(x(end) - 0.3) < eps);
numel(0:0.1:1)
