% Second order sections, n channels at a time, through a function.
x = single(mod((1:n)' * 0.6180339887498949, 1));
%% Work
s1 = zeros(n, 1, 'single');
s2 = s1;
power = s1;
for k = 1:500
    in = x * sin(k / 5);
    [out, s1, s2] = section(in, s1, s2);
    power = power + out.^2;
end
result = mean(power);
function [y, s1, s2] = section(x, s1, s2)
    y = 0.2 * x + s1;
    s1 = 0.3 * x + 1.1 * y + s2;
    s2 = 0.2 * x - 0.4 * y;
end
