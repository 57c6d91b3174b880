% oracle: Octave has no shared closures
% dialect: matlab
[inc, get] = counter(); inc(); inc(); disp(get()); [i2, g2] = counter(); i2(); disp(g2()); disp(get());
function [inc, get] = counter()
    n = 0;
    inc = @add; get = @() value();
    function add(), n = n + 1; end
    function v = value(), v = n; end
end
