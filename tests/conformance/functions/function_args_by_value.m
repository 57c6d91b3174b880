1;
function r = change(v), v(1) = 99; r = v; end
x = [1 2 3]; y = change(x); disp(x); disp(y); c = {1,2}; function c = addc(c), c{end+1} = 3; end
d = addc(c); disp(numel(c)); disp(numel(d));
