function r = nothing(), end
function [a, b] = partial(), a = 1; end
try, x = nothing(); catch, disp('not set'), end
x = partial(); disp(x); try, [x, y] = partial(); catch, disp('second not set'), end
