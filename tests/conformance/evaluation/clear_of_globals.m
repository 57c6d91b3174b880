global total
total = 100;
clear total
total = 0;
for k = 1:20000
    total = total + mod(k, 7);
end
disp(total), disp(shared_total)
global x
x = zeros(1, 1e4);
for k = 1:1e4, x(k) = k^2; end
clear x
for k = 1:5, x(k) = k; end
disp(x)
s = 0;
for k = 1:1e4
    if k == 10, clear s, s = 5; end
    s = s + 1;
end
disp(s)
in_function()
function t = shared_total
global total
t = total;
end
function in_function
global count
count = 3;
for k = 1:4
    count = count + 1;
    if k == 2, clear count, count = -1; end
end
disp(count), eval('count = count * 2;'), disp(count)
eval('clear count'), disp(exist('count', 'var'))
global count
count(2) = 9;
disp(count)
clear -regexp ^cou
count.a = 4;
disp(count)
f = @() count.a;
disp(f())
end
